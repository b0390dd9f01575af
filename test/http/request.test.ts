/** The body and the query parameters of a request (§4). Pure; costs seconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAll, choiceFrom, jsonBody, limitFrom, rejectionOf } from '../../functions/http/request.ts';
import type { RawBody } from '../../functions/http/request.ts';
import { RequestRejected } from '../../functions/http/types.ts';
import type { ApiRequest } from '../../functions/http/types.ts';
import { publicOperation } from '../../functions/http/chain.ts';
import type { Problem, RequestErrorCode } from '../../functions/shared/codes.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import { apiEvent, CONTEXT } from '../kit/api-event.ts';
import { recordingTelemetry } from '../kit/recording-telemetry.ts';

const MIB4 = 4 * 1024 * 1024;

function outcomeOf(body: Partial<RawBody>): unknown {
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
    ['led by two byte-order marks', { text: '\uFEFF\uFEFF{}' }],
    ['that names a member twice', { text: '{"a":1,"a":1}' }],
    ['of no type', { text: '{}', contentType: undefined }],
    ['of another type', { text: '{}', contentType: 'text/plain' }],
    ['of a type that only begins like JSON', { text: '{}', contentType: 'application/json-patch' }],
    ['in another charset', { text: '{}', contentType: 'application/json; charset=iso-8859-1' }],
    ['invalid UTF-8', { text: Buffer.from('{"a":"\xff"}', 'latin1').toString('base64'), isBase64: true }],
    ['33 levels deep', { text: nested(33) }],
    ['so deep that a parser would overflow', { text: '['.repeat(1_000_000) }],
    ['closed more often than opened', { text: ']'.repeat(50) + '['.repeat(20) }],
  ])('a body %s is invalid_request', (_, body) => {
    expect(outcomeOf(body)).toBe('invalid_request');
  });

  it.each<[string, Partial<RawBody>]>([
    ['with a charset', { contentType: 'application/json; charset=utf-8' }],
    ['with a quoted charset in capitals', { contentType: 'Application/JSON;charset="UTF-8"' }],
    ['with blanks around it', { contentType: ' application/json ' }],
  ])('a body typed %s is read', (_, body) => {
    expect(outcomeOf({ text: '{"a":1}', ...body })).toEqual({ a: 1 });
  });

  it.each<[string, Partial<RawBody>]>([
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
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), fc.boolean(), (text, isBase64) => {
        const answer = outcomeOf({ text, isBase64 });
        expect(answer === 'invalid_request' || (typeof answer === 'object' && answer !== null)).toBe(true);
      }),
    );
  });
});

const range = { max: 500, fallback: 100 };
const rejectedAt = (field: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ error_code: 'invalid_request', field }) });

describe('limit', () => {
  it('limit: absent → the default', () => {
    expect(limitFrom({}, range)).toBe(100);
  });

  it.each([
    ['1', 1],
    ['500', 500],
    ['42', 42],
  ])('limit: %s → its number', (limit, expected) => {
    expect(limitFrom({ limit }, range)).toBe(expected);
  });

  it.each([
    '',
    '0',
    '-1',
    '501',
    '1.5',
    '1e2',
    '+5',
    ' 5',
    '5 ',
    '0x10',
    'abc',
    '5,6',
    '٣',
    '9'.repeat(400),
    'NaN',
    'Infinity',
  ])('limit: %j → a problem', (limit) => {
    expect(() => limitFrom({ limit }, range)).toThrow(rejectedAt('limit'));
  });
});

describe('a choice', () => {
  const statuses = ['success', 'error'] as const;

  it('a choice: absent → absent', () => {
    expect(choiceFrom({}, 'status', statuses)).toBeUndefined();
  });

  it('a choice: each of its values → that value', () => {
    expect(choiceFrom({ status: 'error' }, 'status', statuses)).toBe('error');
  });

  it.each(['', 'Error', 'error ', 'success,error', 'toString', '__proto__'])('a choice: %j → a problem', (status) => {
    expect(() => choiceFrom({ status }, 'status', statuses)).toThrow(rejectedAt('status'));
  });
});

describe('checkAll', () => {
  const rejecting = (...problems: Problem<RequestErrorCode>[]) => {
    const rejection = rejectionOf(problems);
    return () => {
      throw rejection;
    };
  };
  const wrong = { error_code: 'invalid_request', message: 'dry_run is required.', field: 'dry_run' } as const;
  const other = { error_code: 'invalid_request', message: 'emails is required.', field: 'emails' } as const;
  const tooLarge = {
    error_code: 'batch_too_large',
    message: 'records must have 1 to 1 items.',
    field: 'records',
  } as const;
  const problemsOf = (...readings: (() => unknown)[]) => {
    try {
      checkAll(...readings);
      return [];
    } catch (error) {
      if (!(error instanceof RequestRejected)) throw error;
      return [error.problem, ...error.others];
    }
  };

  it('readings without a problem → nothing', () => {
    expect(
      problemsOf(
        () => 1,
        () => undefined,
      ),
    ).toEqual([]);
  });

  it('several problems → all in their order, a batch that is too large first', () => {
    expect(problemsOf(rejecting(wrong), () => 1, rejecting(other))).toEqual([wrong, other]);
    expect(problemsOf(rejecting(wrong, other), rejecting(tooLarge))).toEqual([tooLarge, wrong, other]);
  });

  it('a fault of the service → that fault', () => {
    const fault = new TypeError('a fault');
    const failing = () => {
      throw fault;
    };
    expect(() => checkAll(rejecting(wrong), failing)).toThrow(fault);
  });
});

describe('an event of API Gateway', () => {
  const read = async (parts: Partial<ReturnType<typeof apiEvent>>) => {
    const seen: ApiRequest[] = [];
    const services = { clock: { nowMs: () => 0 }, random: secureRandom, telemetry: recordingTelemetry() };
    const operation = publicOperation(
      async (request) => {
        seen.push(request);
        return { statusCode: 200, body: {} };
      },
      () => services as never,
    );
    await operation({ ...apiEvent(), ...parts }, CONTEXT);
    return seen[0] as ApiRequest;
  };

  it('a repeated header → each of its values, however it is spelled; a repeated query parameter → an invalid value', async () => {
    const request = await read({
      multiValueHeaders: { 'X-Two': ['a', 'b'], 'x-two': ['c'], Authorization: ['Bearer t'] },
      multiValueQueryStringParameters: { limit: ['1', '2'], __proto__: ['p'] },
    });
    expect(request.headers).toMatchObject({ 'x-two': 'a,b,c', authorization: 'Bearer t' });
    expect(request.query['limit']?.isWellFormed()).toBe(false);
  });

  it('the parameters of the path are decoded, or kept as they are if they cannot be', async () => {
    const { path } = await read({ pathParameters: { run_id: 'a%2Fb%20%C3%A9', import_id: '%zz' } });
    expect({ ...path }).toEqual({ run_id: 'a/b é', import_id: '%zz' });
  });

  it.each([
    ['its own address', '/sandbox/v1/migrations/acme/progress/imports', '/sandbox'],
    ['a domain name', '/v1/migrations/acme/progress/imports', ''],
    ['a domain name with a base path', '/lms/v1/v1/migrations/acme/progress/imports', '/lms/v1'],
  ])('the prefix of the path before the route is found at %s', async (_, path, basePath) => {
    const resource = '/v1/migrations/{company_id}/progress/imports';
    const { requestContext } = apiEvent();
    expect((await read({ resource, requestContext: { ...requestContext, path } })).basePath).toBe(basePath);
  });

  it('the values of a header are returned one by one, however its name is spelled', async () => {
    const headers = { 'Idempotency-Key': ['a,b'], 'idempotency-key': ['c'] };
    const { headerValues } = await read({ multiValueHeaders: headers });
    expect([headerValues('idempotency-key'), headerValues('x-none')]).toEqual([['a,b', 'c'], []]);
  });
});
