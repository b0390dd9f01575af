/** The Idempotency-Key header, the ids of imports, and what a key is bound to. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fingerprintOf,
  idempotencyKey,
  importIdForKey,
  randomImportId,
} from '../../functions/imports/idempotency-key.ts';
import { isImportId } from '../../functions/records/identifiers.ts';

const visible = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at));
const keys = fc.string({ unit: fc.constantFrom(...visible), minLength: 1, maxLength: 255 });
const quoted = (key: string) => `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

it('takes every visible ASCII text of 1 to 255 characters, bare or quoted, as the same key', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(idempotencyKey([quoted(key)])).toBe(key);
      expect(idempotencyKey([` ${quoted(key)} `])).toBe(key);
    }),
  );
  const unquoted = keys.filter((key) => !key.startsWith('"'));
  fc.assert(fc.property(unquoted, (key) => idempotencyKey([key]) === key));
  expect(idempotencyKey(['k'.repeat(255)])).toBe('k'.repeat(255));
  expect(idempotencyKey([quoted('"'.repeat(255))])).toBe('"'.repeat(255));
});

it('takes nothing else', () => {
  const other = fc.string({ unit: 'binary' }).filter((text) => /[^!-~]/.test(text));
  fc.assert(
    fc.property(keys, other, keys, (before, wrong, after) => {
      expect(idempotencyKey([`k${before}${wrong}${after}`])).toBeNull();
      expect(idempotencyKey([`"${wrong}"`])).toBeNull();
    }),
  );
  for (const header of [
    '',
    ' ',
    '""',
    '"',
    '"a',
    '"a"b',
    '"a\\"',
    '"a\\b"',
    'k'.repeat(256),
    quoted('k'.repeat(256)),
  ]) {
    expect(idempotencyKey([header])).toBeNull();
  }
  expect(idempotencyKey([])).toBeUndefined();
});

it('takes no key that was sent more than once, not even twice the same', () => {
  fc.assert(fc.property(keys, keys, (one, other) => idempotencyKey([quoted(one), quoted(other)]) === null));
  expect(idempotencyKey(['k', 'k'])).toBeNull();
});

describe('the id of an import', () => {
  it('is the same for the same company and key, and has the characters of an id', () => {
    expect(importIdForKey('acme', 'k')).toBe(importIdForKey('acme', 'k'));
    const ids = [importIdForKey('acme', 'k'), importIdForKey('acme', 'l'), importIdForKey('beta', 'k')];
    expect(new Set(ids).size).toBe(3);
    expect(ids.every(isImportId)).toBe(true);
  });

  it('has 26 characters, however small the random number is', () => {
    expect(randomImportId({ hex: () => '0'.repeat(32) })).toBe('0'.repeat(26));
    expect(isImportId(randomImportId({ hex: () => 'f'.repeat(32) }))).toBe(true);
  });

  it.each(['', 'A'.repeat(26), 'a'.repeat(25), 'a'.repeat(27), `${'a'.repeat(25)}#`])('is not %j', (text) => {
    expect(isImportId(text)).toBe(false);
  });
});

describe('the fingerprint of a payload', () => {
  const of = (text: string) => fingerprintOf(JSON.parse(text) as Record<string, unknown>);

  it('is the same for the same JSON value, whatever the order of members and the spelling', () => {
    expect(of('{"dry_run":false,"records":[{"a":1.0,"b":"\\u0041"}]}')).toBe(
      of('{"records":[{"b":"A","a":1}],"dry_run":false}'),
    );
  });

  it.each([
    '{"dry_run":true,"records":[{"a":1}]}',
    '{"dry_run":false,"records":[{"a":2}]}',
    '{"dry_run":false,"records":[{"a":1},{}]}',
    '{"dry_run":false,"records":[{"a":1}],"more":null}',
  ])('differs for %s', (text) => {
    expect(of(text)).not.toBe(of('{"dry_run":false,"records":[{"a":1}]}'));
  });
});
