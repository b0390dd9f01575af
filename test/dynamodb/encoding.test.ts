/** How values are stored as text or bytes. Milliseconds. */
import { describe, expect, it } from 'vitest';
import {
  FORMATS,
  assertReadableAttributes,
  compressJson,
  compressJsonText,
  packInstant,
  packJson,
  readable,
  stamped,
  unpackInstant,
  unpackJson,
} from '../../functions/dynamodb/encoding.ts';

describe('a JSON value', () => {
  const odd = { records: ['\ud800', '😀', null, 1e-310], ['__proto__']: { a: 1 } };

  it('a JSON value is read from its compressed form', () => {
    expect(unpackJson(compressJson(odd))).toEqual(odd);
    expect(unpackJson(compressJsonText(JSON.stringify(odd)))).toEqual(odd);
  });

  it('a JSON value is stored as text while it is short, and compressed beyond 32 KB', () => {
    const long = Array.from({ length: 10_000 }, (_, at) => at);
    expect([typeof packJson(odd), packJson(long) instanceof Uint8Array]).toEqual(['string', true]);
    expect([unpackJson(packJson(odd)), unpackJson(packJson(long))]).toEqual([odd, long]);
  });
});

describe('a format', () => {
  it('an item of a later format is refused as a fault that passes, and never taken for absent', () => {
    const later = expect.objectContaining({ name: 'TemporarilyUnavailable' });
    expect(() => readable({ v: FORMATS.written + 2 })).toThrow(later);
    expect(() => assertReadableAttributes({ 'm99#import#0': '{}' })).toThrow(later);
    expect(() =>
      assertReadableAttributes({ 'm#import#0': '{}', 'm1#import#0': '{}', 'summary#12': '{}' }),
    ).not.toThrow();
    expect(readable(stamped({ pk: 'a' }))).toEqual({ pk: 'a', v: FORMATS.written });
  });

  it('the written format is one that the neighbouring releases read', () => {
    expect(FORMATS.read).toContain(FORMATS.written);
  });
});

it.each([
  ['2024-01-02T03:04:05.000Z', '20240102T030405Z'],
  ['2024-01-02T03:04:05.678Z', '20240102T030405.678Z'],
  ['+010000-01-02T03:04:05.000Z', '+0100000102T030405Z'],
  ['-000001-01-02T03:04:05.000Z', '-0000010102T030405Z'],
])('the instant %s is stored as %s', (instant, packed) => {
  expect(packInstant(instant)).toBe(packed);
  expect(unpackInstant(packed)).toBe(instant);
});
