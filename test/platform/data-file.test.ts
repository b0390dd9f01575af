/** A data file as a whole, repeats within it, and the references of its rows. Pure; costs milliseconds. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDataFile } from '../../functions/platform/data-file.ts';
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import { company, course, file, pathsOf, row, user } from './small-file.ts';

describe('a data file as a whole', () => {
  it('a data file is accepted with its defaults filled in', () => {
    const { data, problems } = parseDataFile(file);
    const { company_id, email, platform_course_id, completion_pct } = row;
    expect(problems).toEqual([]);
    expect(data.progress).toEqual([
      { company_id, email, platform_course_id, progress: { ...NO_PROGRESS, completion_pct } },
    ]);
  });

  it('unknown members of a data file are dropped', () => {
    expect(parseDataFile({ companies: [{ ...company, plan: 'gold' }], more: 1 }).data.companies).toEqual([company]);
  });

  it.each(['companies', 'users', 'courses', 'progress'] as const)('a data file may lack all arrays but %s', (name) => {
    expect(pathsOf({ [name]: [] })).toEqual([]);
  });

  it.each([[{}], [null], [[]], ['text'], [1]])('a data file without any of the arrays is refused: %j', (value) => {
    expect(pathsOf(value)).toEqual(['the file']);
  });

  it('a data file with another value than an array is refused', () => {
    expect(pathsOf({ companies: null, users: {} })).toEqual(['companies', 'users']);
  });

  it('the problems of a data file include every problem of every row', () => {
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

  it('the problems of a data file quote no value, so that no address or password is revealed', () => {
    const { problems } = parseDataFile({
      users: [{ ...user, email: 'not-an-address', password: 12_345, role: 'secret-role' }],
    });
    expect(problems.join()).not.toMatch(/not-an-address|12345|secret-role/);
  });

  it('a malformed data file never makes the parser throw', () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom(file, [company, user, course, row], [user, user]));
    fc.assert(
      fc.property(fc.record({ companies: member, users: member, courses: member, progress: member }), (value) => {
        expect(() => parseDataFile(value)).not.toThrow();
      }),
    );
  });
});

it('the sample company is a valid data file that needs nothing else', () => {
  const sample = parseDataFile(
    JSON.parse(readFileSync(new URL('../../lib/sandbox/sample.json', import.meta.url), 'utf8')),
  );
  expect(sample.problems).toEqual([]);
  expect(sample.data.users).toContainEqual(
    expect.objectContaining({ email: 'admin@acme.test', password: 'changeme', role: 'admin' }),
  );
});

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
