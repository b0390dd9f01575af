/** The body of a request (§4). Pure; costs seconds. */
import { deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODE_POINT } from '../kit/code-point.ts';
import { jsonBody } from '../../functions/http/json-body.ts';
import type { SentBody } from '../../functions/http/types.ts';
import { RequestRejected } from '../../functions/http/types.ts';

const MIB4 = 4 * 1024 * 1024;

function outcomeOf(body: Partial<SentBody>): unknown {
  try {
    return jsonBody({ text: undefined, isBase64: false, contentType: 'application/json', ...body });
  } catch (error) {
    if (error instanceof RequestRejected) return error.problem.error_code;
    throw error;
  }
}

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('a body', () => {
  it.each<[string, Partial<SentBody>]>([
    ['absent', {}],
    ['empty', { text: '' }],
    ['broken JSON', { text: '{"a":' }],
    ['a bare word', { text: 'NaN' }],
    ['an array', { text: '[]' }],
    ['null', { text: 'null' }],
    ['a string', { text: '"a"' }],
    ['a number', { text: '1' }],
    ['led by two byte-order marks', { text: '\uFEFF\uFEFF{}' }],
    ['of no type', { text: '{}', contentType: undefined }],
    ['of another type', { text: '{}', contentType: 'text/plain' }],
    ['of a type that only begins like JSON', { text: '{}', contentType: 'application/json-patch' }],
    ['in another charset', { text: '{}', contentType: 'application/json; charset=iso-8859-1' }],
    ['invalid UTF-8', { text: Buffer.from('{"a":"\xff"}', 'latin1').toString('base64'), isBase64: true }],
    ['in UTF-16', { text: Buffer.from('{"a":1}', 'utf16le').toString('base64'), isBase64: true }],
    ['33 levels deep', { text: nested(33) }],
    ['so deep that a parser would overflow', { text: '['.repeat(1_000_000) }],
    ['closed more often than opened', { text: ']'.repeat(50) + '['.repeat(20) }],
  ])('a body %s is invalid_request', (_, body) => {
    expect(outcomeOf(body)).toBe('invalid_request');
  });

  it.each<[string, Partial<SentBody>]>([
    ['with a charset', { contentType: 'application/json; charset=utf-8' }],
    ['with a quoted charset in capitals', { contentType: 'Application/JSON;charset="UTF-8"' }],
    ['with blanks around it', { contentType: ' application/json ' }],
    ['in ASCII', { contentType: 'application/json; charset=US-ASCII' }],
  ])('a body typed %s is read', (_, body) => {
    expect(outcomeOf({ text: '{"a":1}', ...body })).toEqual({ a: 1 });
  });

  it.each<[string, Partial<SentBody>]>([
    ['as text', { text: '\uFEFF{"a":1}' }],
    ['in base64', { text: Buffer.from('\uFEFF{"a":1}').toString('base64'), isBase64: true }],
  ])('a body may begin with a byte-order mark, %s', (_, body) => {
    expect(outcomeOf(body)).toEqual({ a: 1 });
  });

  it('a body of 32 levels is read', () => {
    expect(outcomeOf({ text: nested(32) })).toHaveProperty('a');
  });

  it('a body may have brackets and escaped quotes in strings without nesting', () => {
    const body = { a: `\\"${'[{'.repeat(100)}` };
    expect(outcomeOf({ text: JSON.stringify(body) })).toEqual(body);
  });

  it('a body in base64 is decoded', () => {
    expect(outcomeOf({ text: Buffer.from('{"é":"😀"}').toString('base64'), isBase64: true })).toEqual({ é: '😀' });
  });

  it('a body may have a member named __proto__, which is an ordinary member', () => {
    const body = outcomeOf({ text: '{"__proto__":{"polluted":true}}' });
    expect(Object.hasOwn(body as object, '__proto__')).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('a body of exactly 4 MiB is read; one of one byte more is too large, whatever else is wrong with it', () => {
    const text = `{"a":"${'x'.repeat(MIB4 - 8)}"}`;
    expect(outcomeOf({ text })).toHaveProperty('a');
    expect(outcomeOf({ text: `${text} ` })).toBe('payload_too_large');
    expect(outcomeOf({ text: `${text} `, contentType: 'text/plain' })).toBe('payload_too_large');
  });

  it('the size of a body is measured in bytes, not characters', () => {
    expect(outcomeOf({ text: `{"a":"${'é'.repeat(MIB4 / 2)}"}` })).toBe('payload_too_large');
  });

  it('a body is read or rejected, and causes no other error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: CODE_POINT }), fc.json()), fc.boolean(), (text, isBase64) => {
        const response = outcomeOf({ text, isBase64 });
        expect(response === 'invalid_request' || (typeof response === 'object' && response !== null)).toBe(true);
      }),
    );
  });

  it('a body that names a member twice is refused, and its path named', () => {
    const body = {
      text: '{"records":[{},{"user":{"email":1,"email":2}}]}',
      isBase64: false,
      contentType: 'application/json',
    };
    const problem = { field: 'records.1.user.email', message: expect.stringContaining('records.1.user.email') };
    expect(() => jsonBody(body)).toThrow(expect.objectContaining({ problem: expect.objectContaining(problem) }));
  });
});

describe('Content-Encoding', () => {
  const TEXT = '{"a":1}';
  const base64 = (bytes: Buffer) => ({ text: bytes.toString('base64'), isBase64: true });

  it.each([
    ['gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    [' Deflate ', deflateSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['gzip', Buffer.from(TEXT)],
  ])('a body in %s is read, unpacked by the gateway or not', (contentEncoding, bytes) => {
    expect(outcomeOf({ ...base64(bytes), contentEncoding })).toEqual({ a: 1 });
  });

  it.each(['br', 'toString', '__proto__', 'gzip, deflate', 'x-gzip', 'utf-8'])(
    'a body in %s is refused',
    (contentEncoding) => {
      expect(() =>
        jsonBody({ ...base64(Buffer.from(TEXT)), contentType: 'application/json', contentEncoding }),
      ).toThrow(`Content-Encoding must be gzip or deflate, or absent, not "${contentEncoding}".`);
    },
  );

  it('the limit holds for the content of a compressed body, and a broken one is malformed', () => {
    const bomb = gzipSync(Buffer.alloc(MIB4 + 1, ' '));
    expect(outcomeOf({ ...base64(bomb), contentEncoding: 'GZIP' })).toBe('payload_too_large');
    expect(outcomeOf({ ...base64(gzipSync(TEXT).subarray(0, 12)), contentEncoding: 'gzip' })).toBe('invalid_request');
  });
});
