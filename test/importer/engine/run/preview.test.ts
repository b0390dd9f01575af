/** What a dry run shows: the counts, and rows beside what they become. Costs milliseconds. */
import { expect, it } from 'vitest';
import { PreviewBuilder, Samples } from '../../../../bin/importer/engine/run/preview.ts';

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

const CREATED = '2026-01-01T00:00:00.000Z';

const NO_DATES = { started_at: null, last_activity_at: null, completed_at: null, certified_at: null };

/** An import of a record for each percentage, of the learner of that number in the course. */
const ended = (platform_course_id: number, percentages: readonly number[], dates: Partial<Record<string, string>>) => ({
  created_at: CREATED,
  records: percentages.map((completion_pct, user_id) => {
    const approved_course = completion_pct === 100 ? 1 : 0;
    const own = { user_id, platform_course_id, completion_pct, approved_course, ...NO_DATES, ...dates };
    return { external_record_id: `${platform_course_id}-${user_id}`, progress: own } as never;
  }),
});

it('what would be written is counted alike, in whichever order the imports end', () => {
  const imports = [
    ended(101, [100, 0], { completed_at: '2024-01-02T00:00:00.000Z', last_activity_at: CREATED }),
    ended(103, [50, 100, 100], { completed_at: '2021-01-02T00:00:00.000Z' }),
    ended(102, [40, 100], { started_at: CREATED, last_activity_at: '2025-01-02T00:00:00.000Z' }),
  ];
  const shown = [imports, imports.toReversed()].map((order) => {
    const preview = new PreviewBuilder(0);
    for (const each of order) preview.addResults(each);
    return JSON.stringify(preview.preview([], { count: 0, zone: 'UTC' }));
  });
  expect(shown[1]).toBe(shown[0]);
  expect(JSON.parse(shown[0] ?? '')).toMatchObject({
    learners: 3,
    courses: [
      { platform_course_id: 103, records: 3, completed: 2, certified: 2 },
      { platform_course_id: 101, records: 2, completed: 1, certified: 1 },
      { platform_course_id: 102, records: 2, completed: 1, certified: 1 },
    ],
    completed: 4,
    in_progress: 2,
    not_started: 1,
    certified: 4,
    dates: { completed_at: { from: '2021-01-02T00:00:00.000Z', to: '2024-01-02T00:00:00.000Z' } },
    dated_today: { started_at: 2, last_activity_at: 2 },
  });
});
