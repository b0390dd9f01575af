/**
 * Exports of many systems, languages and encodings. Beside each file is what a person confirms, and the progress of
 * each learner, written by hand. A quarter of them in `npm test`. Costs seconds.
 */
import { createPlatform, importFiles } from '../support/platform.ts';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { confirmSuggestions, mappingOf, withOutcome } from '../../../../bin/importer/engine/kinds/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/kinds/find.ts';
import type { Choices, ConfirmedKind, Findings } from '../../../../bin/importer/engine/kinds/types.ts';
import { platformOf } from '../../../../bin/importer/engine/match/platform.ts';
import { leftOutRows } from '../../../../bin/importer/engine/run/survey.ts';
import type { SourceOptions } from '../../../../bin/importer/engine/source/open-source.ts';
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
  readonly left_out?: number;
  readonly end: Readonly<Record<string, object>>;
}

const FOLDER = import.meta.dirname;
const systems = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const exported = systems.flatMap((system) =>
  readdirSync(join(FOLDER, system))
    .filter((name) => !name.endsWith('.expected.json'))
    .map((name) => ({ system, name, file: join(FOLDER, system, name) })),
);

const expectedOf = (file: string): Expected =>
  JSON.parse(readFileSync(`${file.replace(/\.[^.]*$/, '')}.expected.json`, 'utf8'));

const LEARNERS = ['ben.castillo', 'chiara.romano', 'grace.mensah', 'hana.suzuki', 'lena.bauer'];
const COURSES: Readonly<Record<string, number>> = {
  'SEC-1': 101,
  'DAT-2': 102,
  'WEL-3': 103,
  'Information Security Essentials': 101,
  'https://lms.acme.test/courses/security': 101,
  'https://lms.acme.test/courses/welcome': 103,
};

async function registeredPlatform() {
  const platform = await createPlatform();
  await platform.client.registerUserMappings(
    LEARNERS.map((name) => ({ external_user_id: name.replace(/^(.).*\./, '$1'), email: `${name}@acme.test` })),
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
  const path = copy.replace(/\.[^.]*$/, '.mapping.json');
  writeFileSync(path, JSON.stringify(mapping ?? mappingOf(confirmed(await find(), confirm))));
  return importFiles(platform, [copy], { mapping: path, ...(set === undefined ? {} : { set }) });
}

describe('exports', () => {
  it.each(someOf(exported, 4))('the export of $system, $name, ends as a person reads it', async ({ file }) => {
    const expected = expectedOf(file);
    const { endState, survey, dry, real } = await importedAs(file, expected);
    expect(endState).toEqual(expected.end);
    expect(dry.summary).toEqual(real.summary);
    expect({ rejected: real.summary.rejected, left_out: leftOutRows(survey) }).toEqual({
      rejected: expected.rejected ?? 0,
      left_out: expected.left_out ?? 0,
    });
  });
});
