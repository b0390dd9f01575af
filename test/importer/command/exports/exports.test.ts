/**
 * Exports of many systems, languages and encodings, and those of the documentation. For each file is written by hand
 * what a person confirms, and the progress of each learner. A quarter of the others in `npm test`. Costs seconds.
 */
import { createPlatform, importFiles } from '../support/platform.ts';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { confirmSuggestions, mappingOf, withOutcome } from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import type { Choices, ConfirmedKind, Findings } from '../../../../bin/importer/engine/language/findings.ts';
import { platformOf } from '../../../../bin/importer/engine/match/platform.ts';
import { leftOutRows } from '../../../../bin/importer/engine/run/survey.ts';
import type { SourceOptions } from '../../../../bin/importer/engine/read/open-source.ts';
import { someOf } from '../../../kit/at-length.ts';
import { freshFolder } from '../support/files.ts';

interface Expected {
  readonly options: SourceOptions & { readonly timeZone?: string; readonly set?: readonly string[] };
  readonly choices?: Choices;
  readonly confirm?: readonly ConfirmedKind[];
  /** Why a person writes the mapping, and the mapping. */
  readonly hand?: string;
  readonly mapping?: object;
  readonly rejected?: number;
  readonly skipped?: number;
  readonly left_out?: number;
  readonly end: Readonly<Record<string, object>>;
}

const FOLDER = import.meta.dirname;
const systems = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'documented' ? [entry.name] : [],
);
const exported = systems.flatMap((system) =>
  readdirSync(join(FOLDER, system))
    .filter((name) => !name.endsWith('.expected.json'))
    .map((name) => ({ system, name, file: join(FOLDER, system, name) })),
);
const DOCS = join(FOLDER, '../../../../docs/mapping-examples');
const documented = readdirSync(join(FOLDER, 'documented')).map((expected) => {
  const name = expected.replace('.expected.json', '.csv');
  return { system: 'documented', name, file: join(DOCS, name) };
});

const jsonAt = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const stemOf = (file: string): string => file.replace(/\.[^.]*$/, '');

const LEARNERS = ['ben.castillo', 'chiara.romano', 'grace.mensah', 'hana.suzuki', 'lena.bauer'];
/** Of the documented export of Canvas. */
const NUMBERED = { 9108: 'hana.suzuki', 9110: 'joana.ferreira', 9111: 'kofi.asante' };
const COURSES: Readonly<Record<string, number>> = {
  'DATA-2': 102,
  WELCOME: 103,
  'WELCOME-24': 103,
  'FEEDBACK-24': 104,
  'SEC-1': 101,
  'DAT-2': 102,
  'WEL-3': 103,
  'Information Security Essentials': 101,
  'https://lms.acme.test/courses/security': 101,
  'https://lms.acme.test/courses/welcome': 103,
};

async function registeredPlatform() {
  const platform = await createPlatform();
  const ids = [...LEARNERS.map((name) => [name.replace(/^(.).*\./, '$1'), name]), ...Object.entries(NUMBERED)];
  await platform.client.registerUserMappings(
    ids.map(([external_user_id = '', name]) => ({ external_user_id, email: `${name}@acme.test` })),
  );
  await platform.client.registerCourseMappings(
    Object.entries(COURSES).map(([external_course_id, platform_course_id]) => ({
      external_course_id,
      platform_course_id,
    })),
  );
  return platform;
}

function confirmed(findings: Findings, confirm: readonly ConfirmedKind[]): Findings {
  const says = (values: ConfirmedKind['values'], wanted: ConfirmedKind['values']): boolean =>
    Object.entries(wanted).every(([name, text]) => values[name]?.toLowerCase() === text.toLowerCase());
  let chosen = findings;
  for (const { values } of findings.kinds) {
    const outcome = confirm.find((each) => says(values, each.values));
    if (outcome !== undefined) chosen = withOutcome(chosen, values, outcome);
  }
  return confirmSuggestions(chosen);
}

async function importedAs(file: string, { options, choices, confirm = [], mapping }: Expected) {
  const copy = join(freshFolder(), basename(file));
  copyFileSync(file, copy);
  const { set, timeZone, ...wanted } = options;
  const platform = await registeredPlatform();
  const find = async () =>
    findKinds([await openSourceFile(copy, wanted)], {
      platform: await platformOf(platform.client),
      choices: { ...(timeZone === undefined ? {} : { timeZone }), ...choices },
    });
  const path = `${stemOf(copy)}.mapping.json`;
  writeFileSync(path, JSON.stringify(mapping ?? mappingOf(confirmed(await find(), confirm))));
  return importFiles(platform, [copy], { mapping: path, ...(set === undefined ? {} : { set }) });
}

it.each([...documented, ...someOf(exported, 4)])(
  'the export of $system, $name, ends as a person reads it',
  async ({ system, name, file }) => {
    const expected: Expected = jsonAt(join(FOLDER, system, `${stemOf(name)}.expected.json`));
    const written = `${stemOf(file)}.mapping.json`;
    const given = existsSync(written) ? { mapping: jsonAt(written) } : {};
    const { endState, survey, dry, real } = await importedAs(file, { ...given, ...expected });
    expect(endState).toEqual(expected.end);
    expect(dry.summary).toEqual(real.summary);
    const { rejected = 0, left_out = 0, skipped = survey.skipped } = expected;
    expect([real.summary.rejected, leftOutRows(survey), survey.skipped]).toEqual([rejected, left_out, skipped]);
  },
);
