/** The Idempotency-Key header, the ids of imports, and the payload that a key is bound to. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fingerprintOf,
  idempotencyKey,
  importIdForKey,
  randomImportId,
} from '../../functions/imports/idempotency-key.ts';
import { CODE_POINT } from '../kit/code-point.ts';
import { isImportId } from '../../functions/records/identifiers.ts';

const visible = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at));
const keys = fc.string({ unit: fc.constantFrom(...visible), minLength: 1, maxLength: 255 });
const quoted = (key: string) => `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

it('idempotencyKey: 1 to 255 visible ASCII characters, bare or quoted → the same key', () => {
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

it('idempotencyKey: any other text → null', () => {
  const other = fc.string({ unit: CODE_POINT }).filter((text) => /[^!-~]/.test(text));
  fc.assert(
    fc.property(keys, other, keys, (before, wrong, after) => {
      expect(idempotencyKey([`k${before}${wrong}${after}`])).toBeNull();
      expect(idempotencyKey([`"${wrong}"`])).toBeNull();
    }),
  );
  for (const header of ['', '""', '"a', '"a"b', '"a\\b"', 'k'.repeat(256), quoted('k'.repeat(256))])
    expect(idempotencyKey([header])).toBeNull();
  expect(idempotencyKey([])).toBeUndefined();
});

it('idempotencyKey: a key that was sent more than once, even twice the same → null', () => {
  fc.assert(fc.property(keys, keys, (one, other) => idempotencyKey([quoted(one), quoted(other)]) === null));
  expect(idempotencyKey(['k', 'k'])).toBeNull();
});

describe('the id of an import', () => {
  it('the same company and key have the same id, with the characters of an id', () => {
    expect(importIdForKey('acme', 'k')).toBe(importIdForKey('acme', 'k'));
    const ids = [importIdForKey('acme', 'k'), importIdForKey('acme', 'l'), importIdForKey('beta', 'k')];
    expect(new Set(ids).size).toBe(3);
    expect(ids.every(isImportId)).toBe(true);
  });

  it('an id has 26 characters, however small the random number is', () => {
    expect(randomImportId({ hex: () => '0'.repeat(32) })).toBe('0'.repeat(26));
    expect(isImportId(randomImportId({ hex: () => 'f'.repeat(32) }))).toBe(true);
  });

  it.each(['', 'A'.repeat(26), 'a'.repeat(25), 'a'.repeat(27), `${'a'.repeat(25)}#`])('%j is not an id', (text) => {
    expect(isImportId(text)).toBe(false);
  });
});

describe('the fingerprint of a payload', () => {
  const of = (text: string) => fingerprintOf(JSON.parse(text) as Record<string, unknown>);

  it('the same JSON value has the same fingerprint, whatever the order of its members and its spelling', () => {
    expect(of('{"dry_run":false,"records":[{"a":1.0,"b":"\\u0041"}]}')).toBe(
      of('{"records":[{"b":"A","a":1}],"dry_run":false}'),
    );
  });

  it.each([
    '{"dry_run":true,"records":[{"a":1}]}',
    '{"dry_run":false,"records":[{"a":2}]}',
    '{"dry_run":false,"records":[{"a":1},{}]}',
    '{"dry_run":false,"records":[{"a":1}],"more":null}',
  ])('another fingerprint belongs to %s', (text) => {
    expect(of(text)).not.toBe(of('{"dry_run":false,"records":[{"a":1}]}'));
  });
});
