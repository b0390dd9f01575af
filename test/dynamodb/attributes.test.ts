/** Attributes of stored items are read as the type that they were stored with. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import {
  flag,
  map,
  maps,
  members,
  nullable,
  number,
  oneOf,
  packedTexts,
  storedMembers,
  text,
  type Read,
} from '../../functions/dynamodb/attributes.ts';

const READERS: [kind: string, read: Read<unknown>, stored: unknown, others: unknown[]][] = [
  ['text', text, 'a', [5, null, undefined, {}]],
  ['number', number, 5, ['5', null, undefined]],
  ['flag', flag, false, ['false', 0, null, undefined]],
  ['map', map, { a: 1 }, ['a', [], null, undefined]],
  ['maps', maps, [{ a: 1 }], [{ a: 1 }, [5], null, undefined]],
  ['oneOf', oneOf(['a', 'b']), 'b', ['c', 5, null, undefined]],
  ['nullable', nullable(text), null, [5, undefined]],
];

describe.each(READERS)('%s', (_kind, read, stored, others) => {
  it('an attribute of the stored type → the value', () => {
    expect(read({ name: stored }, 'name')).toEqual(stored);
  });

  it.each(others.map((value) => ({ value })))(
    'an attribute that is $value → an error that names the attribute',
    ({ value }) => {
      expect(() => read({ name: value }, 'name')).toThrow('name');
    },
  );
});

it('the error names the attribute, and never its value', () => {
  expect(() => number({ email: 'ann@acme.test' }, 'email')).toThrow(/^(?!.*acme).*email/);
});

it('packedTexts: a packed list of texts → the list; another list → an error', () => {
  expect(packedTexts({ ids: '["a","b"]' }, 'ids')).toEqual(['a', 'b']);
  expect(() => packedTexts({ ids: '["a",5]' }, 'ids')).toThrow('ids');
  expect(() => packedTexts({ ids: '{}' }, 'ids')).toThrow('ids');
});

it('members: the attributes by their names; one that is missing is named', () => {
  const item = { due_at: 'x', resends: 2, other: true };
  expect(members(item, { due_at: text, resends: number })).toEqual({ due_at: 'x', resends: 2 });
  expect(() => members({ due_at: 'x' }, { due_at: text, resends: number })).toThrow('resends');
});

it('storedMembers: an absent attribute → no member, a stored one → a member', () => {
  expect(storedMembers({}, { due_at: text })).toEqual({});
  expect(storedMembers({ due_at: 'x' }, { due_at: text, until: text })).toEqual({ due_at: 'x' });
  expect(() => storedMembers({ due_at: 5 }, { due_at: text })).toThrow('due_at');
});
