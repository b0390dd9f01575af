/** The stored contribution of a record: dates, certification, classes, hash of its content. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import type { assessmentBlock, classEntry, contentBlock, progressBlock } from '../../functions/records/schema.ts';
import { contributed, CONTEXT, IMPORTED_AT, inCourse, plan, record } from './fixtures.ts';

const contribution = (members: object) => contributed(record(members), CONTEXT);

it('a contribution has its source, its import and the values sent', () => {
  const all = contribution({
    content: { type: 'course', platform_course_id: 101, external_ref: 'LMS-7 😀' },
    progress: {
      completion_pct: 70,
      started_at: '2024-01-01',
      last_activity_at: '2024-01-03T10:00+02:00',
      completed_at: null,
      classes: [
        { platform_class_id: 1002, viewed_at: '2024-01-02' },
        { platform_class_id: 1001 },
        { platform_class_id: 5 },
      ],
    },
    assessment: { status: 'passed', score_pct: 81.5, taken_at: '2024-01-04T00:00:00Z' },
  });
  expect(all).toEqual({
    source: 'external_migration',
    external_record_id: 'r-1',
    import_id: 'this-import',
    index: 0,
    imported_at: IMPORTED_AT,
    external_ref: 'LMS-7 😀',
    completion_pct: 70,
    score_pct: 81.5,
    assessment_status: 'passed',
    approved_course: 1,
    certified_at: '2024-01-04T00:00:00.000Z',
    started_at: '2024-01-01T00:00:00.000Z',
    last_activity_at: '2024-01-03T08:00:00.000Z',
    completed_at: null,
    classes: [
      { platform_class_id: 1001, viewed_at: IMPORTED_AT },
      { platform_class_id: 1002, viewed_at: '2024-01-02T00:00:00.000Z' },
    ],
    defaulted: [],
    defaulted_classes: [1001],
    content_hash: all.content_hash,
  });
});

const SENT = '2024-01-01T00:00:00.000Z';

describe('defaulted dates', () => {
  it('missing dates default to the date of the import and are marked', () => {
    expect(contribution({ progress: { completion_pct: 50 } })).toMatchObject({
      started_at: IMPORTED_AT,
      last_activity_at: IMPORTED_AT,
      completed_at: null,
      defaulted: ['started_at', 'last_activity_at'],
    });
  });

  const every = [1001, 1002, 1003].map((platform_class_id) => ({ platform_class_id }));
  it.each([
    ['completed at 100 %', { completion_pct: 100 }, IMPORTED_AT],
    ['completed by its classes', { classes: every }, IMPORTED_AT],
    ['not completed below 100 %', { completion_pct: 99.99 }, null],
    ['null stays null, even at 100 %', { completion_pct: 100, completed_at: null }, null],
    ['a date sent stays, even below 100 %', { completion_pct: 10, completed_at: SENT }, SENT],
  ])('completed_at follows from the percentage and the date sent: %s', (_reason, progress, completed_at) => {
    expect(contribution({ progress }).completed_at).toBe(completed_at);
  });
});

describe('certification', () => {
  it.each([
    ['passed: certified when the exam was taken', 101, { status: 'passed', taken_at: SENT }, 1, SENT],
    ['passed without a date: certified at the import', 101, { status: 'passed' }, 1, IMPORTED_AT],
    ['failed: pending', 101, { status: 'failed', taken_at: SENT }, 0, null],
    ['not taken: pending', 101, { status: 'not_taken' }, 0, null],
    ['no exam to pass', 102, { status: 'passed', taken_at: SENT }, 0, null],
  ])('an assessment decides the certification: %s', (_reason, course, assessment, approved_course, certified_at) => {
    expect(contribution({ ...inCourse(course), assessment })).toMatchObject({ approved_course, certified_at });
  });

  it('an ignored assessment is not stored', () => {
    const ignored = contribution({ ...inCourse(102), assessment: { status: 'failed', score_pct: 10 } });
    expect(ignored).toMatchObject({ assessment_status: null, score_pct: null });
  });
});

it('a contribution without class detail has no class views', () => {
  expect(contribution({ progress: { completion_pct: 100 } })).toMatchObject({ classes: [], defaulted_classes: [] });
});

it('a negative zero is zero', () => {
  const zero = contribution({ progress: { completion_pct: -0 }, assessment: { score_pct: -0 } });
  expect(Object.is(zero.completion_pct, 0) && Object.is(zero.score_pct, 0)).toBe(true);
});

type Values<Entries> = { readonly [Member in keyof Entries]: readonly [unknown, unknown] };

const hash = (members: object) => contribution(members).content_hash;

describe('content_hash', () => {
  const progress = {
    completion_pct: 50,
    started_at: '2024-01-01T00:00:00Z',
    classes: [{ platform_class_id: 1001 }, { platform_class_id: 1002 }],
  };

  it.each([
    [
      'by either identifier',
      { progress, user: { external_user_id: 'ext-ana' }, content: { type: 'course', external_course_id: 'ext-101' } },
    ],
    ['in any spelling of a date', { progress: { ...progress, started_at: '2024-01-01T01:00+01:00' } }],
    ['in any order of classes', { progress: { ...progress, classes: progress.classes.toReversed() } }],
    [
      'with a class repeated',
      {
        progress: { ...progress, classes: [...progress.classes, { platform_class_id: 1001, viewed_at: '2024-02-02' }] },
      },
    ],
    ['with null for absent', { progress: { ...progress, last_activity_at: null }, assessment: null }],
    ['with members the interface does not know', { progress: { ...progress, x: 1 }, y: 2 }],
  ])('content is the same %s', (_reason, members) => {
    expect(hash(members)).toBe(hash({ progress }));
  });

  it.each([
    ['completed_at null says something', { progress: { ...progress, completed_at: null } }],
    ['a foreign class', { progress: { ...progress, classes: [...progress.classes, { platform_class_id: 5 }] } }],
    [
      'no classes are not an empty list of classes',
      { progress: { completion_pct: 50, started_at: '2024-01-01', classes: null } },
    ],
  ])('content differs: %s', (_reason, members) => {
    expect(hash(members)).not.toBe(hash({ progress }));
  });

  const COURSE = { type: 'course', platform_course_id: 101 };
  const EXAM = { status: 'failed', score_pct: 1, taken_at: '2024-01-01' };
  const CLASS = { platform_class_id: 1001, viewed_at: '2024-01-01' };
  /** Two values of each member of the schema that is content: a member without them does not compile. */
  const VALUES: {
    readonly content: Values<Omit<typeof contentBlock.entries, 'type' | 'platform_course_id' | 'external_course_id'>>;
    readonly progress: Values<typeof progressBlock.entries>;
    readonly classes: Values<typeof classEntry.entries>;
    readonly assessment: Values<typeof assessmentBlock.entries>;
  } = {
    content: { external_ref: ['', 'a'] },
    progress: {
      completion_pct: [50, 51],
      started_at: ['2024-01-01', '2024-01-02'],
      last_activity_at: ['2024-01-03', '2024-01-04'],
      completed_at: ['2024-01-05', null],
      classes: [[CLASS], []],
    },
    classes: { platform_class_id: [1001, 1002], viewed_at: ['2024-01-01', '2024-01-02'] },
    assessment: { status: ['failed', 'passed'], score_pct: [1, 2], taken_at: ['2024-01-01', '2024-01-02'] },
  };
  const RECORD_WITH: { readonly [Block in keyof typeof VALUES]: (members: object) => object } = {
    content: (members) => ({ content: { ...COURSE, ...members } }),
    progress: (members) => ({ progress: { ...progress, ...members } }),
    classes: (members) => ({ progress: { classes: [{ ...CLASS, ...members }] } }),
    assessment: (members) => ({ assessment: { ...EXAM, ...members } }),
  };
  const blocks = Object.keys(VALUES) as (keyof typeof VALUES)[];
  const members = blocks.flatMap((block) =>
    Object.entries<readonly unknown[]>(VALUES[block]).map(([member, values]) => ({ block, member, values })),
  );

  it.each(members)('another value of $block $member is other content', ({ block, member, values: [value, other] }) => {
    const hashWith = (each: unknown) => hash(RECORD_WITH[block]({ [member]: each }));
    expect(hashWith(other)).not.toBe(hashWith(value));
  });

  it('content is compared as sent: the date of the import does not matter', () => {
    const again = plan(record({ progress }), undefined, { imported_at: '2026-09-09T00:00:00.000Z' }).write
      ?.contribution;
    expect(again?.content_hash).toBe(hash({ progress }));
  });
});
