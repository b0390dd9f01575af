/** Repeats within a data file, and the references of its rows. Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { parseDataFile } from '../../functions/platform/data-file.ts';
import { company, course, file, pathsOf, row, user } from './small-file.ts';

const both = { ...file, companies: [company, { ...company, company_id: 'other' }] };

describe('repeats', () => {
  it.each([
    ['a company', { companies: [company, company] }, 'companies.1.company_id'],
    ['an address in another spelling', { users: [user, { ...user, id: 8, email: 'ANA@acme.test' }] }, 'users.1.email'],
    ['an address in another company', { users: [user, { ...user, company_id: 'other' }] }, 'users.1.email'],
    ['a user id of one company', { users: [user, { ...user, email: 'bo@acme.test' }] }, 'users.1.id'],
    ['a course of one company', { courses: [course, course] }, 'courses.1.platform_course_id'],
    [
      'a class of one course',
      { courses: [{ ...course, classes: [...course.classes, ...course.classes] }] },
      'courses.0.classes',
    ],
    [
      'the progress of one user in one course',
      { progress: [row, { ...row, email: 'Ana@acme.test' }] },
      'progress.1.platform_course_id',
    ],
  ])('a repeat of %s is refused', (_what, value, path) => {
    expect(pathsOf({ ...both, ...value })).toEqual([path]);
  });

  it('equal ids in different companies are no repeats', () => {
    expect(
      pathsOf({
        ...both,
        users: [user, { ...user, company_id: 'other', email: 'bo@other.test' }],
        courses: [course, { ...course, company_id: 'other' }],
      }),
    ).toEqual([]);
  });
});

describe('references of rows', () => {
  it('a reference to a row of the same file is met, even to a row with a problem of its own', () => {
    expect(pathsOf({ ...file, companies: [{ company_id: 'acme' }], users: [{ ...user, role: 'owner' }] })).toEqual([
      'companies.0.name',
      'companies.0.migrations_enabled',
      'users.0.role',
    ]);
  });

  it('a reference to no row of the file is named with its path', () => {
    expect(parseDataFile({ progress: [row] }).problems).toEqual([
      'progress.0.company_id: there is no such company in this file',
      'progress.0.email: the company has no such user in this file',
      'progress.0.platform_course_id: the company has no such course in this file',
    ]);
  });
});
