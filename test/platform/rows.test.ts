/** The rows of a data file. Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { company, course, pathsOf, row, user } from './small-file.ts';

describe('rows of a data file', () => {
  it.each([
    ['companies', { ...company, company_id: 'a#b' }, 'company_id'],
    ['companies', { company_id: 'acme', name: 'Acme' }, 'migrations_enabled'],
    ['users', { ...user, id: 1.5 }, 'id'],
    ['users', { ...user, email: 'a na@acme.test' }, 'email'],
    ['users', { ...user, password: '1234567' }, 'password'],
    ['users', { ...user, password: '\u{1F511}'.repeat(7) }, 'password'],
    ['users', { ...user, password: 'x'.repeat(129) }, 'password'],
    ['users', { ...user, name: '\ud800' }, 'name'],
    ['users', { ...user, role: 'Admin' }, 'role'],
    ['users', { ...user, avatar: 'javascript:alert(1)' }, 'avatar'],
    ['users', { ...user, avatar: 'http://acme.test/a.png' }, 'avatar'],
    ['courses', { ...course, platform_course_id: 2 ** 53 }, 'platform_course_id'],
    ['courses', { ...course, has_exam: 'yes' }, 'has_exam'],
    ['courses', { ...course, title: undefined }, 'title'],
    ['courses', { ...course, classes: [[]] }, 'classes.0'],
    ['progress', { ...row, email: 7 }, 'email'],
    ['progress', { ...row, completion_pct: -0.1 }, 'completion_pct'],
    ['progress', { ...row, completion_pct: Number.POSITIVE_INFINITY }, 'completion_pct'],
    ['progress', { ...row, approved_course: true }, 'approved_course'],
    ['progress', { ...row, certified_at: 'yesterday' }, 'certified_at'],
    ['progress', { ...row, classes: [{ platform_class_id: 1, viewed_at: 5 }] }, 'classes.0.viewed_at'],
  ])('a row of %s is refused: %j', (array, value, member) => {
    expect(pathsOf({ [array]: [value] })).toContain(`${array}.0.${member}`);
  });

  it.each([null, [], 'text', 1])('a row that is %j and no object is refused', (value) => {
    expect(pathsOf({ companies: [value] })).toEqual(['companies.0']);
  });

  it('a row that would not fit a stored item is refused', () => {
    expect(pathsOf({ companies: [{ ...company, name: 'x'.repeat(300_000) }] })).toEqual(['companies.0']);
  });
});
