/** The headers of every response, the error envelope (§7.2), and the log line of a request. Handlers over memory services; costs milliseconds. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as notFound } from '../../functions/handlers/route-not-found.ts';
import { jsonBody } from '../../functions/http/json-body.ts';
import { publicOperation } from '../../functions/http/chain.ts';
import { revalidated } from '../../functions/http/response.ts';
import { RequestRejected, type PublicOperation } from '../../functions/http/types.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { apiEvent, CONTEXT, invoke } from '../kit/api-event.ts';
import { useAuthServices } from '../kit/auth-services.ts';
import { REQUEST_ERROR_STATUS } from '../../functions/shared/codes.ts';

const setting = useAuthServices();

const handlerOf = (operation: PublicOperation) => publicOperation(() => setting().services, operation);

const failing = (error: unknown) =>
  handlerOf(async () => {
    throw error;
  });

const answering = (headers?: Record<string, string>) =>
  handlerOf(async () => ({ statusCode: 200, ...(headers && { headers }), body: { ok: true } }));

describe('every response', () => {
  it.each([
    ['a success', () => answering()],
    ['a rejection', () => failing(new RequestRejected('record_not_found', 'unknown'))],
    ['a fault', () => failing(new Error('boom'))],
  ])('every response to %s has the request id, its type and the security headers', async (_, handler) => {
    expect((await invoke(handler())).headers).toMatchObject({
      'x-request-id': 'request-1',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringContaining('max-age='),
    });
  });

  it('no response may be stored, unless the operation allows it', async () => {
    expect((await invoke(answering())).headers['cache-control']).toBe('no-store');
    expect((await invoke(failing(new Error('boom')))).headers['cache-control']).toBe('no-store');
    const cacheable = answering({ 'cache-control': 'public, max-age=300' });
    expect((await invoke(cacheable)).headers['cache-control']).toBe('public, max-age=300');
  });
});

describe('the log', () => {
  it('a request has one log line, without bodies, tokens, passwords or addresses', async () => {
    const handler = handlerOf(async (request) => ({
      statusCode: 201,
      body: { import_id: 'a'.repeat(26), sent: jsonBody(request.body) },
    }));
    const parts = {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret-token' },
      body: '{"email":"ada@acme.test","password":"secret"}',
      path: { company_id: 'ada@acme.test' },
    };
    await invoke(handler, parts);
    await invoke(handler, parts);
    const { lines, flushes } = setting().telemetry;
    expect(lines.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({
        request_id: 'request-1',
        route: 'POST /',
        status: 201,
        start_ms: expect.any(Number),
        memory_mb: expect.any(Number),
        source_ip: '192.0.2.1',
        import_id: 'a'.repeat(26),
      }),
      expect.objectContaining({ start_ms: undefined, memory_mb: expect.any(Number) }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|acme/);
    expect(flushes).toBe(2);
  });

  it('the log line of a rejection has its code, and only a fault has a second line', async () => {
    await invoke(failing(new RequestRejected('record_not_found', 'unknown')));
    await invoke(failing(new Error('boom')));
    expect(setting().telemetry.lines.map(({ level, fields }) => [level, fields['error_code']])).toEqual([
      ['info', 'record_not_found'],
      ['error', undefined],
      ['info', 'internal_error'],
    ]);
  });
});

describe('an unavailable dependency', () => {
  const cause = Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' });
  const down = () => failing(new TemporarilyUnavailable('The database is throttling or down.', { cause }));
  const errors = () => setting().telemetry.lines.filter(({ level }) => level === 'error');

  it('an unavailable dependency is logged by name with the error of AWS, the route and the request', async () => {
    await invoke(down());
    expect(errors()).toMatchObject([
      {
        error: { message: 'The database is throttling or down.', cause },
        fields: { route: 'GET /', request_id: 'request-1' },
      },
    ]);
  });

  it('an unavailable dependency is logged once a second, and counted each time', async () => {
    const handler = down();
    for (const ms of [0, 999, 1]) {
      setting().clock.now += ms;
      await invoke(handler);
    }
    expect(errors()).toHaveLength(2);
    const counted = setting().telemetry.samples.filter(({ metric }) => metric === 'TemporarilyUnavailable');
    expect(counted).toHaveLength(3);
  });
});

describe('pages of other origins', () => {
  afterEach(() => vi.unstubAllEnvs());
  const from = (origin: string, method = 'GET') => ({ method, headers: { Origin: origin } });

  it('a page of another origin reads no response unless its origin is named', async () => {
    const unnamed = await invoke(answering(), from('https://app.example.com'));
    vi.stubEnv('CORS_ORIGINS', 'https://app.example.com,http://localhost:5173');
    const foreign = await invoke(answering(), from('https://evil.example'));
    const same = await invoke(answering());
    for (const { headers } of [unnamed, foreign, same]) expect(JSON.stringify(headers)).not.toContain('access-control');
    // A cache keeps a response without these headers from the pages of a named origin.
    expect([unnamed, foreign, same].map(({ headers }) => headers['vary'])).toEqual([undefined, 'origin', 'origin']);
  });

  it('a page of a named origin reads every response, errors too, and the headers that a client needs', async () => {
    vi.stubEnv('CORS_ORIGINS', 'https://app.example.com,http://localhost:5173');
    for (const handler of [answering(), failing(new Error('boom'))]) {
      expect((await invoke(handler, from('http://localhost:5173'))).headers).toMatchObject({
        'access-control-allow-origin': 'http://localhost:5173',
        'access-control-expose-headers':
          'etag, location, retry-after, idempotent-replayed, ratelimit, ratelimit-policy, x-request-id',
        vary: 'origin',
      });
    }
  });

  it('the response to a preflight request lists what a page of a named origin may send', async () => {
    vi.stubEnv('CORS_ORIGINS', 'https://app.example.com');
    const { statusCode, headers, body } = await notFound(apiEvent(from('https://app.example.com', 'OPTIONS')), CONTEXT);
    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers':
        'authorization, content-encoding, content-type, idempotency-key, if-match, if-none-match',
      'access-control-max-age': '3600',
    });
    expect((await invoke(notFound, from('https://evil.example', 'OPTIONS'))).status).toBe(404);
  });
});

describe('a response that may be revalidated', () => {
  const body = vi.fn<() => object>(() => ({ read: true }));
  const handler = (from: unknown = 'one') =>
    handlerOf((request) => revalidated(request, { from, headers: { 'cache-control': 'public, max-age=300' }, body }));
  const asked = (ifNoneMatch: string | undefined, from?: unknown) =>
    invoke(handler(from), ifNoneMatch === undefined ? {} : { headers: { 'If-None-Match': ifNoneMatch } });
  const tag = async (from?: unknown) => String((await asked(undefined, from)).headers['etag']);

  beforeEach(() => void body.mockClear());
  afterEach(() => void vi.unstubAllEnvs());

  it('the weak tag of a response is the same for the same content and another for any other', async () => {
    expect(await tag()).toMatch(/^W\/"[\w-]{43}"$/);
    expect(await tag()).toBe(await tag());
    expect(await tag('two')).not.toBe(await tag());
  });

  it('the tag of a response changes with the version, which may send more members', async () => {
    const before = await tag();
    vi.stubEnv('SERVICE_VERSION', '2.0.0');
    expect(await tag()).not.toBe(before);
  });

  it.each([
    ['the tag', (own: string) => own],
    ['the tag as if it were strong', (own: string) => own.slice('W/'.length)],
    ['the tag in a list', (own: string) => `"a", W/"b,c" ,${own}`],
    ['*', () => ' * '],
  ])('a client that sends %s gets 304 with the same headers, without a body and without a read', async (_, sent) => {
    const first = await asked(undefined);
    body.mockClear();
    const again = await asked(sent(String(first.headers['etag'])));
    expect([again.status, again.body]).toEqual([304, undefined]);
    const { 'content-type': _type, ...others } = first.headers;
    expect(again.headers).toEqual(others);
    expect(body).not.toHaveBeenCalled();
  });

  it.each([['W/"other"'], ['"", "a"'], [''], ['not a tag'], ['"unclosed'], ['"*"'], ['*, "a"']])(
    'a client that sends %j, which names another copy or none, gets the whole response',
    async (sent) => {
      const whole = await asked(sent);
      expect([whole.status, whole.body]).toEqual([200, { read: true }]);
    },
  );
});

describe('the error envelope', () => {
  it.each(Object.entries(REQUEST_ERROR_STATUS))(
    'the error envelope of %s has status %i',
    async (error_code, status) => {
      const rejected = new RequestRejected(error_code as keyof typeof REQUEST_ERROR_STATUS, 'why', {
        field: 'records',
      });
      const response = await invoke(failing(rejected));
      expect(response.status).toBe(status);
      expect(response.body).toEqual({
        errors: [{ error_code, message: 'why', field: 'records' }],
        request_id: 'request-1',
      });
    },
  );

  it('the error envelope has no field if the problem names none', async () => {
    const response = await invoke(failing(new RequestRejected('route_not_found', 'unknown')));
    expect(response.body.errors[0]).not.toHaveProperty('field');
  });

  it('a 429 and a 503 have a Retry-After header', async () => {
    const limited = new RequestRejected('too_many_requests', 'slow down', { retryAfterSeconds: 42 });
    expect((await invoke(failing(limited))).headers['retry-after']).toBe('42');
    expect((await invoke(failing(new RequestRejected('too_many_requests', 'slow down')))).headers['retry-after']).toBe(
      '2',
    );
    expect((await invoke(failing(new TemporarilyUnavailable('table')))).headers['retry-after']).toBe('2');
  });

  it.each<[string, unknown]>([
    ['an error', new Error('secret cause')],
    ['a text', 'secret cause'],
  ])('the error envelope does not reveal the cause of a fault that is %s', async (_, cause) => {
    const response = await invoke(failing(cause));
    expect(response.status).toBe(500);
    expect(response.body.errors[0].error_code).toBe('internal_error');
    expect(JSON.stringify(response)).not.toContain('secret cause');
  });

  it('an operation that takes too long gets an error envelope', async () => {
    const never = handlerOf(() => new Promise(() => {}));
    const response = await never(apiEvent(), { ...CONTEXT, getRemainingTimeInMillis: () => 0 });
    expect(response.statusCode).toBe(503);
  });

  it('a result that cannot be written as JSON gets an error envelope', async () => {
    const odd = handlerOf(async () => ({ statusCode: 200, body: { count: 1n } }));
    expect((await invoke(odd)).status).toBe(500);
  });
});
