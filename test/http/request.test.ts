/** What a request body may be (§4). Pure; costs milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBody } from '../../functions/http/request.ts';
import type { RawBody } from '../../functions/http/request.ts';
import { RequestRejected } from '../../functions/http/types.ts';

const MIB4 = 4 * 1024 * 1024;

function judged(body: Partial<RawBody>): unknown {
  try {
    return jsonBody({ text: undefined, isBase64: false, contentType: 'application/json', ...body });
  } catch (error) {
    if (error instanceof RequestRejected) return error.problem.error_code;
    throw error;
  }
}

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('a body', () => {
  it.each<[string, Partial<RawBody>]>([
    ['absent', {}],
    ['empty', { text: '' }],
    ['broken JSON', { text: '{"a":' }],
    ['a bare word', { text: 'NaN' }],
    ['an array', { text: '[]' }],
    ['null', { text: 'null' }],
    ['a string', { text: '"a"' }],
    ['a number', { text: '1' }],
    ['led by a byte order mark', { text: '\uFEFF{}' }],
    ['of no type', { text: '{}', contentType: undefined }],
    ['of another type', { text: '{}', contentType: 'text/plain' }],
    ['of a type that only begins like JSON', { text: '{}', contentType: 'application/json-patch' }],
    ['in another charset', { text: '{}', contentType: 'application/json; charset=iso-8859-1' }],
    ['invalid UTF-8', { text: Buffer.from('{"a":"\xff"}', 'latin1').toString('base64'), isBase64: true }],
    ['33 levels deep', { text: nested(33) }],
    ['so deep that a parser would overflow', { text: '['.repeat(1_000_000) }],
    ['closed more often than opened', { text: ']'.repeat(50) + '['.repeat(20) }],
  ])('%s is invalid_request', (_, body) => {
    expect(judged(body)).toBe('invalid_request');
  });

  it.each<[string, Partial<RawBody>]>([
    ['with a charset', { contentType: 'application/json; charset=utf-8' }],
    ['with a quoted charset in capitals', { contentType: 'Application/JSON;charset="UTF-8"' }],
    ['with blanks around it', { contentType: ' application/json ' }],
  ])('typed %s is read', (_, body) => {
    expect(judged({ text: '{"a":1}', ...body })).toEqual({ a: 1 });
  });

  it('of 32 levels is read', () => {
    expect(judged({ text: nested(32) })).toHaveProperty('a');
  });

  it('may hold brackets and escaped quotes in strings without nesting', () => {
    const body = { a: `\\"${'[{'.repeat(100)}` };
    expect(judged({ text: JSON.stringify(body) })).toEqual(body);
  });

  it('in base64 is decoded', () => {
    expect(judged({ text: Buffer.from('{"é":"😀"}').toString('base64'), isBase64: true })).toEqual({ é: '😀' });
  });

  it('may have a member named __proto__, which is a member and nothing else', () => {
    const body = judged({ text: '{"__proto__":{"polluted":true}}' });
    expect(Object.hasOwn(body as object, '__proto__')).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('of exactly 4 MiB is read, of one byte more it is too large, whatever else is wrong with it', () => {
    const text = `{"a":"${'x'.repeat(MIB4 - 8)}"}`;
    expect(judged({ text })).toHaveProperty('a');
    expect(judged({ text: `${text} ` })).toBe('payload_too_large');
    expect(judged({ text: `${text} `, contentType: 'text/plain' })).toBe('payload_too_large');
  });

  it('is measured in bytes, not characters', () => {
    expect(judged({ text: `{"a":"${'é'.repeat(MIB4 / 2)}"}` })).toBe('payload_too_large');
  });

  it('never fails but by a rejection', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), fc.boolean(), (text, isBase64) => {
        const answer = judged({ text, isBase64 });
        expect(answer === 'invalid_request' || (typeof answer === 'object' && answer !== null)).toBe(true);
      }),
    );
  });
});
