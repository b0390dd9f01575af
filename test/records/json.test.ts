/** JSON text and size of what was sent. Costs milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, isObject, jsonBytes, jsonText } from '../../functions/records/json.ts';

it.each([
  ['an object', {}, true],
  ['an array', [], false],
  ['null', null, false],
  ['a string', 'x', false],
])('isObject: %s', (_reason, value, is) => {
  expect(isObject(value)).toBe(is);
});

describe('jsonText', () => {
  it.each([
    '{"a":1e400,"b":[-1e400,{"__proto__":1}],"c":null}',
    '[1,"1e400",true,{"x":{"y":[]}}]',
    '{"__proto__":{"admin":true},"ä\\ud800":"\\u0000"}',
    '1e400',
    'null',
  ])('%s reads back as it was', (text) => {
    const value: unknown = JSON.parse(text);
    expect(JSON.parse(jsonText(value))).toStrictEqual(value);
  });

  it('a number that no double holds is no null', () => {
    expect(jsonText(JSON.parse('{"b":1e400,"a":[-1e400]}'))).toBe('{"b":1e999,"a":[-1e999]}');
  });

  it('members that are undefined are left out', () => {
    expect(jsonText({ a: undefined, b: Infinity })).toBe('{"b":1e999}');
  });

  it('everything else is written as JSON.stringify writes it', () => {
    const value = { b: [1, -0, 'é', null, { c: undefined }], a: '2' };
    expect(jsonText(value)).toBe(JSON.stringify(value));
  });
});

describe('canonicalJson', () => {
  it.each([
    ['members are sorted at every level', '{"b":1,"a":{"d":2,"c":3}}', '{"a":{"c":3,"d":2},"b":1}'],
    ['the order of an array counts', '[2,1]', '[2,1]'],
    ['−0 is 0', '-0', '0'],
    ['numbers count by value', '[1.0,1e2,0.10]', '[1,100,0.1]'],
    ['escapes count by value', '"\\u0041\\/"', '"A/"'],
    ['a number too large for a double is not null', '[1e999,-1e999,null]', '[1e999,-1e999,null]'],
    ['hostile names are names', '{"constructor":2,"__proto__":{"x":1}}', '{"__proto__":{"x":1},"constructor":2}'],
    ['a lone surrogate differs from U+FFFD', '["\\ud800","\\ufffd"]', '["\\ud800","\ufffd"]'],
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

describe('jsonBytes', () => {
  it('counts UTF-8 bytes', () => {
    expect(jsonBytes('é😀')).toBe(2 + 2 + 4);
  });

  it('a value nested too deep to be written has no size that fits', () => {
    expect(jsonBytes(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)))).toBe(Number.POSITIVE_INFINITY);
  });
});
