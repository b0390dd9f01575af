/** What every answer carries and how errors are told. Handlers over memory services; costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { REQUEST_ERROR_STATUS } from '../../functions/shared/codes.ts';
import { publicOperation, staticOperation } from '../../functions/http/handler.ts';
import { RequestRejected } from '../../functions/http/types.ts';
import type { ApiRequest, PublicOperation } from '../../functions/http/types.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { apiEvent, CONTEXT, invoke } from '../kit/api-event.ts';
import { authServices } from '../kit/auth-services.ts';

let setting: Awaited<ReturnType<typeof authServices>>;

beforeEach(async () => {
  setting = await authServices();
});

const handlerOf = (operation: PublicOperation) => publicOperation(operation, () => setting.services);
const failing = (error: unknown) =>
  handlerOf(async () => {
    throw error;
  });
const answering = (headers?: Record<string, string>) =>
  handlerOf(async () => ({ statusCode: 200, ...(headers && { headers }), body: { ok: true } }));

describe('every answer', () => {
  it.each([
    ['a success', () => answering()],
    ['a rejection', () => failing(new RequestRejected('record_not_found', 'unknown'))],
    ['a fault', () => failing(new Error('boom'))],
  ])('that is %s carries the request id, its type and the security headers', async (_, handler) => {
    expect((await invoke(handler())).headers).toMatchObject({
      'x-request-id': 'request-1',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringContaining('max-age='),
    });
  });

  it.each(['/api/v1/auth/login', '/api/v1/auth/unknown', '/api/v1/auth'])(
    'under %s is not to be stored',
    async (rawPath) => {
      expect((await invoke(answering(), { rawPath })).headers['cache-control']).toBe('no-store');
      expect((await invoke(failing(new Error('boom')), { rawPath })).headers['cache-control']).toBe('no-store');
    },
  );

  it('may be stored where the operation says so, and elsewhere nothing is said', async () => {
    const cacheable = answering({ 'Cache-Control': 'public, max-age=300' });
    expect((await invoke(cacheable, { rawPath: '/api/v1/auth/.well-known/jwks.json' })).headers['cache-control']).toBe(
      'public, max-age=300',
    );
    expect((await invoke(answering(), { rawPath: '/api/v1/authors' })).headers['cache-control']).toBeUndefined();
  });
});

describe('the error envelope', () => {
  it.each(Object.entries(REQUEST_ERROR_STATUS))('tells %s with status %i', async (error_code, status) => {
    const rejected = new RequestRejected(error_code as keyof typeof REQUEST_ERROR_STATUS, 'why', { field: 'records' });
    const answer = await invoke(failing(rejected));
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      errors: [{ error_code, message: 'why', field: 'records' }],
      request_id: 'request-1',
    });
  });

  it('has no field where there is none', async () => {
    const answer = await invoke(failing(new RequestRejected('route_not_found', 'unknown')));
    expect(answer.body.errors[0]).not.toHaveProperty('field');
  });

  it('says when to come back', async () => {
    const limited = new RequestRejected('too_many_requests', 'slow down', { retryAfterSeconds: 42 });
    expect((await invoke(failing(limited))).headers['retry-after']).toBe('42');
    expect((await invoke(failing(new RequestRejected('too_many_requests', 'slow down')))).headers['retry-after']).toBe(
      '2',
    );
    expect((await invoke(failing(new TemporarilyUnavailable('table')))).headers['retry-after']).toBe('2');
  });

  it('challenges on protected operations only', async () => {
    expect(
      (await invoke(failing(new RequestRejected('unauthorized', 'no')))).headers['www-authenticate'],
    ).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['an error', new Error('secret cause')],
    ['a type error', new TypeError('secret cause')],
    ['a text', 'secret cause'],
    ['nothing', undefined],
  ])('tells nothing about the cause of a fault that is %s', async (_, cause) => {
    const answer = await invoke(failing(cause));
    expect(answer.status).toBe(500);
    expect(answer.body.errors[0].error_code).toBe('internal_error');
    expect(JSON.stringify(answer)).not.toContain('secret cause');
  });

  it('is the answer where the operation takes too long', async () => {
    const never = handlerOf(() => new Promise(() => {}));
    const answer = await never(apiEvent(), { ...CONTEXT, getRemainingTimeInMillis: () => 0 });
    expect(answer.statusCode).toBe(503);
  });

  it('is the answer where the result cannot be written as JSON', async () => {
    const odd = handlerOf(async () => ({ statusCode: 200, body: { count: 1n } }));
    expect((await invoke(odd)).status).toBe(500);
  });
});

describe('the request', () => {
  it('is read without prototypes, whatever its names are', async () => {
    const seen: ApiRequest[] = [];
    const handler = handlerOf(async (request) => (seen.push(request), { statusCode: 200, body: {} }));
    const query = JSON.parse('{"__proto__":"x","constructor":"y"}');
    await invoke(handler, { query, headers: { 'X-Odd': '1' }, sourceIp: '203.0.113.9' });
    expect(seen[0]?.query['toString']).toBeUndefined();
    expect(seen[0]?.query['constructor']).toBe('y');
    expect(seen[0]?.headers).toMatchObject({ 'x-odd': '1' });
    expect(seen[0]).toMatchObject({ requestId: 'request-1', sourceIp: '203.0.113.9' });
  });

  it('has an attempt id of its own in every invocation', async () => {
    const attempts = new Set<string>();
    const handler = handlerOf(async ({ attemptId }) => (attempts.add(attemptId), { statusCode: 200, body: {} }));
    for (let invocation = 0; invocation < 5; invocation += 1) await invoke(handler);
    expect(attempts.size).toBe(5);
  });
});

describe('the services', () => {
  it('are asked for on the first invocation, once', async () => {
    let asked = 0;
    const handler = publicOperation(
      async () => ({ statusCode: 200, body: {} }),
      () => ((asked += 1), setting.services),
    );
    expect(asked).toBe(0);
    await invoke(handler);
    await invoke(handler);
    expect(asked).toBe(1);
  });

  it('are not needed by a static operation', async () => {
    const handler = staticOperation(
      async () => ({ statusCode: 200, body: { fixed: true } }),
      () => setting.services,
    );
    expect(await invoke(handler)).toMatchObject({ status: 200, body: { fixed: true } });
  });
});

describe('the log', () => {
  it('holds one line a request, without bodies, tokens, passwords or addresses', async () => {
    const handler = handlerOf(async (request) => ({
      statusCode: 201,
      body: { import_id: 'a'.repeat(26), sent: request.json() },
    }));
    const parts = {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret-token' },
      body: '{"email":"ada@acme.test","password":"secret"}',
      path: { company_id: 'ada@acme.test' },
    };
    await invoke(handler, parts);
    await invoke(handler, parts);
    const { lines, flushes } = setting.telemetry;
    expect(lines.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({
        request_id: 'request-1',
        route: 'POST /',
        status: 201,
        cold_start: true,
        import_id: 'a'.repeat(26),
      }),
      expect.objectContaining({ cold_start: false }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|acme/);
    expect(flushes).toBe(2);
  });

  it('holds the code of a rejection, and one more line for a fault only', async () => {
    await invoke(failing(new RequestRejected('record_not_found', 'unknown')));
    await invoke(failing(new Error('boom')));
    expect(setting.telemetry.lines.map(({ level, fields }) => [level, fields['error_code']])).toEqual([
      ['info', 'record_not_found'],
      ['error', undefined],
      ['info', 'internal_error'],
    ]);
  });
});
