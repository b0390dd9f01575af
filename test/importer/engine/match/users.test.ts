/** Users for people of an old system. The rules were made without the generated companies. Costs under a second. */
import { describe, expect, it } from 'vitest';
import {
  matchedUsers,
  type OldUser,
  type UserMatch,
  userMatcher,
} from '../../../../bin/importer/engine/match/users.ts';
import { cases } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';
import { companyOf } from './people.ts';

const HELD_OUT = 5000;

it('at least 99 in 100 of those that are named are right, and more than half are named', () => {
  const companies = Array.from({ length: cases(100, 10) }, (_, seed) => companyOf(new Dice(HELD_OUT + seed), 400));
  const matched = companies.flatMap(({ users, old }) => matchedUsers({ users }, old));
  const named = matched.filter(({ user }) => user !== undefined);
  const right = named.filter(({ user, truth }) => user?.email === truth);
  const present = matched.filter(({ truth }) => truth !== undefined);
  expect(named.filter(({ kind }) => kind === 'ambiguous' || kind === 'none')).toEqual([]);
  expect(right.length / named.length).toBeGreaterThanOrEqual(0.99);
  expect(right.length / present.length).toBeGreaterThanOrEqual(0.55);
});

describe('userMatcher', () => {
  const users = [
    { email: 'ana.lopez@acme.example', name: 'Ana López' },
    { email: 'ben.smith@acme.example', name: 'Ben Smith' },
    { email: 'ben.smith2@acme.example', name: 'Ben Smith' },
    { email: 'maria.garcia@acme.example', name: 'María José García Groß' },
    { email: 'info@acme.example', name: 'Reception' },
    { email: 'zoe@acme.example' },
  ];
  const known = {
    users,
    registered: new Map([['E9', 'zoe@acme.example']]),
    moved: new Map([['old.example', 'acme.example']]),
  };
  const matchOf = userMatcher(known);
  const match = (email: string | undefined, name?: string, id = 'x'): UserMatch => matchOf({ id, email, name });
  const named = (...given: Parameters<typeof match>): string => {
    const { kind, user } = match(...given);
    return `${kind}: ${user?.email.split('@')[0] ?? '-'}`;
  };

  it.each([
    ['registered: zoe', undefined, undefined, 'E9'],
    ['same address: ana.lopez', 'ANA.Lopez@acme.example', 'Lopez, Ana'],
    ['same address: ana.lopez', 'ana.lopez@acme.example', undefined],
    ['same mailbox: ana.lopez', 'ana.lopez+lms@acme.example', 'A. López'],
    ['same mailbox: zoe', 'zoe+2@acme.example', 'Zoë Evans'],
    ['moved: ana.lopez', 'ana.lopez@old.example', undefined],
    ['moved: ana.lopez', 'ana.lopez@elsewhere.example', 'LOPEZ Ana'],
  ])('%s is named for %s, %s', (expected, email, name, id?: string) => {
    expect(named(email, name, id)).toBe(expected);
  });

  it.each([
    ['an address that now belongs to another person', 'ana.lopez@acme.example', 'Tom Jones'],
    ['a tag of a mailbox that many share', 'info+ana@acme.example', 'Ana López'],
    ['the same mailbox elsewhere, without a name', 'ana.lopez@elsewhere.example', undefined],
    ['a name that two users have', 'bsmith@acme.example', 'Ben Smith'],
    ['a common name with another address', 'alopez@acme.example', 'Ana López'],
    ['a long name with another address', 'mjgarcia@acme.example', 'Garcia Gross, Maria Jose'],
  ])('%s is ambiguous: a person chooses among the candidates', (_, email, name) => {
    const { kind, user, candidates } = match(email, name);
    expect([kind, user]).toEqual(['ambiguous', undefined]);
    expect(candidates.length).toBeGreaterThan(0);
  });

  it('a person without any likeness has no counterpart', () => {
    expect(match('tom@elsewhere.example', 'Tom Jones')).toEqual({ kind: 'none', user: undefined, candidates: [] });
  });

  it('two accounts of one person have one user; of two people who share a mailbox, none has it by a tag', () => {
    const of = (...given: readonly (readonly [string, string])[]): string[] =>
      matchedUsers(
        known,
        given.map(([email, name], index): OldUser => ({ id: String(index), email, name })),
      ).map(({ kind }) => kind);
    expect(of(['ana.lopez@old.example', 'Ana López'], ['ana.lopez+x@acme.example', 'López Ana'])).toEqual([
      'moved',
      'same mailbox',
    ]);
    expect(of(['zoe+a@acme.example', 'Zoë Evans'], ['zoe+b@acme.example', 'Tom Jones'])).toEqual([
      'ambiguous',
      'ambiguous',
    ]);
  });
});
