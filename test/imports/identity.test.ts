/** The Idempotency-Key header: which values are keys, and which keys are the same. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseIdempotencyKey } from '../../functions/imports/identity.ts';

const visible = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at));
const keys = fc.string({ unit: fc.constantFrom(...visible), minLength: 1, maxLength: 255 });
const quoted = (key: string) => `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

it('takes every visible ASCII text of 1 to 255 characters, bare or quoted, as the same key', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(parseIdempotencyKey(quoted(key))).toBe(key);
      expect(parseIdempotencyKey(` ${quoted(key)} `)).toBe(key);
    }),
  );
  const unquoted = keys.filter((key) => !key.startsWith('"'));
  fc.assert(fc.property(unquoted, (key) => parseIdempotencyKey(key) === key));
  expect(parseIdempotencyKey('k'.repeat(255))).toBe('k'.repeat(255));
  expect(parseIdempotencyKey(quoted('"'.repeat(255)))).toBe('"'.repeat(255));
});

it('takes nothing else', () => {
  const other = fc.string({ unit: 'binary' }).filter((text) => /[^!-~]/.test(text));
  fc.assert(
    fc.property(keys, other, keys, (before, wrong, after) => {
      expect(parseIdempotencyKey(`k${before}${wrong}${after}`)).toBeNull();
      expect(parseIdempotencyKey(`"${wrong}"`)).toBeNull();
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
    expect(parseIdempotencyKey(header)).toBeNull();
  }
  expect(parseIdempotencyKey(undefined)).toBeUndefined();
});
