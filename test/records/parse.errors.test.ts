/** Which records are malformed, and how each problem is reported: codes and fields, in order. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { errorTable } from './error-table.ts';
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

const user = (members: unknown) => record({ user: members });

describe('user', () => {
  errorTable([
    ['no identifier', user({}), 'invalid_record user.email'],
    ['identifiers that are null', user({ email: null, external_user_id: null }), 'invalid_record user.email'],
    ['an e-mail that is no address', user({ email: 'ana' }), 'invalid_record user.email'],
    ['an external id that is a fraction', user({ external_user_id: 1.5 }), 'invalid_record user.external_user_id'],
    [
      'both malformed',
      user({ email: 'ana', external_user_id: true }),
      'invalid_record user.email',
      'invalid_record user.external_user_id',
    ],
  ]);
});

const content = (members: object) => record({ content: { type: 'course', ...members } });

describe('content', () => {
  errorTable([
    ['no type', record({ content: { platform_course_id: 101 } }), 'invalid_record content.type'],
    ['a type that is null', content({ type: null, platform_course_id: 101 }), 'invalid_record content.type'],
    [
      'another type',
      content({ type: 'learning_path', platform_course_id: 999 }),
      'unsupported_content_type content.type',
    ],
    ['another type has ids of its own', content({ type: 'learning_path' }), 'unsupported_content_type content.type'],
    [
      'ids of another type must be well-formed',
      content({ type: 'Course', platform_course_id: 'x' }),
      'unsupported_content_type content.type',
      'invalid_record content.platform_course_id',
    ],
    [
      'neither type nor id',
      record({ content: {} }),
      'invalid_record content.type',
      'invalid_record content.platform_course_id',
    ],
    ['no identifier', content({}), 'invalid_record content.platform_course_id'],
    ['a course id that is text', content({ platform_course_id: '101' }), 'invalid_record content.platform_course_id'],
    ['an unsafe course id', content({ platform_course_id: 2 ** 53 }), 'invalid_record content.platform_course_id'],
    [
      'an external id too long',
      content({ external_course_id: 'x'.repeat(129) }),
      'invalid_record content.external_course_id',
    ],
    ['external_ref that is a number', content({ platform_course_id: 101, external_ref: 5.5 })],
    ['external_ref that is false', content({ platform_course_id: 101, external_ref: false })],
    [
      'external_ref that is infinite',
      content({ platform_course_id: 101, external_ref: Number.POSITIVE_INFINITY }),
      'invalid_record content.external_ref',
    ],
    [
      'external_ref of 1,025 characters',
      content({ platform_course_id: 101, external_ref: 'x'.repeat(1025) }),
      'invalid_record content.external_ref',
    ],
    ['external_ref of 1,024 emoji', content({ platform_course_id: 101, external_ref: '😀'.repeat(1024) })],
    ['an empty external_ref', content({ platform_course_id: 101, external_ref: '' })],
  ]);
});

const inProgress = (members: object) => ({ progress: { completion_pct: 50, ...members } });
const withClass = (entry: unknown) => inProgress({ classes: [{ platform_class_id: 1001 }, entry] });

describe('progress', () => {
  const pct = (completion_pct: unknown) => record(inProgress({ completion_pct }));
  const date = 'invalid_date_format progress.';
  errorTable([
    ['0 is in range', pct(0)],
    ['above 100', pct(100.01), 'invalid_completion_pct progress.completion_pct'],
    ['below 0', pct(-0.01), 'invalid_completion_pct progress.completion_pct'],
    ['not finite', pct(Number.POSITIVE_INFINITY), 'invalid_completion_pct progress.completion_pct'],
    ['text', pct('50'), 'invalid_record progress.completion_pct'],
    [
      'dates that do not exist',
      record(inProgress({ started_at: '2024-02-30', last_activity_at: '', completed_at: 'x' })),
      `${date}started_at`,
      `${date}last_activity_at`,
      `${date}completed_at`,
    ],
    ['a date that is a number', record(inProgress({ started_at: 1709285400 })), 'invalid_record progress.started_at'],
    ['classes that are no array', record(inProgress({ classes: {} })), 'invalid_record progress.classes'],
    ['a class that is no object', record(withClass(1001)), 'invalid_record progress.classes.1'],
    ['a class without an id', record(withClass({})), 'invalid_record progress.classes.1.platform_class_id'],
    [
      'a class id that is text',
      record(withClass({ platform_class_id: '1' })),
      'invalid_record progress.classes.1.platform_class_id',
    ],
    [
      'viewed_at that is no date',
      record(withClass({ platform_class_id: 1002, viewed_at: 'x' })),
      `${date}classes.1.viewed_at`,
    ],
  ]);

  it('of more than 100 problems of classes the rest is counted by one problem', () => {
    const { errors } = plan(
      record(inProgress({ classes: Array.from({ length: 60 }, () => ({ viewed_at: 'x' })) })),
    ).result;
    expect(errors).toHaveLength(101);
    expect(errors.at(-2)).toMatchObject({ field: 'progress.classes.49.viewed_at' });
    expect(errors.at(-1)).toEqual({ error_code: 'invalid_record', message: 'The record has 20 more problems.' });
  });

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

const assessment = (members: object) => record({ assessment: members });

describe('assessment', () => {
  errorTable([
    ['an unknown status', assessment({ status: 'PASSED' }), 'invalid_record assessment.status'],
    ['score_pct out of range', assessment({ score_pct: 101 }), 'invalid_record assessment.score_pct'],
    ['taken_at that is no date', assessment({ taken_at: 'x' }), 'invalid_date_format assessment.taken_at'],
  ]);
});
