/**
 * Exports of many systems as they come, in several languages, encodings and states of disorder, imported with the mapping that
 * `init-mapping` drafts. The expected progress of each learner is written by hand beside each file. Costs about ten seconds.
 */
import { createPlatform, importFiles } from '../support/platform.ts';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initMapping, type InitMappingOptions } from '../../../../bin/importer/command/commands/init-mapping.ts';
import { freshFolder } from '../support/files.ts';

interface Expected {
  readonly options: InitMappingOptions & { readonly set?: readonly string[] };
  /** Why the draft is not enough, and the mapping that is. */
  readonly hand?: string;
  readonly mapping?: object;
  readonly rejected?: number;
  readonly skipped?: number;
  readonly without_progress?: number;
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

const SILENT = { json: true, interactive: false, result: () => {}, jsonResult: () => {}, note: () => {} };
const LEARNERS = ['ben.castillo', 'chiara.romano', 'grace.mensah', 'hana.suzuki', 'lena.bauer'];
const COURSES: Readonly<Record<string, number>> = {
  'SEC-1': 101,
  'DAT-2': 102,
  'WEL-3': 103,
  'Information Security Essentials': 101,
  'https://lms.acme.test/courses/security': 101,
  'https://lms.acme.test/courses/welcome': 103,
};

/** The ids that the exports name, registered as `map-users` and `map-courses` do. */
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

async function importedAs(file: string, { options, mapping }: Expected) {
  const copy = join(freshFolder(), basename(file));
  copyFileSync(file, copy);
  const { set, ...draft } = options;
  if (mapping === undefined) await initMapping(copy, draft, SILENT);
  else writeFileSync(copy.replace(/\.[^.]*$/, '.mapping.json'), JSON.stringify(mapping));
  return importFiles(await registeredPlatform(), [copy], {
    mapping: copy.replace(/\.[^.]*$/, '.mapping.json'),
    ...(set === undefined ? {} : { set }),
  });
}

describe('exports', () => {
  it.each(exported)('the export of $system, $name, ends as a person reads it', async ({ file }) => {
    const expected = expectedOf(file);
    const { endState, survey, dry, real } = await importedAs(file, expected);
    expect(endState).toEqual(expected.end);
    expect(dry.summary).toEqual(real.summary);
    expect({
      rejected: real.summary.rejected,
      skipped: survey.skipped,
      without_progress: survey.withoutProgress,
    }).toEqual({
      rejected: expected.rejected ?? 0,
      skipped: expected.skipped ?? 0,
      without_progress: expected.without_progress ?? 0,
    });
  });
});

describe('corpus', () => {
  it('the corpus has at least 14 systems with at least 3 exports each, and 10 of them need no mapping by hand', () => {
    const variants = systems.map((system) => exported.filter((each) => each.system === system));
    expect(variants.filter((some) => some.length >= 3).length).toBeGreaterThanOrEqual(14);
    const drafted = variants.filter((some) => some.every(({ file }) => expectedOf(file).mapping === undefined));
    expect(drafted.length).toBeGreaterThanOrEqual(10);
  });
});
