/** The values of a record in the form of the rules, and unknown members. Costs milliseconds. */
import { assert, constant, integer, jsonValue, oneof, property, record as object, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OVERSIZED, knownPartOf, parseRecord } from '../../functions/records/parse.ts';
import { plan, record, warningsOf } from './fixtures.ts';

const UNKNOWN = 'unknown_field_ignored';

describe('parseRecord', () => {
  it('parseRecord: a record → ids as text, dates as UTC instants, and null as absent', () => {
    const raw = {
      external_record_id: 'r-1',
      user: { email: null, external_user_id: 9101 },
      content: { type: 'course', platform_course_id: -0, external_ref: 'lms-7' },
      progress: {
        completion_pct: null,
        started_at: '2024-01-01',
        completed_at: null,
        classes: [{ platform_class_id: 1001, viewed_at: '2024-01-02T01:00+02:00' }],
      },
      assessment: { status: 'failed', score_pct: -0 },
      note: 1,
    };
    expect(parseRecord(raw, 3)).toEqual({
      index: 3,
      external_record_id: 'r-1',
      problems: [],
      user: { external_user_id: '9101' },
      content: { type: 'course', platform_course_id: 0, external_ref: 'lms-7' },
      progress: {
        started_at: '2024-01-01T00:00:00.000Z',
        completed_at: null,
        classes: [{ platform_class_id: 1001, viewed_at: '2024-01-01T23:00:00.000Z' }],
      },
      assessment: { status: 'failed', score_pct: 0 },
      malformed: [],
      ignored: [expect.objectContaining({ warning_code: UNKNOWN, field: 'note' })],
    });
  });

  it('parseRecord: a malformed block → no value, and its name', () => {
    const parsed = parseRecord(record({ user: { email: 'ana' }, progress: 5 }), 0);
    expect(parsed.malformed).toEqual(['user', 'progress']);
    expect(parsed.problems).toMatchObject([{ field: 'user.email' }, { field: 'progress' }]);
    expect(parsed).not.toHaveProperty('user');
    expect(parsed).not.toHaveProperty('progress');
    expect(parsed.content).toEqual({ type: 'course', platform_course_id: 101 });
  });

  it('parseRecord: a record that is too large → the problem of its size alone', () => {
    const { external_record_id, problems } = parseRecord(record({ user: 5, note: 'x'.repeat(65_536) }), 0);
    expect(external_record_id).toBe('r-1');
    expect(problems).toEqual([OVERSIZED]);
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
  ])('unknown members %s are ignored with a warning', (_reason, members, field) => {
    const raw = Object.hasOwn(members, '__proto__')
      ? Object.defineProperty(record(), '__proto__', { value: 1, enumerable: true })
      : record(members);
    const planned = plan(raw);
    expect(planned.result.status).toBe('success');
    expect(warningsOf(planned)).toEqual([`${UNKNOWN} ${field}`]);
  });

  it('unknown members are not stored, and the stored record is read as the same record', () => {
    const block = object({
      ['__proto__']: jsonValue(),
      platform_course_id: integer(),
      classes: jsonValue(),
      x: string(),
    });
    const anything = oneof(block, jsonValue(), constant(record().user), constant(record().progress));
    const raw = object({ external_record_id: jsonValue(), user: anything, progress: anything, note: jsonValue() });
    assert(
      property(raw, (sent) => {
        const { known, ignored } = knownPartOf(sent);
        expect({ ...parseRecord(known, 0), ignored }).toEqual(parseRecord(sent, 0));
        expect(knownPartOf(known)).toEqual({ known, ignored: [] });
      }),
    );
    const classes = [{ platform_class_id: 1001, seen: 1 }, 7];
    expect(
      knownPartOf({ user: { email: 'a', name: 'Ana' }, progress: { classes, note: 1 }, content: [{ a: 1 }] }).known,
    ).toEqual({
      user: { email: 'a' },
      progress: { classes: [{ platform_class_id: 1001 }, 7] },
      content: [{}],
    });
  });

  it('unknown members share one warning that names them all', () => {
    const [warning] = plan(record({ a: 1, b: 2, c: null })).result.warnings;
    expect(warning).toMatchObject({ warning_code: UNKNOWN, field: 'a' });
    expect(warning?.message).toMatch(/a, b\.$/);
  });

  it('unknown members are named at no more than 64 characters each, well-formed', () => {
    const [warning] = plan(record({ ['😀'.repeat(100)]: 1, ['\ud83d']: 2 })).result.warnings;
    expect(warning?.field).toBe(`${'😀'.repeat(64)}…`);
    expect(warning?.message.isWellFormed()).toBe(true);
  });
});
