/** A data file as a whole. Pure; costs milliseconds. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDataFile } from '../../functions/platform/data-file.ts';
import { company, course, file, pathsOf, row, user } from './small-file.ts';

describe('a data file as a whole', () => {
  it('a data file is accepted with its defaults filled in', () => {
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
