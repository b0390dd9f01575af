/** The rows of a dry run beside what they become. Costs milliseconds. */
import { expect, it } from 'vitest';
import { Samples } from '../../../../bin/importer/engine/run/preview.ts';

const progress = (completion_pct: number) => ({ user_id: 7, platform_course_id: 101, completion_pct }) as never;

it('twenty rows from all over the files have what their learners have before and after', () => {
  const samples = new Samples();
  for (let line = 2; line < 1002; line += 1)
    samples.add({ external_record_id: `r-${line}` }, { line, cells: [`r-${line}`, ''] });
  samples.addResults([
    { external_record_id: 'r-2', progress: progress(100), before: null },
    { external_record_id: 'r-34', progress: progress(40) },
    { external_record_id: 'r-66', progress: null },
  ]);
  const list = samples.list();
  expect(list.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, index) => 2 + 32 * index));
  expect(list.slice(0, 4)).toMatchObject([
    { cells: ['r-2', ''], before: null, after: { completion_pct: 100 } },
    { before: { completion_pct: 40 }, after: { completion_pct: 40 } },
    { before: null, after: null },
    { record: { external_record_id: 'r-98' } },
  ]);
  expect(list[3]).not.toHaveProperty('after');
});
