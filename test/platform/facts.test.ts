/** The form of one fact. Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { entityOf, parseFact } from '../../functions/platform/facts.ts';
import { company, course, row, user } from './small-file.ts';

const VIEWED = { platform_class_id: 1, viewed_at: null };

const pathsOf = (value: unknown) => {
  const parsed = parseFact(value);
  return 'problems' in parsed ? parsed.problems.map(({ path }) => path) : [];
};

describe('a fact', () => {
  it.each([
    ['company', company, company, { company_id: 'acme' }],
    ['user', user, user, { company_id: 'acme', id: 7 }],
    ['course', course, course, { company_id: 'acme', platform_course_id: 101 }],
    [
      'progress',
      row,
      { progress: { completion_pct: row.completion_pct } },
      { company_id: 'acme', email: 'ana@acme.test', platform_course_id: 101 },
    ],
  ])(
    'a fact of a %s is its row with a version; its identifying members are enough to delete it',
    (kind, sent, row, of) => {
      expect(parseFact({ kind, version: 0, ...sent })).toMatchObject({ fact: { kind, version: 0, of, row } });
      expect(parseFact({ kind, version: 1, deleted: true, ...of })).toEqual({ fact: { kind, version: 1, of } });
    },
  );

  it('a fact of progress may name the user by id', () => {
    const { email: _, ...rest } = row;
    const fact = { kind: 'progress', version: 1, ...rest, user_id: 7 };
    expect(parseFact(fact)).toMatchObject({ fact: { of: { user_id: 7 }, row: { progress: { completion_pct: 40 } } } });
    expect(pathsOf({ ...fact, user_id: '7' })).toEqual(['user_id']);
  });

  it('a fact that ends sessions has no other member of the user', () => {
    const ending = { kind: 'user', company_id: 'acme', id: 7, end_sessions: true };
    const of = { company_id: 'acme', id: 7 };
    expect(parseFact(ending)).toEqual({ fact: { kind: 'user', of, ends_sessions: true } });
    expect(pathsOf({ ...ending, version: 1, deleted: true })).toEqual(['version', 'deleted']);
    expect(pathsOf({ ...ending, id: '7' })).toEqual(['id']);
  });

  const ofCompany = (members: object) => ({ kind: 'company', version: 1, ...company, ...members });
  const ofUser = (members: object) => ({ kind: 'user', version: 1, ...user, ...members });
  const twice = [...course.classes, ...course.classes];
  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['']],
    ['no kind', { version: 1 }, ['kind']],
    ['an unknown kind and no version', { kind: 'group' }, ['kind', 'version']],
    ['a version that is no integer', ofCompany({ version: 1.5 }), ['version']],
    ['a version beyond 2^53', ofCompany({ version: 2 ** 53 }), ['version']],
    ['two bad members', ofUser({ email: 'x', role: 'owner' }), ['email', 'role']],
    ['deleted as text', ofCompany({ deleted: 'yes' }), ['deleted']],
    ['a deletion without an id', { kind: 'user', version: 1, company_id: 'acme', deleted: true }, ['id']],
    ['a password and a hash', ofUser({ password: 'long enough', password_hash: HASH() }), ['password_hash']],
    ['a hash that no login could afford', ofUser({ password_hash: HASH(20) }), ['password_hash']],
    ['an erasure of a company', ofCompany({ erase: true }), ['erase']],
    ['an erasure without a version or an id', { kind: 'user', company_id: 'acme', erase: true }, ['version', 'id']],
    [
      'names of the person that are none',
      ofUser({ erase: true, emails: ['x'], external_user_ids: [''] }),
      ['emails.0', 'external_user_ids.0'],
    ],
    ['a class twice', { kind: 'course', version: 1, ...course, classes: twice }, ['classes']],
    ['a viewed class twice', { kind: 'progress', version: 1, ...row, classes: [VIEWED, VIEWED] }, ['classes']],
    ['more than an item holds', ofCompany({ name: 'x'.repeat(300_000) }), ['']],
  ])('a fact with %s is refused, each problem by its member', (_, value, paths) => {
    expect(pathsOf(value)).toEqual(paths);
  });

  it.each(['session', 'login', 'throttle', 'data-file', 'signing-keys', 'open'])(
    'a fact of a company %s is refused',
    (word) => {
      expect(pathsOf({ kind: 'company', version: 1, ...company, company_id: word })).toEqual(['company_id']);
    },
  );
});

it('facts with the same identifying members are about the same entity, whatever else they contain', () => {
  const about = (value: unknown) => {
    const parsed = parseFact(value);
    return 'fact' in parsed ? entityOf(parsed.fact) : '';
  };
  const one = about({ kind: 'user', version: 1, ...user });
  expect(about({ kind: 'user', version: 2, ...user, name: 'Other' })).toBe(one);
  expect(about({ kind: 'user', version: 2, ...user, id: 8 })).not.toBe(one);
});

const HASH = (ln = 15) => `$scrypt$ln=${ln},r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`;
