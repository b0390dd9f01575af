/** Which records are malformed, and how each problem is reported: codes and fields, in order. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { blockTable, errorTable } from './error-table.ts';
import { plan, record } from './fixtures.ts';

const nestedTooDeep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
const sized = (bytes: number) => record({ note: 'x'.repeat(bytes - JSON.stringify(record({ note: '' })).length) });

describe('a record as a whole', () => {
  errorTable([
    ['a valid record has none', record()],
    ['a string is no record', 'r-1', 'invalid_record'],
    ['null is no record', null, 'invalid_record'],
    ['an array is no record', [record()], 'invalid_record'],
    ['a record of 64 KiB has none', sized(65_536)],
    ['a record of one byte over 64 KiB', sized(65_537), 'invalid_record'],
    ['64 KiB are counted in bytes', record({ note: 'é'.repeat(32_768) }), 'invalid_record'],
    ['a record nested beyond writing', record({ note: nestedTooDeep }), 'invalid_record'],
    ['an empty record', {}, 'invalid_record external_record_id', 'invalid_record user', 'invalid_record content'],
    ['null counts as absent', record({ user: null, content: null }), 'invalid_record user', 'invalid_record content'],
    [
      'blocks that are arrays',
      record({ user: [], content: [], progress: [], assessment: [] }),
      'invalid_record user',
      'invalid_record content',
      'invalid_record progress',
      'invalid_record assessment',
    ],
    [
      'all problems at once',
      record({
        external_record_id: '',
        user: { email: 'nobody@acme.test' },
        content: { type: 'path' },
        progress: { completion_pct: 101, started_at: 'soon' },
        assessment: { status: 'maybe' },
      }),
      'invalid_record external_record_id',
      'unsupported_content_type content.type',
      'invalid_completion_pct progress.completion_pct',
      'invalid_date_format progress.started_at',
      'invalid_record assessment.status',
      'user_not_found user.email',
    ],
  ]);

  it('an unusable record still has its id', () => {
    expect(plan(record({ note: 'x'.repeat(65_536) })).result.external_record_id).toBe('r-1');
  });
});

const id = (external_record_id: unknown) => record({ external_record_id });

describe('external_record_id', () => {
  errorTable([
    ['a number', id(1), 'invalid_record external_record_id'],
    ['null', id(null), 'invalid_record external_record_id'],
    ['128 emoji are 128 characters', id('😀'.repeat(128))],
  ]);
});

describe('user', () => {
  blockTable('user', [
    ['no identifier', {}, 'invalid_record email'],
    ['identifiers that are null', { email: null, external_user_id: null }, 'invalid_record email'],
    ['an e-mail that is no address', { email: 'ana' }, 'invalid_record email'],
    ['an external id that is a fraction', { external_user_id: 1.5 }, 'invalid_record external_user_id'],
    [
      'both malformed',
      { email: 'ana', external_user_id: true },
      'invalid_record email',
      'invalid_record external_user_id',
    ],
  ]);
});

const ID = 'invalid_record platform_course_id';
const REF = 'invalid_record external_ref';
const referring = (external_ref: unknown) => ({ platform_course_id: 101, external_ref });
const COURSE = { type: 'course' };

describe('content', () => {
  blockTable('content', [
    ['no type', { platform_course_id: 101 }, 'invalid_record type'],
    ['neither type nor id', {}, 'invalid_record type', ID],
    ['another type', { type: 'learning_path', platform_course_id: 999 }, 'unsupported_content_type type'],
    ['another type has ids of its own', { type: 'learning_path' }, 'unsupported_content_type type'],
    [
      'ids of another type must be well-formed',
      { type: 'Course', platform_course_id: 'x' },
      'unsupported_content_type type',
      ID,
    ],
  ]);
  blockTable(
    'content',
    [
      ['a type that is null', { type: null, platform_course_id: 101 }, 'invalid_record type'],
      ['no identifier', {}, ID],
      ['a course id that is text', { platform_course_id: '101' }, ID],
      ['an unsafe course id', { platform_course_id: 2 ** 53 }, ID],
      ['an external id too long', { external_course_id: 'x'.repeat(129) }, 'invalid_record external_course_id'],
      ['external_ref that is a number', referring(5.5)],
      ['external_ref that is false', referring(false)],
      ['external_ref that is infinite', referring(Number.POSITIVE_INFINITY), REF],
      ['external_ref of 1,025 characters', referring('x'.repeat(1025)), REF],
      ['external_ref of 1,024 emoji', referring('😀'.repeat(1024))],
      ['an empty external_ref', referring('')],
    ],
    COURSE,
  );
});

const withClass = (entry: unknown) => ({ classes: [{ platform_class_id: 1001 }, entry] });
const RANGE = 'invalid_completion_pct completion_pct';
const CLASS_ID = 'invalid_record classes.1.platform_class_id';

describe('progress', () => {
  blockTable(
    'progress',
    [
      ['0 is in range', { completion_pct: 0 }],
      ['above 100', { completion_pct: 100.01 }, RANGE],
      ['below 0', { completion_pct: -0.01 }, RANGE],
      ['not finite', { completion_pct: Number.POSITIVE_INFINITY }, RANGE],
      ['text', { completion_pct: '50' }, 'invalid_record completion_pct'],
      [
        'dates that do not exist',
        { started_at: '2024-02-30', last_activity_at: '', completed_at: 'x' },
        ...['started_at', 'last_activity_at', 'completed_at'].map((field) => `invalid_date_format ${field}`),
      ],
      ['a date that is a number', { started_at: 1709285400 }, 'invalid_record started_at'],
      ['classes that are no array', { classes: {} }, 'invalid_record classes'],
      ['a class that is no object', withClass(1001), 'invalid_record classes.1'],
      ['a class without an id', withClass({}), CLASS_ID],
      ['a class id that is text', withClass({ platform_class_id: '1' }), CLASS_ID],
      [
        'viewed_at that is no date',
        withClass({ platform_class_id: 1002, viewed_at: 'x' }),
        'invalid_date_format classes.1.viewed_at',
      ],
    ],
    { completion_pct: 50 },
  );

  it('thousands of bad classes hide no other problem', () => {
    const { errors } = plan(
      record({
        user: { email: 'nobody@acme.test' },
        progress: { completion_pct: 101, classes: Array.from({ length: 5000 }, () => 7) },
        assessment: { status: 'x' },
      }),
    ).result;
    expect(errors.slice(0, 4).map(({ field }) => field)).toEqual([
      'progress.completion_pct',
      'assessment.status',
      'user.email',
      'progress.classes.0',
    ]);
    expect(errors.at(-1)?.message).toBe('The record has 4903 more problems.');
  });
});

describe('assessment', () => {
  blockTable('assessment', [
    ['an unknown status', { status: 'PASSED' }, 'invalid_record status'],
    ['score_pct out of range', { score_pct: 101 }, 'invalid_record score_pct'],
    ['taken_at that is no date', { taken_at: 'x' }, 'invalid_date_format taken_at'],
  ]);
});
