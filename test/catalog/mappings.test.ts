/** The rules of mapping requests (§2.5, §2.6). Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import {
  COURSE_LINKS,
  USER_LINKS,
  registerInOrder,
  validateCourseEntry,
  validateUserEntry,
} from '../../functions/catalog/mappings.ts';
import type { Course, User } from '../../functions/shared/model.ts';
import { ADMIN } from '../kit/api-event.ts';

const ana: User = { ...ADMIN, user_id: 7, email: 'ana@acme.test' };
const users = new Map([['ana@acme.test', ana]]);
const course: Course = { platform_course_id: 101, title: 'One', has_exam: true, classes: [] };
const courses = new Map([[101, course]]);

describe('an entry', () => {
  it('an entry links an external id, in string form, to a user or a course', () => {
    expect(validateUserEntry({ external_user_id: 9, email: 'ANA@acme.test' }, users)).toEqual({
      echo: { external_user_id: '9', email: 'ANA@acme.test' },
      link: { external_user_id: '9', email: 'ANA@acme.test', user_id: 7 },
      errors: [],
    });
    expect(validateCourseEntry({ external_course_id: 'S', platform_course_id: 101 }, courses)).toEqual({
      echo: { external_course_id: 'S', platform_course_id: 101 },
      link: { external_course_id: 'S', platform_course_id: 101 },
      errors: [],
    });
  });

  it.each<[string, unknown, Partial<User>, string]>([
    ['is no object', 7, {}, 'A mapping must be an object, not 7.'],
    [
      'names no user',
      { external_user_id: 'x', email: 'bo@acme.test' },
      {},
      'No user in this company has this e-mail address.',
    ],
    [
      'names an inactive user',
      { external_user_id: 'x', email: 'ana@acme.test' },
      { license: 'inactive' },
      'This user has no active license.',
    ],
  ])('an entry that %s has an error and no link', (_, entry, change, message) => {
    const { link, errors } = validateUserEntry(entry, new Map([['ana@acme.test', { ...ana, ...change }]]));
    expect(link).toBeUndefined();
    expect(errors.map((error) => error.message)).toEqual([message]);
  });

  it('an entry whose course is not in the catalog has an error and no link', () => {
    const { link, errors } = validateCourseEntry({ external_course_id: 'S', platform_course_id: 9 }, courses);
    expect(link).toBeUndefined();
    expect(errors).toEqual([
      {
        error_code: 'course_not_in_catalog',
        message: "This course is not in the company's catalog.",
        field: 'platform_course_id',
      },
    ]);
  });
});

describe('registration in the order sent', () => {
  const entry = (external_course_id: string, platform_course_id: number) => ({
    echo: { external_course_id, platform_course_id },
    link: { external_course_id, platform_course_id },
    errors: [],
  });

  it('each entry is compared with the stored links as changed by the entries before it', () => {
    const stored = new Map([['S', { external_course_id: 'S', platform_course_id: 101 }]]);
    const entries = [entry('S', 101), entry('S', 102), entry('T', 101), entry('T', 101)];
    const { results, counts, changed } = registerInOrder(entries, stored, COURSE_LINKS);
    expect(results.map(({ status }) => status)).toEqual(['unchanged', 'updated', 'created', 'unchanged']);
    expect(counts).toEqual({ created: 1, updated: 1, unchanged: 2, failed: 0 });
    expect(changed).toEqual([
      { external_course_id: 'S', platform_course_id: 102 },
      { external_course_id: 'T', platform_course_id: 101 },
    ]);
  });

  it('another spelling of an address is the same user', () => {
    const link = { external_user_id: 'x', email: 'ana@acme.test', user_id: 7 };
    const sent = { echo: {}, link: { ...link, email: 'ANA@acme.test' }, errors: [] };
    expect(registerInOrder([sent], new Map([['x', link]]), USER_LINKS).changed).toEqual([]);
  });
});
