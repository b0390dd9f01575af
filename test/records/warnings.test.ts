/** Warnings: organic progress and an earlier version that are kept, and dates. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../functions/shared/model.ts';
import { NATIVE, plan, record, stored, warningsOf, inCourse, contributed } from './fixtures.ts';

const KEPT = 'native_progress_kept progress';

const DERIVED = 'completion_pct_derived progress.completion_pct';

const viewed = (...ids: number[]) => ids.map((platform_class_id) => ({ platform_class_id }));

describe('native_progress_kept', () => {
  const MOST = { completion_pct: 90 };
  const certified = { ...NATIVE, approved_course: 1 as const, certified_at: '2025-02-01T00:00:00.000Z' };
  it.each<[string, Progress, object, object | undefined, string[]]>([
    ['a higher percentage', NATIVE, { completion_pct: 39 }, undefined, [KEPT]],
    ['an equal percentage', NATIVE, { completion_pct: 40 }, undefined, []],
    ['a higher percentage than derived', NATIVE, { classes: viewed(1001) }, undefined, [DERIVED, KEPT]],
    ['a viewed class that its classes lack', NATIVE, { ...MOST, classes: viewed(1002) }, undefined, [KEPT]],
    ['a viewed class, if its list of classes is empty', NATIVE, { ...MOST, classes: [] }, undefined, [KEPT]],
    ['no class beyond those it lists', NATIVE, { ...MOST, classes: viewed(1001) }, undefined, []],
    ['no certification that it contradicts', NATIVE, MOST, { status: 'failed' }, []],
    ['a certification where its exam is failed', certified, MOST, { status: 'failed' }, [KEPT]],
    ['a certification where its assessment has no status', certified, MOST, { score_pct: 3 }, [KEPT]],
    ['a certification that it has as well', certified, MOST, { status: 'passed' }, []],
    ['a certification, if it has no assessment', certified, MOST, undefined, []],
  ])(
    'native_progress_kept warns if organic progress is above the record in a dimension of the record: %s',
    (_reason, native, progress, assessment, warnings) => {
      const warned = warningsOf(plan(record({ progress, assessment }), stored({ native })));
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

// The import is of 2026-01-02T03:04:05.678Z.
const [LATEST, LATER] = ['2026-01-03T03:04:05.678Z', '2026-01-03T03:04:05.679Z'];

const [EARLIEST, EARLIER] = ['1970-01-01', '1969-12-31T23:59:59.999Z'];

const passedAt = (taken_at: string, status = 'passed') => ({ assessment: { status, taken_at } });

const viewedAt = (viewed_at: string, platform_class_id = 1001) => ({ classes: [{ platform_class_id, viewed_at }] });

const dateWarnings = (progress: object, members: object = {}) =>
  plan(record({ progress: { completion_pct: 50, ...progress }, ...members })).result.warnings.filter(
    ({ warning_code }) => warning_code === 'date_implausible',
  );

it.each([
  ['progress.started_at', (at: string) => dateWarnings({ started_at: at })],
  ['progress.last_activity_at', (at: string) => dateWarnings({ last_activity_at: at })],
  ['progress.completed_at', (at: string) => dateWarnings({ completed_at: at })],
  ['assessment.taken_at', (at: string) => dateWarnings({}, passedAt(at))],
  ['progress.classes.0.viewed_at', (at: string) => dateWarnings(viewedAt(at))],
])('a date before 1970, or more than a day after the import, is implausible: %s', (field, warned) => {
  expect([LATEST, EARLIEST].flatMap(warned)).toEqual([]);
  expect([LATER, EARLIER].flatMap(warned).map((warning) => warning.field)).toEqual([field, field]);
});

it.each([
  ['the completion', (at: string) => dateWarnings({ started_at: '2024-05-01', completed_at: at })],
  ['the last activity', (at: string) => dateWarnings({ started_at: '2024-05-01', last_activity_at: at })],
  ['the certification', (at: string) => dateWarnings({ started_at: '2024-05-01' }, passedAt(at))],
])('a start after %s is implausible', (_, warned) => {
  expect(warned('2024-05-01')).toEqual([]);
  expect(warned('2024-04-30T23:59:59.999Z').map((warning) => warning.field)).toEqual(['progress.started_at']);
});

it.each([
  ['of an exam that was not passed, before the start', { started_at: '2024-05-01' }, passedAt('2023-01-01', 'failed')],
  ['of an exam that was not passed, in the future', {}, passedAt('2099-01-01', 'failed')],
  ['of an assessment that is ignored', {}, { ...inCourse(102), ...passedAt('2099-01-01') }],
  ['of a class that is not of the course', viewedAt('2099-01-01', 5), {}],
  ['that are not sent', { completed_at: '2019-01-01' }, {}],
])('dates do not count: %s', (_, progress, members) => {
  expect(dateWarnings(progress, members)).toEqual([]);
});

it('one warning names every date and why', () => {
  const dates = { started_at: '2031-01-01', completed_at: '1901-01-01' };
  expect(dateWarnings(dates, passedAt('2099-01-01')).map(({ message }) => message)).toEqual([
    'More than a day after this import: progress.started_at 2031-01-01T00:00:00.000Z, assessment.taken_at 2099-01-01T00:00:00.000Z. ' +
      'Before 1970: progress.completed_at 1901-01-01T00:00:00.000Z. ' +
      'After progress.completed_at 1901-01-01T00:00:00.000Z: progress.started_at 2031-01-01T00:00:00.000Z. ' +
      'Correct it and send the record with replace.',
  ]);
});

it.each([
  ['a completion', { completion_pct: 100 }, {}, ['date_assumed progress.completed_at']],
  [
    'a certification',
    { completion_pct: 50 },
    { assessment: { status: 'passed' } },
    ['date_assumed assessment.taken_at'],
  ],
  ['no completion', { completion_pct: 99 }, {}, []],
  ['a completion that is sent', { completion_pct: 100, completed_at: '2024-01-01' }, {}, []],
  ['a completion that is null', { completion_pct: 100, completed_at: null }, {}, []],
])('a date that the import assumed is named: %s', (_, progress, members, warnings) => {
  expect(warningsOf(plan(record({ progress, ...members })))).toEqual(warnings);
});

it('a date that the import assumed for both: one sentence names them', () => {
  const passed = record({ progress: { completion_pct: 100 }, assessment: { status: 'passed' } });
  expect(plan(passed).result.warnings.map(({ message }) => message)).toEqual([
    'progress.completed_at and assessment.taken_at were not sent: completed_at and certified_at are the date of this import.',
  ]);
});

const withoutExam = (id: string, progress: object) =>
  record({ external_record_id: id, ...inCourse(102), progress: { completion_pct: 30, ...progress } });

describe('a date of completion that the united classes give is assumed where it leaves out one that nobody dated', () => {
  const ASSUMED = ['date_assumed progress.completed_at'];
  const SENT = '2020-01-01';
  const entries = (...dates: (string | undefined)[]) => ({
    classes: dates.map((viewed_at, at) => ({ platform_class_id: 1001 + at, viewed_at })),
  });
  const third = (viewed_at?: string) => ({ classes: [{ platform_class_id: 1003, viewed_at }] });
  const native = (viewed_at: string | null) => ({
    ...NATIVE,
    classes: [1001, 1002].map((platform_class_id) => ({ platform_class_id, viewed_at })),
  });
  const sent = native('2020-01-01T00:00:00.000Z');
  it.each<[string, Progress | undefined, object, object, string[]]>([
    ['by this record', undefined, entries(SENT, SENT), third(), ASSUMED],
    ['by an earlier one', undefined, entries(SENT, undefined), third(SENT), ASSUMED],
    ['each of them', undefined, entries(undefined, undefined), third(), ASSUMED],
    ['the platform', native(null), {}, third(SENT), ASSUMED],
    ['none of them', undefined, entries(SENT, SENT), third(SENT), []],
    ['none of those of the platform', sent, {}, third(SENT), []],
    ['and the course is not complete', undefined, entries(SENT), third(), []],
    ['and the completion is known', undefined, { ...entries(SENT, SENT), completed_at: SENT }, third(), []],
  ])('%s', (_, organic, earlier, progress, warnings) => {
    const contributions = [contributed(withoutExam('r-0', earlier))];
    const planned = plan(withoutExam('r-1', progress), stored({ native: organic, contributions }));
    const names = warningsOf(planned).filter((each) => each.startsWith('date_assumed'));
    expect(names).toEqual(warnings);
    const after = stored({
      native: organic,
      contributions: [...contributions, ...(planned.write ? [planned.write.contribution] : [])],
    });
    const again = plan(withoutExam('r-1', progress), after, { import_id: 'later' });
    expect(again.result.outcome).toBe('unchanged');
    expect(warningsOf(again).filter((each) => each.startsWith('date_assumed'))).toEqual(warnings);
  });

  it('the message names the classes', () => {
    const contributions = [contributed(withoutExam('r-0', entries(SENT, undefined)))];
    const { progress, warnings } = plan(withoutExam('r-1', third(SENT)), stored({ contributions })).result;
    expect(progress?.completed_at).toBe('2020-01-01T00:00:00.000Z');
    expect(warnings.map(({ message }) => message)).toContain(
      'progress.completed_at was not sent: completed_at is that of the viewed classes, of which nobody sent the viewed_at of 1002.',
    );
  });
});

it.each([
  ['a lower percentage', { completion_pct: 60 }, {}, true],
  ['a class that is left out', { classes: [{ platform_class_id: 1001 }] }, {}, true],
  [
    'a certification that is left out',
    { completion_pct: 90, completed_at: null },
    { assessment: { status: 'failed' } },
    true,
  ],
  ['a completion that is left out', { completed_at: null }, {}, true],
  ['an earlier last activity', { last_activity_at: '2024-01-01' }, {}, true],
  ['a later start', { started_at: '2023-06-01' }, {}, true],
  ['dates that are left to their defaults', { started_at: undefined, last_activity_at: undefined }, {}, false],
])('a record whose earlier version keeps something says so: %s', (_, progress, members, isKept) => {
  const earlier = {
    completion_pct: 90,
    started_at: '2023-01-01',
    last_activity_at: '2024-06-01',
    completed_at: '2024-06-01',
    classes: [{ platform_class_id: 1001 }, { platform_class_id: 1002 }],
  };
  const assessment = { status: 'passed', taken_at: '2024-06-01' };
  const before = stored({ contributions: [contributed(record({ progress: earlier, assessment }))] });
  const raw = record({ progress: { ...earlier, ...progress }, assessment, ...members });
  const kept = 'earlier_record_kept external_record_id';
  expect(warningsOf(plan(raw, before)).includes(kept)).toBe(isKept);
  expect(warningsOf(plan(raw, before, { replace: true }))).not.toContain(kept);
});

it('no default of an earlier version is kept where the new one sends a date', () => {
  const before = stored({ contributions: [contributed(record({ progress: { completion_pct: 100 } }))] });
  const raw = record({ progress: { completion_pct: 100, completed_at: '2024-06-01', last_activity_at: '2024-06-01' } });
  expect(warningsOf(plan(raw, before))).toEqual([]);
});

it('the warning names what is kept, and how to correct it', () => {
  const earlier = contributed(record({ progress: { completion_pct: 90 } }));
  const before = stored({ contributions: [earlier] });
  const { warnings } = plan(record({ progress: { completion_pct: 40 } }), before).result;
  expect(warnings.map(({ message }) => message)).toEqual([
    'An earlier import of this record is kept: completion_pct 90 instead of 40. To correct it, send the record with "replace": true.',
  ]);
});
