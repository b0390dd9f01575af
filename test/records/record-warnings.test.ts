import { describe, expect, it } from 'vitest';
import { derivedPct } from '../../functions/records/evaluate.ts';
import { inCourse, NATIVE, plan, record, stored, warningsOf } from './fixtures.ts';

const viewed = (...ids: number[]) => ids.map((platform_class_id) => ({ platform_class_id }));
const DERIVED = 'completion_pct_derived progress.completion_pct';
const ADJUSTED = 'completion_pct_adjusted progress.completion_pct';
const ASSUMED = 'completion_pct_assumed progress.completion_pct';
const IGNORED = 'assessment_ignored assessment';
const FOREIGN = 'class_not_in_course progress.classes';
const TWICE = 'duplicate_class_id progress.classes';
const KEPT = 'native_progress_kept progress';
const UNKNOWN = 'unknown_field_ignored';

type Row = [reason: string, members: object, completion_pct: number, ...warnings: string[]];
const table = (rows: Row[]) =>
  it.each(rows.map(([reason, members, pct, ...warnings]) => ({ reason, members, pct, warnings })))('$reason', (row) => {
    const planned = plan(record(row.members));
    expect(planned.result.errors).toEqual([]);
    expect(planned.result.progress?.completion_pct).toBe(row.pct);
    expect(warningsOf(planned)).toEqual(row.warnings);
  });

describe('completion_pct', () => {
  const classes = viewed(1001, 1002);
  const passed = { assessment: { status: 'passed' } };
  table([
    ['the value sent', { progress: { completion_pct: 33.3 } }, 33.3],
    [
      'an explicit value below 100 stays as sent though the exam is passed',
      { progress: { completion_pct: 80 }, ...passed },
      80,
    ],
    ['100 for a passed exam', { progress: null, ...passed }, 100, ASSUMED],
    ['100 for a passed exam, with an empty progress block', { progress: {}, ...passed }, 100, ASSUMED],
    ['100 for a passed exam, also when classes are sent', { progress: { classes }, ...passed }, 100, ASSUMED],
    ['derived from the class count', { progress: { classes } }, 66.67, DERIVED],
    ['derived where the exam is failed', { progress: { classes }, assessment: { status: 'failed' } }, 66.67, DERIVED],
    ['no class viewed derives 0', { progress: { classes: [] } }, 0, DERIVED],
    ['foreign classes derive nothing', { progress: { classes: viewed(5) } }, 0, DERIVED, FOREIGN],
    ['a course without classes derives 0', { ...inCourse(103), progress: { classes: viewed(5) } }, 0, DERIVED, FOREIGN],
    ['classes imply more than was sent', { progress: { completion_pct: 50, classes } }, 66.67, ADJUSTED],
    ['classes imply less than was sent', { progress: { completion_pct: 90, classes } }, 90],
    ['classes imply what was sent', { progress: { completion_pct: 66.67, classes } }, 66.67],
    ['without an exam the assessment is ignored', { ...inCourse(102), ...passed }, 50, IGNORED],
    ['ignored whatever its status', { ...inCourse(102), assessment: { status: 'not_taken' } }, 50, IGNORED],
    ['ignored even if empty', { ...inCourse(102), assessment: {} }, 50, IGNORED],
    ['an assessment that is null was not sent', { ...inCourse(102), assessment: null }, 50],
    ['ignored, the classes count', { ...inCourse(102), progress: { classes }, ...passed }, 66.67, IGNORED, DERIVED],
  ]);

  it.each([
    [1, 3, 33.33],
    [2, 3, 66.67],
    [1, 6, 16.67],
    [1, 800, 0.13],
    [3, 800, 0.38],
    [1, 1, 100],
    [0, 0, 0],
    [7, 7, 100],
  ])('%i of %i classes derive %f, rounded half up', (count, all, pct) => {
    expect(derivedPct(count, all)).toBe(pct);
  });
});

describe('classes', () => {
  table([
    ['a class listed twice counts once', { progress: { classes: viewed(1001, 1001) } }, 33.33, DERIVED, TWICE],
    [
      'a foreign class listed twice gives both warnings',
      { progress: { classes: viewed(5, 5, 1001) } },
      33.33,
      DERIVED,
      FOREIGN,
      TWICE,
    ],
  ]);

  it('a class listed twice counts by its first entry', () => {
    const classes = [
      { platform_class_id: 1001, viewed_at: '2024-05-01' },
      { platform_class_id: 1001, viewed_at: '2024-01-01' },
    ];
    const { write } = plan(record({ progress: { completion_pct: 50, classes } }));
    expect(write?.contribution.classes).toEqual([{ platform_class_id: 1001, viewed_at: '2024-05-01T00:00:00.000Z' }]);
  });

  it('a first entry without a date keeps a later one with a date out', () => {
    const classes = [{ platform_class_id: 1001 }, { platform_class_id: 1001, viewed_at: '2024-01-01' }];
    expect(plan(record({ progress: { completion_pct: 50, classes } })).write?.contribution.defaulted_classes).toEqual([
      1001,
    ]);
  });

  it('a foreign class listed twice is named once', () => {
    const { warnings } = plan(record({ progress: { completion_pct: 50, classes: viewed(77, 77) } })).result;
    for (const { message } of warnings) expect(message.match(/77/g)).toHaveLength(1);
  });

  it('one warning names all the classes concerned: the first 10, the rest counted', () => {
    const foreign = Array.from({ length: 14 }, (_, position) => 10 + position);
    const [warning] = plan(record({ progress: { completion_pct: 50, classes: viewed(...foreign) } })).result.warnings;
    expect(warning?.message).toContain('19 and 4 more');
    expect(warning?.message).not.toContain('20');
  });
});

describe('unknown members', () => {
  it.each([
    ['of the record', { note: 1 }, 'note'],
    ['of a block', { user: { email: 'ana@acme.test', name: 'Ana' } }, 'user.name'],
    ['of content', { content: { type: 'course', platform_course_id: 101, title: 'x' } }, 'content.title'],
    ['of progress', { progress: { completion_pct: 5, pct: 5 } }, 'progress.pct'],
    [
      'of a class',
      { progress: { completion_pct: 50, classes: [{ platform_class_id: 1001, seen: 1 }] } },
      'progress.classes.0.seen',
    ],
    ['of the assessment', { assessment: { score: 1 } }, 'assessment.score'],
    ['in a hostile name', JSON.parse('{"__proto__":{"completion_pct":100}}') as object, '__proto__'],
    ['named like what every object has', { toString: 1 }, 'toString'],
  ])('%s are ignored with a warning', (_reason, members, field) => {
    const raw = Object.hasOwn(members, '__proto__')
      ? Object.defineProperty(record(), '__proto__', { value: 1, enumerable: true })
      : record(members);
    const planned = plan(raw);
    expect(planned.result.status).toBe('success');
    expect(warningsOf(planned)).toEqual([`${UNKNOWN} ${field}`]);
  });

  it('share one warning that names them all', () => {
    const [warning] = plan(record({ a: 1, b: 2, c: null })).result.warnings;
    expect(warning).toMatchObject({ warning_code: UNKNOWN, field: 'a' });
    expect(warning?.message).toMatch(/a, b\.$/);
  });

  it('are named at no more than 64 characters each, well-formed', () => {
    const [warning] = plan(record({ ['😀'.repeat(100)]: 1, ['\ud83d']: 2 })).result.warnings;
    expect(warning?.field).toBe(`${'😀'.repeat(64)}…`);
    expect(warning?.message.isWellFormed()).toBe(true);
  });
});

describe('native_progress_kept is warned where organic progress stands above what the record speaks of', () => {
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
    ['an empty list of classes speaks of classes', NATIVE, { progress: { completion_pct: 90, classes: [] } }, [KEPT]],
    ['classes it is silent about', NATIVE, { progress: { completion_pct: 90 } }, []],
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
      'a certification it has as well',
      certified,
      { progress: { completion_pct: 90 }, assessment: { status: 'passed' } },
      [],
    ],
    ['a certification it is silent about', certified, { progress: { completion_pct: 90 } }, []],
    [
      'several dimensions share one warning',
      certified,
      { progress: { classes: viewed(1002) }, assessment: { status: 'failed' } },
      [DERIVED, KEPT],
    ],
  ])('%s', (_reason, native, members, warnings) => {
    expect(warningsOf(plan(record(members), stored({ native })))).toEqual(warnings);
  });

  it('never for an earlier import: only for organic progress', () => {
    const { contribution } =
      plan(record({ external_record_id: 'other', progress: { completion_pct: 90 } }), undefined, {
        import_id: 'earlier',
      }).write ?? {};
    const planned = plan(record(), stored({ contributions: contribution ? [contribution] : [] }));
    expect(planned.result.progress?.completion_pct).toBe(90);
    expect(warningsOf(planned)).toEqual([]);
  });
});
