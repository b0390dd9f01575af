/** When a learner's organic progress is kept with a warning. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { nativeProgressKept } from '../../functions/records/warnings.ts';
import { NATIVE, WITH_EXAM, plan, record, stored, warningsOf } from './fixtures.ts';

const KEPT = 'native_progress_kept progress';
const DERIVED = 'completion_pct_derived progress.completion_pct';
const viewed = (...ids: number[]) => ids.map((platform_class_id) => ({ platform_class_id }));

describe('native_progress_kept', () => {
  const certified = { ...NATIVE, approved_course: 1 as const, certified_at: '2025-02-01T00:00:00.000Z' };
  it.each([
    ['a higher percentage', NATIVE, { progress: { completion_pct: 39 } }, [KEPT]],
    ['an equal percentage', NATIVE, { progress: { completion_pct: 40 } }, []],
    ['a higher percentage than derived', NATIVE, { progress: { classes: viewed(1001) } }, [DERIVED, KEPT]],
    [
      'a viewed class that its classes lack',
      NATIVE,
      { progress: { completion_pct: 90, classes: viewed(1002) } },
      [KEPT],
    ],
    [
      'a viewed class, if its list of classes is empty',
      NATIVE,
      { progress: { completion_pct: 90, classes: [] } },
      [KEPT],
    ],
    ['no class beyond those it lists', NATIVE, { progress: { completion_pct: 90, classes: viewed(1001) } }, []],
    [
      'no certification that it contradicts',
      NATIVE,
      { progress: { completion_pct: 90 }, assessment: { status: 'failed' } },
      [],
    ],
    ['classes, if it lists none', NATIVE, { progress: { completion_pct: 90 } }, []],
    [
      'a certification where its exam is failed',
      certified,
      { progress: { completion_pct: 90 }, assessment: { status: 'failed' } },
      [KEPT],
    ],
    [
      'a certification where its assessment has no status',
      certified,
      { progress: { completion_pct: 90 }, assessment: { score_pct: 3 } },
      [KEPT],
    ],
    [
      'a certification that it has as well',
      certified,
      { progress: { completion_pct: 90 }, assessment: { status: 'passed' } },
      [],
    ],
    ['a certification, if it has no assessment', certified, { progress: { completion_pct: 90 } }, []],
    [
      'several dimensions share one warning',
      certified,
      { progress: { classes: viewed(1002) }, assessment: { status: 'failed' } },
      [DERIVED, KEPT],
    ],
  ])(
    'native_progress_kept warns if organic progress is above the record in a dimension of the record: %s',
    (_reason, native, members, warnings) => {
      const warned = warningsOf(plan(record(members), stored({ native })));
      expect(warned.filter((warning) => !warning.startsWith('date_assumed'))).toEqual(warnings);
    },
  );

  it('the message names each dimension that is kept', () => {
    const raw = record({ progress: { completion_pct: 35, classes: viewed(1002) }, assessment: { status: 'failed' } });
    expect(plan(raw, stored({ native: certified })).result.warnings).toEqual([
      {
        warning_code: 'native_progress_kept',
        message:
          "The learner's higher progress on the platform is kept: " +
          'completion_pct 40 instead of 35; viewed classes 1001; the certification.',
        field: 'progress',
      },
    ]);
  });

  it('the warning is not given for the progress of an earlier import', () => {
    const { contribution } =
      plan(record({ external_record_id: 'other', progress: { completion_pct: 90 } }), undefined, {
        import_id: 'earlier',
      }).write ?? {};
    const planned = plan(record(), stored({ contributions: contribution ? [contribution] : [] }));
    expect(planned.result.progress?.completion_pct).toBe(90);
    expect(warningsOf(planned)).toEqual([]);
  });
});

it('nativeProgressKept: no organic progress → no warning', () => {
  const evaluated = { completion_pct: 0, viewed: undefined, assessment: undefined, warnings: [] };
  expect(nativeProgressKept(null, evaluated, WITH_EXAM)).toEqual([]);
});
