/** The join of progress: its laws, and the joined dates. Costs a second. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveProgress, joinStates, stateOf, nativeState } from '../../functions/records/merge.ts';
import type { ProgressState } from '../../functions/records/merge.ts';
import type { Contribution, Progress } from '../../functions/shared/model.ts';
import { contribution, native } from './arbitraries.ts';
import { contributed, NATIVE, NO_PROGRESS, record } from './fixtures.ts';

const state: fc.Arbitrary<ProgressState> = fc.oneof(native.map(nativeState), contribution.map(stateOf));
const JAN = '2024-01-01T00:00:00.000Z';
const FEB = '2024-02-01T00:00:00.000Z';
const MAR = '2024-03-01T00:00:00.000Z';

const from = (progress: object, imported_at = MAR): Contribution =>
  contributed(record({ progress: { completion_pct: 50, ...progress } }), { imported_at });
const sent = (dates: object): Contribution => from(dates);
const organic = (members: Partial<Progress>): Progress => ({ ...NO_PROGRESS, ...members });
const certified = (taken_at: string | null, imported_at = MAR) =>
  contributed(record({ assessment: { status: 'passed', taken_at } }), { imported_at });

describe('the join', () => {
  it('the join is commutative', () => {
    fc.assert(
      fc.property(state, state, (a, b) => {
        expect(joinStates(a, b)).toEqual(joinStates(b, a));
      }),
    );
  });

  it('the join is associative', () => {
    fc.assert(
      fc.property(state, state, state, (a, b, c) => {
        expect(joinStates(joinStates(a, b), c)).toEqual(joinStates(a, joinStates(b, c)));
      }),
    );
  });

  it('the join is idempotent', () => {
    fc.assert(
      fc.property(state, (a) => {
        expect(joinStates(a, a)).toEqual(a);
      }),
    );
  });

  it('neither order nor repetition of contributions changes effective progress', () => {
    fc.assert(
      fc.property(
        fc.option(native),
        fc.array(contribution, { maxLength: 5 }),
        fc.nat(),
        (organicProgress, all, seed) => {
          const repeated = [...all, ...all].toSorted(
            (a, b) => ((a.completion_pct * 7 + seed) % 5) - ((b.completion_pct * 7 + seed) % 5),
          );
          expect(effectiveProgress(organicProgress, repeated.toReversed())).toEqual(
            effectiveProgress(organicProgress, all),
          );
        },
      ),
    );
  });

  it('effective progress is never below any of its parts', () => {
    fc.assert(
      fc.property(native, fc.array(contribution, { minLength: 1, maxLength: 4 }), (organicProgress, all) => {
        const effective = effectiveProgress(organicProgress, all);
        const ids = new Set(effective?.classes.map((view) => view.platform_class_id));
        for (const one of [organicProgress, ...all]) {
          expect(effective?.completion_pct).toBeGreaterThanOrEqual(one.completion_pct);
          expect(effective?.approved_course).toBeGreaterThanOrEqual(one.approved_course);
          expect(one.classes.every((view) => ids.has(view.platform_class_id))).toBe(true);
        }
      }),
    );
  });
});

const view = (viewed_at?: string) => ({ classes: [{ platform_class_id: 1001, viewed_at }] });
const firstView = (...all: Contribution[]) => effectiveProgress(null, all)?.classes[0]?.viewed_at;

describe('dates', () => {
  it('joined dates are the earliest started_at, the latest last_activity_at and the earliest completed_at', () => {
    const early = sent({ started_at: JAN, last_activity_at: JAN, completed_at: JAN });
    const late = sent({ started_at: FEB, last_activity_at: FEB, completed_at: FEB });
    expect(effectiveProgress(null, [late, early])).toMatchObject({
      started_at: JAN,
      last_activity_at: FEB,
      completed_at: JAN,
    });
  });

  it('a default never beats a date that was sent', () => {
    const undated = from({ completion_pct: 100 }, JAN);
    const dated = from({ completion_pct: 100, started_at: FEB, last_activity_at: FEB, completed_at: FEB }, FEB);
    const later = from({ completion_pct: 100 }, MAR);
    expect(effectiveProgress(null, [undated, dated, later])).toMatchObject({
      started_at: FEB,
      last_activity_at: FEB,
      completed_at: FEB,
    });
  });

  it('a default never beats a date that the platform recorded', () => {
    const organicProgress = organic({ started_at: FEB, last_activity_at: FEB, completed_at: MAR });
    expect(effectiveProgress(organicProgress, [from({ completion_pct: 100 }, JAN)])).toMatchObject({
      started_at: FEB,
      last_activity_at: FEB,
      completed_at: MAR,
    });
  });

  it('defaults are joined alike where no date was sent', () => {
    const both = effectiveProgress(organic({}), [from({}, FEB), from({}, JAN)]);
    expect(both).toMatchObject({ started_at: JAN, last_activity_at: FEB, completed_at: null });
  });

  it('a class view has the earliest viewed_at that was sent, else the earliest default', () => {
    expect(firstView(from(view(MAR)), from(view(FEB)), from(view(), JAN))).toBe(FEB);
    expect(firstView(from(view(), FEB), from(view(), JAN))).toBe(JAN);
  });

  it('a date that the platform does not know is filled in', () => {
    const organicProgress = organic({ classes: [{ platform_class_id: 1001, viewed_at: null }] });
    expect(effectiveProgress(organicProgress, [from(view(FEB))])?.classes).toEqual([
      { platform_class_id: 1001, viewed_at: FEB },
    ]);
  });

  it('the certification has the earliest date that was sent', () => {
    const all = [certified(MAR), certified(FEB), certified(null, JAN)];
    expect(effectiveProgress(null, all)).toMatchObject({ approved_course: 1, certified_at: FEB });
  });

  it('a certification date counts only where there is a certification', () => {
    expect(effectiveProgress(organic({ certified_at: JAN }), [certified(FEB)])?.certified_at).toBe(FEB);
  });
});

it('the join of nothing is nothing', () => {
  expect(effectiveProgress(null, [])).toBeNull();
});

it('organic progress alone is effective unchanged', () => {
  expect(effectiveProgress(NATIVE, [])).toEqual(NATIVE);
});

it('joined classes are the union, ordered by id', () => {
  const one = from({ classes: [{ platform_class_id: 1003 }, { platform_class_id: 1002 }] });
  expect(effectiveProgress(NATIVE, [one])?.classes.map((view) => view.platform_class_id)).toEqual([1001, 1002, 1003]);
});
