import { describe, expect, it } from 'vitest';
import { errorTable } from './error-table.ts';
import { plan, record } from './fixtures.ts';

const LONE_SURROGATE = '\ud83d';
const nestedTooDeep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;

describe('a record as a whole', () => {
  errorTable([
    ['a sound record has none', record()],
    ['a string is no record', 'r-1', 'invalid_record'],
    ['null is no record', null, 'invalid_record'],
    ['an array is no record', [record()], 'invalid_record'],
    ['a record over 64 KiB', record({ note: 'x'.repeat(65_536) }), 'invalid_record'],
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
      'blocks that are text',
      record({ user: 'a', content: 'b', progress: 'c', assessment: 'd' }),
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

  it('an unusable record still tells its id', () => {
    expect(plan(record({ note: 'x'.repeat(65_536) })).result.external_record_id).toBe('r-1');
  });
});

const id = (external_record_id: unknown) => record({ external_record_id });

describe('external_record_id', () => {
  errorTable([
    ['a number', id(1), 'invalid_record external_record_id'],
    ['null', id(null), 'invalid_record external_record_id'],
    ['empty', id(''), 'invalid_record external_record_id'],
    ['129 characters', id('x'.repeat(129)), 'invalid_record external_record_id'],
    ['128 emoji are 128 characters', id('😀'.repeat(128))],
    ['a lone surrogate', id(LONE_SURROGATE), 'invalid_record external_record_id'],
  ]);
});

describe('messages', () => {
  const long = 'x'.repeat(200);
  it.each([
    ['a long address', record({ user: { email: `${long}@acme.test` } })],
    ['a long external id', record({ user: { external_user_id: '😀'.repeat(128) } })],
    ['a long type', record({ content: { type: long, platform_course_id: 1 } })],
    ['a lone surrogate', record({ content: { type: LONE_SURROGATE, platform_course_id: 1 } })],
    ['a bad value', record({ external_record_id: long, progress: { started_at: long } })],
  ])('%s is never echoed at length, nor ill-formed', (_reason, raw) => {
    const { errors } = plan(raw).result;
    expect(errors.length).toBeGreaterThan(0);
    for (const { message, field } of errors) {
      expect(message).not.toContain('x'.repeat(65));
      expect(message).not.toContain('😀'.repeat(65));
      expect(message.isWellFormed()).toBe(true);
      expect(message).toContain(field);
    }
  });
});

it('a rejected record has errors and nothing else', () => {
  const planned = plan(record({ extra: 1, progress: { completion_pct: 101 } }));
  expect(planned.write).toBeUndefined();
  expect(planned.result).toMatchObject({ status: 'error', outcome: null, warnings: [], progress: null });
});
