/** Repeats within a data file, and the references of its rows. Pure but for the last; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { storedFacts, unmetReferences } from '../../functions/platform/data-file-references.ts';
import { parseDataFile } from '../../functions/platform/data-file.ts';
import { createWorld } from '../kit/world.ts';
import { company, course, file, pathsOf, row, user } from './small-file.ts';
import { planted } from '../kit/planted.ts';

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
      'courses.0.classes.1.platform_class_id',
    ],
    [
      'the progress of one user in one course',
      { progress: [row, { ...row, email: 'Ana@acme.test' }] },
      'progress.1.platform_course_id',
    ],
  ])('a repeat of %s is refused', (_what, value, path) => {
    expect(pathsOf(value)).toEqual([path]);
  });

  it('equal ids in different companies are no repeats', () => {
    expect(
      pathsOf({
        users: [user, { ...user, company_id: 'other', email: 'bo@other.test' }],
        courses: [course, { ...course, company_id: 'other' }],
      }),
    ).toEqual([]);
  });
});

describe('references of rows', () => {
  it('a reference to a row of the same file is met, even to a row with a problem of its own', () => {
    const { references } = parseDataFile({
      ...file,
      companies: [{ company_id: 'acme' }],
      users: [{ ...user, role: 'owner' }],
    });
    expect(references).toMatchObject({ companies: [], users: [], courses: [] });
  });

  it('a reference to no row of the file is listed with its path', () => {
    const { references } = parseDataFile({ progress: [{ ...row, email: 'Ana@acme.test' }] });
    expect(references).toEqual({
      companies: [{ path: 'progress.0.company_id', company_id: 'acme' }],
      users: [{ path: 'progress.0.email', company_id: 'acme', email: 'ana@acme.test' }],
      courses: [{ path: 'progress.0.platform_course_id', company_id: 'acme', platform_course_id: 101 }],
      addresses: [],
    });
  });
});

it('every reference is unmet on an empty table, and none where the platform has the rows', async () => {
  const { stores } = createWorld();
  const { references } = parseDataFile({ progress: [row] });
  expect(unmetReferences(references, await storedFacts(references, stores))).toEqual([
    'progress.0.company_id: there is no such company in this file or in the stack',
    'progress.0.email: the company has no such user',
    'progress.0.platform_course_id: the company has no such course',
  ]);
  await planted(stores.platform).putCompanies([{ ...company, cursor_key: 'k' }]);
  const { id: user_id, ...stored } = user;
  await planted(stores.platform).putUsers([{ ...stored, user_id, role: 'customer', license: 'active' }]);
  await planted(stores.platform).putCourses('acme', [course]);
  expect(unmetReferences(references, await storedFacts(references, stores))).toEqual([]);
});
