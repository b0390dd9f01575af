/** Which user and course the identifiers of a record resolve to. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { parseRecord } from '../../functions/records/parse.ts';
import { referencesOf, resolveRecord } from '../../functions/records/resolve.ts';
import { blockTable, errorTable } from './error-table.ts';
import { ANA, record, REFERENCES, WITH_EXAM } from './fixtures.ts';

const BY_EXTERNAL_IDS = record({
  user: { email: 'ANA@acme.test', external_user_id: 9101 },
  content: { type: 'course', external_course_id: 'ext-101' },
});

describe('referencesOf', () => {
  it('referencesOf: a record → its identifiers, in the forms they are compared in', () => {
    expect(referencesOf(parseRecord(BY_EXTERNAL_IDS, 0))).toEqual({
      email: 'ana@acme.test',
      external_user_id: '9101',
      external_course_id: 'ext-101',
    });
    expect(referencesOf(parseRecord(record(), 0))).toEqual({ email: 'ana@acme.test', platform_course_id: 101 });
  });

  it('referencesOf: a malformed block → nothing', () => {
    const malformed = record({ user: { email: 'ana@acme.test', external_user_id: true } });
    expect(referencesOf(parseRecord(malformed, 0))).toEqual({ platform_course_id: 101 });
  });
});

describe('resolveRecord', () => {
  it('resolveRecord: known identifiers → the user and the course', () => {
    const resolution = resolveRecord(parseRecord(BY_EXTERNAL_IDS, 0), REFERENCES);
    expect(resolution).toEqual({ problems: [], user: ANA, course: WITH_EXAM });
  });

  it('resolveRecord: a problem with the user → the course all the same', () => {
    const nobody = parseRecord(record({ user: { email: 'nobody@acme.test' } }), 0);
    expect(resolveRecord(nobody, REFERENCES)).toEqual({
      problems: [expect.objectContaining({ error_code: 'user_not_found', field: 'user.email' })],
      course: WITH_EXAM,
    });
  });

  it('resolveRecord: a malformed block → no further problem', () => {
    expect(resolveRecord(parseRecord({ user: 5 }, 0), REFERENCES)).toEqual({ problems: [] });
  });
});

const NOT_MAPPED = 'external_user_id_not_mapped external_user_id';

describe('problems of the user', () => {
  blockTable('user', [
    [
      'a malformed identifier keeps the other from being resolved',
      { email: 'nobody@acme.test', external_user_id: true },
      'invalid_record external_user_id',
    ],
    ['an unknown address', { email: 'nobody@acme.test' }, 'user_not_found email'],
    ['an inactive user', { email: 'gone@acme.test' }, 'user_inactive email'],
    ['an external id never registered', { external_user_id: 'ext-x' }, NOT_MAPPED],
    ['an external id of a user now inactive', { external_user_id: 'ext-gone' }, 'user_inactive external_user_id'],
    ['an external id of a user who is gone', { external_user_id: 'ext-deleted' }, 'user_not_found external_user_id'],
    ['an address that is another user’s now', { external_user_id: 'ext-renamed' }, 'user_not_found external_user_id'],
    ['different users', { email: 'ana@acme.test', external_user_id: 'ext-ben' }, 'identifier_mismatch'],
    ['both unknown', { email: 'nobody@acme.test', external_user_id: 'ext-x' }, 'user_not_found email', NOT_MAPPED],
    [
      'each must resolve before they are compared',
      { email: 'ana@acme.test', external_user_id: 'ext-gone' },
      'user_inactive external_user_id',
    ],
  ]);
});

it('resolveRecord: an external id whose user has another address now → a message that says so, and what to do', () => {
  const renamed = parseRecord(record({ user: { external_user_id: 'ext-renamed' } }), 0);
  const [problem] = resolveRecord(renamed, REFERENCES).problems;
  expect(problem?.message).toContain('whose address has changed; register it again');
});

const NO_COURSE = 'course_not_in_catalog platform_course_id';
const NO_LINK = 'external_course_id_not_mapped external_course_id';

describe('problems of the content', () => {
  blockTable(
    'content',
    [
      ['an unknown course', { platform_course_id: 999 }, NO_COURSE],
      ['an external id never registered', { external_course_id: 'x' }, NO_LINK],
      [
        'an external id of a course withdrawn',
        { external_course_id: 'ext-withdrawn' },
        'course_not_in_catalog external_course_id',
      ],
      ['different courses', { platform_course_id: 101, external_course_id: 'ext-102' }, 'identifier_mismatch'],
      ['both unknown', { platform_course_id: 999, external_course_id: 'x' }, NO_COURSE, NO_LINK],
    ],
    { type: 'course' },
  );
  errorTable([
    [
      'one that resolves does not make up for one that does not: completion stays open',
      record({ content: { type: 'course', platform_course_id: 101, external_course_id: 'x' }, progress: {} }),
      'external_course_id_not_mapped content.external_course_id',
    ],
  ]);
});
