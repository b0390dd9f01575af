import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, jsonBytes } from '../../functions/records/json.ts';

describe('canonical JSON', () => {
  it.each([
    ['members are sorted at every level', '{"b":1,"a":{"d":2,"c":3}}', '{"a":{"c":3,"d":2},"b":1}'],
    ['the order of an array counts', '[2,1]', '[2,1]'],
    ['−0 is 0', '-0', '0'],
    ['numbers count by value', '[1.0,1e2,0.10]', '[1,100,0.1]'],
    ['escapes count by value', '"\\u0041\\/"', '"A/"'],
    ['a number too large for a double is not null', '[1e999,-1e999,null]', '[1e999,-1e999,null]'],
    ['hostile names are names', '{"constructor":2,"__proto__":{"x":1}}', '{"__proto__":{"x":1},"constructor":2}'],
    ['a lone surrogate is told apart from U+FFFD', '["\\ud800","\\ufffd"]', '["\\ud800","\ufffd"]'],
  ])('%s', (_reason, sent, canonical) => {
    expect(canonicalJson(JSON.parse(sent))).toBe(canonical);
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  });

  it('keeps the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('size as JSON', () => {
  it('counts UTF-8 bytes', () => {
    expect(jsonBytes('é😀')).toBe(2 + 2 + 4);
  });

  it('a value nested too deep to be written has no size that fits', () => {
    expect(jsonBytes(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)))).toBe(Number.POSITIVE_INFINITY);
  });
});
