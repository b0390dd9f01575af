/** The dry run equals the import, of whole files. Costs some seconds; WHOLE_FILE_RUNS: the number of random files. */
import { createPlatform, importFiles, type Platform, runFiles } from '../command/support/platform.ts';
import * as fc from 'fast-check';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { displayOn } from '../../../bin/importer/command/progress.ts';
import { writeRejectedRows } from '../../../bin/importer/command/files/rejected-file.ts';
import { failingChunks } from '../../../bin/importer/engine/run/import-run.ts';
import { EngineError } from '../../../bin/importer/engine/ground/errors.ts';
import { cases } from '../../kit/at-length.ts';
import { fileOf, freshFolder } from '../command/support/files.ts';
import { HEADER, setOf } from '../command/support/runs.ts';

const LEARNERS = ['ben.castillo', 'chiara.romano', 'dmitri.volkov', 'grace.mensah', 'hana.suzuki', 'nobody'];
const RUNS = Number(process.env['WHOLE_FILE_RUNS'] ?? cases(10, 2));
const MOST_ROWS = cases(5000, 800);

let platform: Platform;

beforeAll(async () => {
  platform = await createPlatform();
});

const row = (id: number | string, learner: number, course: number, pct: number): string =>
  `${id},${LEARNERS[learner % LEARNERS.length]}@acme.test,${101 + (course % 4)},${pct}`;

const csvOf = (rows: readonly string[]): string => fileOf([HEADER, ...rows].join('\n'));

const rows = Array.from({ length: 510 }, (_, i) => row(`a${i}`, i % 5, i, 10));

it('a repeated record is rejected in the dry run and the import alike, whichever upload is first, and the first one counts', async () => {
  const changed = [...rows];
  changed[503] = row('a3', 4, 0, 100);
  changed[509] = row('a3', 2, 1, 100);
  const file = csvOf(changed);
  const set = await setOf(file);
  const { dry, real, survey } = await importFiles(platform, [file], {}, 4);
  expect(dry.summary).toEqual(real.summary);
  expect(real.summary).toMatchObject({ rows: 510, applied: 508, rejected: 2 });
  expect(survey.firstRepeat?.first).toEqual({ file, line: 5 });
  const {
    rejected: [path = ''],
  } = await writeRejectedRows(
    set,
    failingChunks(real.chunks),
    platform.client,
    { rejected: join(freshFolder(), 'out.csv') },
    displayOn({ write: () => true }),
  );
  expect(readFileSync(path, 'utf8').split('\n').slice(1, 3)).toEqual([
    `a3,hana.suzuki@acme.test,101,100,duplicate_external_record_id,"line 505: external_record_id ""a3"" occurs before, in ${file} on line 5; only that record is imported"`,
    `a3,dmitri.volkov@acme.test,102,100,duplicate_external_record_id,"line 511: external_record_id ""a3"" occurs before, in ${file} on line 5; only that record is imported"`,
  ]);
});

it('a batch of other records is refused before a row of it is written', async () => {
  const file = csvOf([row('s-0', 5, 0, 10), row('s-1', 5, 1, 10)]);
  const { real } = await importFiles(platform, [file]);
  const changed = csvOf([row('s-0', 5, 0, 10), row('s-2', 5, 1, 10)]);
  const set = await setOf(changed);
  const folder = freshFolder();
  const target = { rejected: join(folder, 'out.csv') };
  const display = displayOn({ write: () => true });
  await expect(writeRejectedRows(set, failingChunks(real.chunks), platform.client, target, display)).rejects.toThrow(
    EngineError,
  );
  expect(readdirSync(folder)).toEqual([]);
});

it(`the dry run equals the import, for ${RUNS} random files`, async () => {
  const rows = fc.array(
    fc.record({ id: fc.nat(5000), learner: fc.nat(5), course: fc.nat(3), pct: fc.integer({ min: -1, max: 101 }) }),
    { minLength: 1, maxLength: MOST_ROWS, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 5001 }),
      async (some, parallel, ids) => {
        const file = csvOf(some.map(({ id, learner, course, pct }) => row(id % ids, learner, course, pct)));
        const { dry, real } = await runFiles(await createPlatform(), [file], {}, parallel);
        expect(dry.summary).toEqual(real.summary);
        expect(real.summary.rows).toBe(some.length);
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 7_200_000);

it('the files of a run have one mapping, and each its name', async () => {
  const folder = freshFolder();
  const mapping = join(folder, 'm.mapping.json');
  writeFileSync(
    mapping,
    JSON.stringify({
      record: {
        external_record_id: { template: '{:file}/{Email}' },
        'user.email': 'Email',
        'content.platform_course_id': { column: ':file', values: { security: 101, welcome: 103 } },
      },
      kinds: {
        columns: { Done: { read: 'percent' } },
        confirmed: [{ values: { Done: 'between' }, outcome: 'in_progress', percent: 'Done' }],
      },
    }),
  );
  const files = ['security', 'welcome'].map((name) => join(folder, `${name}.csv`));
  for (const file of files) writeFileSync(file, 'Email,Done\nlena.bauer@acme.test,40\n');
  const { endState } = await importFiles(platform, files, { mapping });
  expect(Object.keys(endState)).toEqual(['lena.bauer 101', 'lena.bauer 103']);
});
