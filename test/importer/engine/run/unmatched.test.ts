/** No row of a file is lost: each is counted, and rows of retired courses and leavers are kept. Costs seconds. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeRejectedRows } from '../../../../bin/importer/command/files/rejected-file.ts';
import { displayOn } from '../../../../bin/importer/command/progress.ts';
import { failingChunks } from '../../../../bin/importer/engine/run/import-run.ts';
import { leftOutRows, skippedOf } from '../../../../bin/importer/engine/run/survey.ts';
import { UnmatchedTally } from '../../../../bin/importer/engine/run/unmatched.ts';
import { fileOf, freshFolder } from '../../command/support/files.ts';
import { setOf } from '../../command/support/runs.ts';
import { createPlatform, type Platform, runFiles } from '../../command/support/platform.ts';
import { cases, FIRST_SEED } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await createPlatform();
});

const display = displayOn({ write: () => true });

const SHAPES: Readonly<Record<string, object>> = {
  'a record a row': {},
  'with rows that are skipped': { skip: [{ column: 'Type', is: ['Video', 'Total*'] }] },
  'with joined rows': { group_by: ['Mail', 'Course'], skip: [{ column: 'Type', is: ['Video'] }] },
};

const LEARNERS = ['ben.castillo', 'grace.mensah', 'left.long-ago', 'hana.suzuki'];

function fileFor(shape: object, name: string, dice: Dice): { file: string; rows: number } {
  const rows = 1 + dice.below(60);
  const lines = Array.from({ length: rows }, () => {
    const [mail, course] = [`${dice.pick(LEARNERS)}@acme.test`, dice.pick(['101', '102', '999', 'retired'])];
    return [mail, course, dice.pick(['', '0', '40', '100', '120']), dice.pick(['Course', 'Course', 'Video'])].join(',');
  });
  // A file of nothing but skipped rows is refused.
  lines[0] = 'ben.castillo@acme.test,101,40,Course';
  const file = fileOf(['Mail,Course,Done,Type', ...lines].join('\n'), `${name}.csv`);
  const record = {
    external_record_id: { template: '{:file}/{Mail}/{Course}' },
    'user.email': 'Mail',
    'content.platform_course_id': { column: 'Course', values: { retired: null } },
    'content.external_course_id': { column: 'Course', values: { 101: null, 102: null, 999: null } },
  };
  const confirmed = [
    { values: { Done: 'between' }, outcome: 'in_progress', percent: 'Done' },
    { values: { Done: '0' }, outcome: 'leave_out', reason: 'not started' },
    { values: { Done: '100' }, outcome: 'completed', date: ':import day' },
  ];
  const kinds = { columns: { Done: { read: 'percent' } }, confirmed };
  writeFileSync(file.replace('.csv', '.mapping.json'), JSON.stringify({ ...shape, record, kinds }));
  return { file, rows };
}

it.each(Object.entries(SHAPES))(
  'each row of a file is applied, updated, unchanged, rejected or skipped: %s',
  async (name, shape) => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(60, 2); seed += 1) {
      const dice = new Dice(seed, name.length);
      const { file, rows } = fileFor(shape, `${name.length}-${seed}`, dice);
      const set = await setOf(file);
      const { survey, dry, real } = await runFiles(platform, [file]);
      expect(survey.rows + survey.skipped + leftOutRows(survey), `seed ${seed}`).toBe(rows);
      for (const { summary } of [dry, real]) {
        const { applied, updated, unchanged, rejected } = summary;
        expect(applied + updated + unchanged + rejected, `seed ${seed}`).toBe(summary.rows);
        const records = set.isGrouped ? survey.records + survey.repeats + survey.unconfirmed : rows;
        expect(summary.rows + skippedOf(set, survey), `seed ${seed}`).toBe(records);
      }
    }
  },
);

describe('retired courses and leavers', () => {
  const CSV = [
    'external_record_id,user.email,content.platform_course_id,content.external_course_id,progress.completion_pct,progress.completed_at',
    'u-1,ben.castillo@acme.test,,OLD-1,100,2015-03-01',
    'u-2,Left@acme.test,,OLD-1,100,2019-11-30',
    'u-3,left@acme.test,101,,100,2018-05-05',
    'u-4,grace.mensah@acme.test,101,,120,2020-01-01',
    'u-5,grace.mensah@acme.test,102,,50,',
  ].join('\n');

  async function written(file: string) {
    const { real } = await runFiles(platform, [file]);
    return writeRejectedRows(await setOf(file), failingChunks(real.chunks), platform.client, {}, display);
  }

  it('they are summed up by course and by learner, with counts and dates', async () => {
    const { sums } = await written(fileOf(CSV));
    expect(sums.rows).toBe(3);
    expect(sums.courses).toEqual([
      { name: 'OLD-1', reason: 'external_course_id_not_mapped', rows: 2, from: '2015-03-01', to: '2019-11-30' },
    ]);
    expect(sums.learners).toEqual([
      { name: 'left@acme.test', reason: 'user_not_found', rows: 2, from: '2018-05-05', to: '2019-11-30' },
    ]);
  });

  it('the file of rejected rows has them, and a later import accepts it as it is', async () => {
    const file = join(freshFolder(), 'history.csv');
    writeFileSync(file, CSV.replaceAll('u-', 'v-').replaceAll('OLD-1', 'OLD-2'));
    const [path = ''] = (await written(file)).rejected;
    expect(path).toBe(file.replace('.csv', '.rejected.csv'));
    expect(readFileSync(path, 'utf8').match(/^v-[123]/gm)).toEqual(['v-1', 'v-2', 'v-3']);
    await platform.client.registerCourseMappings([{ external_course_id: 'OLD-2', platform_course_id: 103 }]);
    const { real } = await runFiles(platform, [path]);
    expect(real.summary).toMatchObject({ applied: 1 });
  });

  it('a joined record counts with all of its rows, and one with another fault does not', () => {
    const tally = new UnmatchedTally();
    const record = { user: { external_user_id: 'E1' }, content: { platform_course_id: 9 } };
    tally.add({ record, joined: [0, 3, 4] }, [{ error_code: 'course_not_in_catalog' }]);
    tally.add({ record }, [{ error_code: 'missing_progress' }]);
    const nowhere = { reason: 'course_not_in_catalog', from: null, to: null };
    expect(tally.unmatched()).toEqual({ rows: 3, courses: [{ name: '9', rows: 3, ...nowhere }], learners: [] });
  });
});
