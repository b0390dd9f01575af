/** The join of progress: its laws, and the joined dates. Costs a second. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveProgress, NO_PROGRESS } from '../../functions/records/merge.ts';
import type { Contribution, Course, Progress } from '../../functions/shared/model.ts';
import { contribution, native } from './arbitraries.ts';
import { contributed, NATIVE, record, WITH_EXAM, WITHOUT_CLASSES, WITHOUT_EXAM } from './fixtures.ts';

/** Without a course, so that its classes imply nothing. */
const joined = (organicProgress: Progress | null, all: readonly Contribution[]) =>
  effectiveProgress(organicProgress, all, undefined);
const JAN = '2024-01-01T00:00:00.000Z';
const FEB = '2024-02-01T00:00:00.000Z';
const MAR = '2024-03-01T00:00:00.000Z';

const from = (progress: object, imported_at = MAR): Contribution =>
  contributed(record({ progress: { completion_pct: 50, ...progress } }), { imported_at });
const sent = (dates: object): Contribution => from(dates);
const certified = (taken_at: string | null, imported_at = MAR) =>
  contributed(record({ assessment: { status: 'passed', taken_at } }), { imported_at });

it('effective progress is never below any of its parts', () => {
  fc.assert(
    fc.property(native, fc.array(contribution, { minLength: 1, maxLength: 4 }), (organicProgress, all) => {
      const effective = joined(organicProgress, all);
      const ids = new Set(effective?.classes.map((view) => view.platform_class_id));
      for (const one of [organicProgress, ...all]) {
        expect(effective?.completion_pct).toBeGreaterThanOrEqual(one.completion_pct);
        expect(effective?.approved_course).toBeGreaterThanOrEqual(one.approved_course);
        expect(one.classes.every((view) => ids.has(view.platform_class_id))).toBe(true);
      }
    }),
  );
});

const view = (viewed_at?: string) => ({ classes: [{ platform_class_id: 1001, viewed_at }] });
const firstView = (...all: Contribution[]) => joined(null, all)?.classes[0]?.viewed_at;

describe('dates', () => {
  it('joined dates are the earliest started_at, the latest last_activity_at and the latest completed_at', () => {
    const early = sent({ started_at: JAN, last_activity_at: JAN, completed_at: JAN });
    const late = sent({ started_at: FEB, last_activity_at: FEB, completed_at: FEB });
    expect(joined(null, [late, early])).toMatchObject({
      started_at: JAN,
      last_activity_at: FEB,
      completed_at: FEB,
    });
  });

  it('a default never beats a date that was sent', () => {
    const undated = from({ completion_pct: 100 }, JAN);
    const dated = from({ completion_pct: 100, started_at: FEB, last_activity_at: FEB, completed_at: FEB }, FEB);
    const later = from({ completion_pct: 100 }, MAR);
    expect(joined(null, [undated, dated, later])).toMatchObject({
      started_at: FEB,
      last_activity_at: FEB,
      completed_at: FEB,
    });
  });

  it('a class view has the earliest viewed_at that was sent, else the earliest default', () => {
    expect(firstView(from(view(MAR)), from(view(FEB)), from(view(), JAN))).toBe(FEB);
    expect(firstView(from(view(), FEB), from(view(), JAN))).toBe(JAN);
  });

  it('a certificate that is renewed counts from its last renewal, and a default is no renewal', () => {
    const all = [certified(FEB), certified(JAN), certified(null, MAR)];
    expect(joined(null, all)).toMatchObject({ approved_course: 1, certified_at: FEB });
  });

  it('a certification date counts only where there is a certification', () => {
    expect(joined({ ...NO_PROGRESS, certified_at: JAN }, [certified(FEB)])?.certified_at).toBe(FEB);
  });
});

it('organic progress alone is effective unchanged', () => {
  expect(joined(NATIVE, [])).toEqual(NATIVE);
});

describe('united classes', () => {
  const views = (...ids: number[]) =>
    ids.map((id) => ({ platform_class_id: id, viewed_at: `${id + 1000}-01-01T00:00:00.000Z` }));
  const inCourseWith = (course: Course, ...parts: Partial<Progress>[]) =>
    effectiveProgress(
      null,
      parts.map((part, at) => ({
        ...from({}),
        external_record_id: `${at}`,
        completed_at: null,
        completion_pct: 0,
        ...part,
      })),
      course,
    );

  it.each([
    ['classes of two records imply the percentage of both', WITHOUT_EXAM, [views(1001), views(1002)], 66.67, null],
    [
      'all classes complete a course without exam at the last view',
      WITHOUT_EXAM,
      [views(1001, 1002), views(1003)],
      100,
      '2003',
    ],
    [
      'all classes give 100 % of a course with exam, which they do not complete',
      WITH_EXAM,
      [views(1001, 1002), views(1003)],
      100,
      null,
    ],
    ['classes that the course does not have imply nothing', WITHOUT_EXAM, [views(1001), views(5, 6)], 33.33, null],
    ['a course without classes implies nothing', WITHOUT_CLASSES, [views(1001), views(1002)], 0, null],
  ] as const)('%s', (_, course, parts, completion_pct, year) => {
    const progress = inCourseWith(course, ...parts.map((classes) => ({ classes })));
    expect(progress).toMatchObject({ completion_pct, completed_at: year && `${year}-01-01T00:00:00.000Z` });
  });

  it('a class that is added to the course lowers what the classes imply, and nothing else', () => {
    const more = { ...WITHOUT_EXAM, classes: [...WITHOUT_EXAM.classes, { platform_class_id: 1004, title: '' }] };
    const parts = [
      { classes: views(1001, 1002), completion_pct: 66.67 },
      { classes: views(1003), completion_pct: 80 },
    ];
    expect(inCourseWith(WITHOUT_EXAM, ...parts)?.completion_pct).toBe(100);
    expect(inCourseWith(more, ...parts)?.completion_pct).toBe(80);
  });
});
