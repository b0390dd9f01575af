/** JSON text, its canonical form (RFC 8785) and the size of sent values. Costs milliseconds. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  canonicalJson,
  isObject,
  jsonBytes,
  jsonText,
  membersIn,
  membersNamed,
  repeatedMember,
} from '../../functions/records/json.ts';
import { CODE_POINT } from '../kit/code-point.ts';

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
  ])('jsonText: %s is read as the same value', (text) => {
    const value: unknown = JSON.parse(text);
    expect(JSON.parse(jsonText(value))).toStrictEqual(value);
  });

  it('jsonText: a number that no double holds is not null', () => {
    expect(jsonText(JSON.parse('{"b":1e400,"a":[-1e400]}'))).toBe('{"b":1e999,"a":[-1e999]}');
  });

  it('jsonText: any other value is written as JSON.stringify writes it', () => {
    const value = { b: [1, -0, 'é', null, { c: undefined }], a: '2' };
    expect(jsonText(value)).toBe(JSON.stringify(value));
  });
});

describe('canonicalJson', () => {
  it.each([
    ['members are sorted at every level', '{"b":1,"a":{"d":2,"c":3}}', '{"a":{"c":3,"d":2},"b":1}'],
    ['−0 is 0', '-0', '0'],
    ['escapes count by value', '"\\u0041\\/"', '"A/"'],
    ['a number too large for a double is not null', '[1e999,-1e999,null]', '[1e999,-1e999,null]'],
    ['hostile names are names', '{"constructor":2,"__proto__":{"x":1}}', '{"__proto__":{"x":1},"constructor":2}'],
    ['a lone surrogate differs from U+FFFD', '["\\ud800","\\ufffd"]', '["\\ud800","\ufffd"]'],
  ])('canonicalJson: %s', (_reason, sent, canonical) => {
    expect(canonicalJson(JSON.parse(sent))).toBe(canonical);
  });

  it('canonicalJson: undefined members are left out', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  });

  it('canonicalJson: the text is read as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: CODE_POINT, maxDepth: 6 }), (value) => {
        expect(isDeepStrictEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
  });
});

describe('jsonBytes', () => {
  it('jsonBytes: a value → its UTF-8 bytes', () => {
    expect(jsonBytes('é😀')).toBe(2 + 2 + 4);
  });

  it('jsonBytes: a value nested too deep to be written → infinity', () => {
    expect(jsonBytes(JSON.parse(`${'{"1":'.repeat(200_000)}1${'}'.repeat(200_000)}`))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('members', () => {
  it('a text has as many members as its value, whatever the value is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: CODE_POINT, maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(membersIn(JSON.parse(text))).toBe(membersNamed(text, 32));
        expect(repeatedMember(text)).toBeUndefined();
      }),
    );
  });

  it('members are not counted where the text nests too deep', () => {
    expect(membersNamed('{"a":[[]]}', 3)).toBe(1);
    expect(membersNamed('{"a":[[]]}', 2)).toBeUndefined();
  });

  it.each([
    ['in the object itself', '{"a":1,"b":2,"a":1}', ['a']],
    ['in a record', '{"records":[{},{"user":{"email":"x","email":"x"}}]}', ['records.1.user.email']],
    ['in another spelling', String.raw`{"a":1,"\u0061":2}`, ['a']],
    ['with blanks before the colon', '{"a" : 1,"a"\n:2}', ['a']],
    ['with strings that look like members', String.raw`{"a":"\"a\":","b":["a","a"],"b":1}`, ['b']],
    ['three times', '{"a":1,"a":2,"a":3}', ['a']],
    ['as __proto__', '{"__proto__":1,"__proto__":{}}', ['__proto__']],
    ['after an array of arrays', '[[1,[2,{"a":1}]],{"a":1,"a":2}]', ['1.a']],
    ['in two objects', '{"a":{"x":1,"x":2},"b":[{"x":1},{"y":1,"y":1}]}', ['a.x']],
  ])('a member named twice %s is found', (_, text, [path]) => {
    expect(repeatedMember(text)).toBe(path);
    expect(membersIn(JSON.parse(text))).not.toBe(membersNamed(text, 32));
  });

  it('members of the same name in different objects are no repeats', () => {
    expect(repeatedMember('{"a":{"a":[{"a":1},{"a":1}]}}')).toBeUndefined();
  });

  it('the first repeat is found, and nothing behind it is read', () => {
    const text = `{${'"a":1,'.repeat(600_000)}"b":1}`;
    const parsed = vi.spyOn(JSON, 'parse');
    expect(repeatedMember(text)).toBe('a');
    expect(parsed).toHaveBeenCalledTimes(2);
    parsed.mockRestore();
  });
});

it('is the text that RFC 8785 gives for its example', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(value)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

it('members are in the order of their UTF-16 code units', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6', '10', '9'];
  const expected = ['\r', '1', '10', '9', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
  const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
  expect([...text.matchAll(/("[^"]*"):0/g)].map(([, name = '']) => JSON.parse(name))).toEqual(expected);
});
