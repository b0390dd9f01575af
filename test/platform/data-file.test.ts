import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDataFile } from '../../functions/platform/data-file.ts';

const company = { company_id: 'acme', name: 'Acme', migrations_enabled: true };
const user = {
  id: 7,
  company_id: 'acme',
  email: 'ana@acme.test',
  name: 'Ana',
  role: 'customer',
  avatar: 'https://acme.test/a.png',
  license: 'active',
};
const course = {
  company_id: 'acme',
  platform_course_id: 101,
  title: 'One',
  has_exam: true,
  classes: [{ platform_class_id: 1, title: 'First' }],
};
const row = { company_id: 'acme', email: 'ana@acme.test', platform_course_id: 101, completion_pct: 40 };
const file = { companies: [company], users: [user], courses: [course], progress: [row] };

/** The path of every problem. */
function pathsOf(value: unknown): string[] {
  return parseDataFile(value).problems.map((problem) => problem.slice(0, problem.indexOf(':')));
}

describe('a data file as a whole', () => {
  it('is accepted with its defaults filled in', () => {
    const { data, problems } = parseDataFile(file);
    expect(problems).toEqual([]);
    expect(data.progress).toEqual([
      {
        ...row,
        classes: [],
        approved_course: 0,
        certified_at: null,
        started_at: null,
        last_activity_at: null,
        completed_at: null,
      },
    ]);
  });

  it('drops members it does not know', () => {
    expect(parseDataFile({ companies: [{ ...company, plan: 'gold' }], more: 1 }).data.companies).toEqual([company]);
  });

  it.each(['companies', 'users', 'courses', 'progress'] as const)('may lack all arrays but %s', (name) => {
    expect(pathsOf({ [name]: [] })).toEqual([]);
  });

  it.each([[{}], [null], [[]], ['text'], [1]])('is refused where it holds none of the arrays: %j', (value) => {
    expect(pathsOf(value)).toEqual(['the file']);
  });

  it('is refused where an array is something else', () => {
    expect(pathsOf({ companies: null, users: {} })).toEqual(['companies', 'users']);
  });

  it('names every problem, of every row', () => {
    const broken = {
      companies: [{ ...company, name: 1 }],
      users: [
        { ...user, role: 'owner' },
        { ...user, license: 'lapsed' },
      ],
      courses: [{ ...course, classes: [{ platform_class_id: 'x', title: 'First' }] }],
      progress: [{ ...row, completion_pct: 101, started_at: '2024-02-30' }],
    };
    expect(pathsOf(broken)).toEqual([
      'companies.0.name',
      'users.0.role',
      'users.1.license',
      'courses.0.classes.0.platform_class_id',
      'progress.0.completion_pct',
      'progress.0.started_at',
      'users.1.email',
      'users.1.id',
    ]);
  });

  it('quotes no value, so that no address or password is told', () => {
    const { problems } = parseDataFile({
      users: [{ ...user, email: 'not-an-address', password: 12_345, role: 'secret-role' }],
    });
    expect(problems.join()).not.toMatch(/not-an-address|12345|secret-role/);
  });

  it('never makes the parser throw', () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom(file, [company, user, course, row], [user, user]));
    fc.assert(
      fc.property(fc.record({ companies: member, users: member, courses: member, progress: member }), (value) => {
        expect(() => parseDataFile(value)).not.toThrow();
      }),
    );
  });
});

describe('a row is refused', () => {
  it.each([
    ['companies', { ...company, company_id: '' }, 'company_id'],
    ['companies', { ...company, company_id: 'a#b' }, 'company_id'],
    ['companies', { ...company, company_id: 'a'.repeat(65) }, 'company_id'],
    ['companies', { ...company, migrations_enabled: 1 }, 'migrations_enabled'],
    ['companies', { company_id: 'acme', name: 'Acme' }, 'migrations_enabled'],
    ['users', { ...user, id: 1.5 }, 'id'],
    ['users', { ...user, id: '7' }, 'id'],
    ['users', { ...user, id: -1 }, 'id'],
    ['users', { ...user, company_id: 'a b' }, 'company_id'],
    ['users', { ...user, email: 'ana' }, 'email'],
    ['users', { ...user, email: 'a na@acme.test' }, 'email'],
    ['users', { ...user, password: null }, 'password'],
    ['users', { ...user, password: 'x'.repeat(1025) }, 'password'],
    ['users', { ...user, name: '\ud800' }, 'name'],
    ['users', { ...user, role: 'Admin' }, 'role'],
    ['users', { ...user, avatar: null }, 'avatar'],
    ['users', { ...user, license: true }, 'license'],
    ['courses', { ...course, platform_course_id: 2 ** 53 }, 'platform_course_id'],
    ['courses', { ...course, has_exam: 'yes' }, 'has_exam'],
    ['courses', { ...course, title: undefined }, 'title'],
    ['courses', { ...course, classes: {} }, 'classes'],
    ['courses', { ...course, classes: [[]] }, 'classes.0'],
    ['progress', { ...row, email: 7 }, 'email'],
    ['progress', { ...row, completion_pct: -0.1 }, 'completion_pct'],
    ['progress', { ...row, completion_pct: Number.POSITIVE_INFINITY }, 'completion_pct'],
    ['progress', { ...row, completion_pct: undefined }, 'completion_pct'],
    ['progress', { ...row, approved_course: true }, 'approved_course'],
    ['progress', { ...row, certified_at: 'yesterday' }, 'certified_at'],
    ['progress', { ...row, classes: [{ platform_class_id: 1, viewed_at: 5 }] }, 'classes.0.viewed_at'],
  ])('%s: %j', (array, value, member) => {
    expect(pathsOf({ [array]: [value] })).toContain(`${array}.0.${member}`);
  });

  it.each([null, [], 'text', 1])('that is %j and no object', (value) => {
    expect(pathsOf({ companies: [value] })).toEqual(['companies.0']);
  });

  it('that would not fit a stored item', () => {
    expect(pathsOf({ companies: [{ ...company, name: 'x'.repeat(300_000) }] })).toEqual(['companies.0']);
  });
});

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
  ])('%s is refused', (_what, value, path) => {
    expect(pathsOf(value)).toEqual([path]);
  });

  it('of ids in different companies are none', () => {
    expect(
      pathsOf({
        users: [user, { ...user, company_id: 'other', email: 'bo@other.test' }],
        courses: [course, { ...course, company_id: 'other' }],
      }),
    ).toEqual([]);
  });
});

describe('references', () => {
  it('are met by the file itself, even by a row with a problem of its own', () => {
    const { references } = parseDataFile({
      ...file,
      companies: [{ company_id: 'acme' }],
      users: [{ ...user, role: 'owner' }],
    });
    expect(references).toMatchObject({ companies: [], users: [], courses: [] });
  });

  it('that the file does not meet are listed with their paths', () => {
    const { references } = parseDataFile({ progress: [{ ...row, email: 'Ana@acme.test' }] });
    expect(references).toEqual({
      companies: [{ path: 'progress.0.company_id', company_id: 'acme' }],
      users: [{ path: 'progress.0.email', company_id: 'acme', email: 'ana@acme.test' }],
      courses: [{ path: 'progress.0.platform_course_id', company_id: 'acme', platform_course_id: 101 }],
      addresses: [],
    });
  });
});

it('the sample company is a valid data file that needs nothing else', () => {
  const sample = parseDataFile(
    JSON.parse(readFileSync(new URL('../../lib/sandbox/sample.json', import.meta.url), 'utf8')),
  );
  expect(sample.problems).toEqual([]);
  expect(sample.references).toMatchObject({ companies: [], users: [], courses: [] });
  expect(sample.data.users).toContainEqual(
    expect.objectContaining({ email: 'admin@acme.test', password: 'changeme', role: 'admin' }),
  );
});
