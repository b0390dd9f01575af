import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayResponses } from '../../bin/local/gateway-responses.ts';
import { type HttpServer, startHttpServer } from '../../bin/local/http-server.ts';
import { routeTable } from '../../bin/local/route-table.ts';
import { functionArn, LocalFunction } from '../../bin/local/functions.ts';
import { PhysicalResources, type Resource } from '../../bin/local/template.ts';
import { templateOf } from '../kit/template.ts';
import { StartupFault } from '../../bin/local/lifecycle.ts';

type Event = Record<string, unknown> & { requestContext: Record<string, unknown> };

/** Returns its event, or the result in the header `x-result`. */
class Echo extends LocalFunction {
  constructor(name: string) {
    super({ name, bundle: '', environment: {}, memoryMb: 128, timeoutMs: 1000 }, 1, () => undefined);
  }

  override async invoke(event: unknown): Promise<unknown> {
    const { headers } = event as { headers: Record<string, string> };
    if (headers['x-result'] === 'throw') throw new Error('fault');
    if (headers['x-quotes'] !== undefined) return { statusCode: 200, body: '"'.repeat(Number(headers['x-quotes'])) };
    if (headers['x-result'] !== undefined) return JSON.parse(headers['x-result']);
    return { statusCode: 200, body: JSON.stringify({ function: this.spec.name, event }) };
  }
}

const METHODS = [
  ['GET', '/items/{id}', 'Item'],
  ['GET', '/items/all', 'All'],
  ['POST', '/items', 'Items'],
  ['ANY', '/{proxy+}', 'Rest'],
] as const;

const resource = (PathPart: string, ParentId: object = { 'Fn::GetAtt': ['Api', 'Root'] }): Resource => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { ParentId, PathPart },
});
const RESOURCES = {
  Items: resource('items'),
  Item: resource('{id}', { Ref: 'Items' }),
  All: resource('all', { Ref: 'Items' }),
  Rest: resource('{proxy+}'),
};

function api() {
  const methods = METHODS.map(([HttpMethod, path, Ref]): Resource => {
    const arn = functionArn(`${HttpMethod} ${path}`);
    const Uri = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${arn}/invocations`;
    return { Type: 'AWS::ApiGateway::Method', Properties: { HttpMethod, ResourceId: { Ref }, Integration: { Uri } } };
  });
  const names = METHODS.map(([method, path]) => `${method} ${path}`);
  const functions = new Map(names.map((name) => [functionArn(name), new Echo(name)]));
  return {
    route: routeTable(
      new PhysicalResources({ Resources: { ...RESOURCES, ...Object.fromEntries(methods.entries()) } }),
      functions,
    ),
    refuse: gatewayResponses(templateOf({ company: 'acme', stage: 'sandbox' })),
  };
}

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer(0, api());
});
afterAll(() => server.stop());

async function send(path: string, init: RequestInit = {}): Promise<{ function: string; event: Event }> {
  const response = await fetch(server.url + path, init);
  return (await response.json()) as never;
}

/** Sends bytes as they are, and reads until the server closes. */
async function raw(request: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  return text(socket);
}

describe('the route of a request', () => {
  it.each([
    ['GET', '/items/7', 'GET /items/{id}'],
    ['GET', '/items/all', 'GET /items/all'],
    ['POST', '/items', 'POST /items'],
    ['OPTIONS', '/items', 'ANY /{proxy+}'],
    ['GET', '/items/', 'ANY /{proxy+}'],
    ['GET', '//items/7', 'ANY /{proxy+}'],
    ['GET', '/items/7/', 'ANY /{proxy+}'],
  ])('the route of %s %s is %s', async (method, path, route) => {
    const { function: name, event } = await send(path, { method });
    expect([name, event['resource'], event['httpMethod']]).toEqual([route, route.split(' ')[1], method]);
  });

  it('the gateway responds to a request without a route', async () => {
    const response = await fetch(`${server.url}/`, { method: 'POST' });
    expect([response.status, errorOf(await response.json())]).toEqual([404, 'route_not_found']);
  });
});

const errorOf = (body: unknown) => (body as { errors: [{ error_code: string }] }).errors[0].error_code;

describe('the event of a request', () => {
  it('the event holds the path and its parameters as sent, the caller, the method and the request id', async () => {
    const { event } = await send('/items/a%2Fb%20%C3%A9', { headers: { 'user-agent': 'test' } });
    expect(event).toMatchObject({
      path: '/items/a%2Fb%20%C3%A9',
      pathParameters: { id: 'a%2Fb%20%C3%A9' },
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      requestContext: {
        path: '/items/a%2Fb%20%C3%A9',
        resourcePath: '/items/{id}',
        httpMethod: 'GET',
        identity: { sourceIp: '127.0.0.1', userAgent: 'test' },
        protocol: 'HTTP/1.1',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
  });

  it('the event holds every value of repeated query parameters and headers, whatever their names, and the last one apart', async () => {
    const { event } = await send('/items/7?a=1&a=2&b=x%20y+z&__proto__=p&c', {
      headers: { 'x-two': 'a', cookie: 'a=1; b=2' },
    });
    expect(event['multiValueQueryStringParameters']).toEqual(
      JSON.parse('{"a":["1","2"],"b":["x y z"],"__proto__":["p"],"c":[""]}'),
    );
    expect(event['queryStringParameters']).toEqual(JSON.parse('{"a":"2","b":"x y z","__proto__":"p","c":""}'));
    expect(event).toMatchObject({ headers: { 'x-two': 'a' }, multiValueHeaders: { cookie: ['a=1; b=2'] } });
    const repeated = await raw(
      'GET /items/7 HTTP/1.1\r\nhost: localhost\r\nX-A: 1\r\nX-A: 2\r\nconnection: close\r\n\r\n',
    );
    expect(repeated).toContain('"X-A":["1","2"]');
  });

  it.each([
    ['text', '{"a":"é😀"}'],
    ['bytes that are not UTF-8', new Uint8Array([0xff, 0xfe])],
  ])('the event carries a body of %s in base64', async (_, body) => {
    const { event } = await send('/items', { method: 'POST', body });
    expect(event).toMatchObject({ body: Buffer.from(body).toString('base64'), isBase64Encoded: true });
  });

  it('a compressed body is in the event uncompressed, and one that cannot be uncompressed is refused', async () => {
    const compressed = (body: Uint8Array<ArrayBuffer>) =>
      fetch(`${server.url}/items`, { method: 'POST', body, headers: { 'content-encoding': 'gzip' } });
    const { event } = (await (await compressed(new Uint8Array(gzipSync('text')))).json()) as { event: Event };
    expect(event['body']).toBe(Buffer.from('text').toString('base64'));
    const [broken, bomb] = [
      await compressed(new Uint8Array([1])),
      await compressed(new Uint8Array(gzipSync(Buffer.alloc(11 << 20)))),
    ];
    expect([broken.status, errorOf(await broken.json())]).toEqual([400, 'invalid_request']);
    expect([bomb.status, errorOf(await bomb.json())]).toEqual([413, 'payload_too_large']);
  });

  it('the event has no body if the request has none', async () => {
    expect((await send('/items', { method: 'POST' })).event).toMatchObject({ body: null, isBase64Encoded: false });
  });
});

function respond(result: unknown): Promise<Response> {
  return fetch(`${server.url}/items/7`, {
    headers: { 'x-result': typeof result === 'string' ? result : JSON.stringify(result) },
  });
}

describe('the response', () => {
  it('the response has the status, headers and body of the result', async () => {
    const response = await respond({ statusCode: 418, headers: { 'X-A': 'b' }, body: 'aGk=', isBase64Encoded: true });
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([418, 'b', 'hi']);
  });

  it('headers that a REST API keeps for itself have another name in the response', async () => {
    const { headers } = await respond({
      statusCode: 401,
      headers: { 'www-authenticate': 'Bearer', Date: 'then' },
      body: '',
    });
    expect([headers.get('www-authenticate'), headers.get('x-amzn-remapped-www-authenticate')]).toEqual([
      null,
      'Bearer',
    ]);
    expect(headers.get('x-amzn-remapped-date')).toBe('then');
  });

  it('the response is compressed if it is large and the client asks for it', async () => {
    const get = (coding: string) =>
      fetch(`${server.url}/items/7?${'a'.repeat(3000)}`, { headers: { 'accept-encoding': coding } });
    const [compressed, plain] = [await get('gzip'), await get('identity')];
    expect([compressed, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null]);
    expect(((await compressed.json()) as { function: string }).function).toBe('GET /items/{id}');
  });

  it.each([
    ['the function fails', 'throw'],
    ['the result has no status code', { a: 1 }],
    ['a header cannot be sent', { statusCode: 200, headers: { a: 'x\ny' } }],
  ])('the response is a 503 in the envelope, to be repeated, if %s', async (_, result) => {
    const response = await respond(result);
    const { errors, request_id } = (await response.json()) as { errors: unknown; request_id: string };
    expect([response.status, errors]).toMatchObject([503, [{ error_code: 'temporarily_unavailable' }]]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '2',
      'x-request-id': request_id,
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
    });
  });

  it('the response may be as large as Lambda allows, where each quote counts twice', async () => {
    const quotes = (count: number) => fetch(`${server.url}/items/7`, { headers: { 'x-quotes': String(count) } });
    expect((await quotes(3_140_000)).status).toBe(200);
    expect((await quotes(3_150_000)).status).toBe(503);
  });
});

const tooMuch = 10 * 1024 * 1024 + 1;

it('a body over 10 MB is refused by its content-length, or without one', async () => {
  const stated = await fetch(`${server.url}/items`, { method: 'POST', body: new Uint8Array(tooMuch) });
  expect([stated.status, errorOf(await stated.json())]).toEqual([413, 'payload_too_large']);
  const body = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent <= tooMuch; sent += 1 << 20) controller.enqueue(new Uint8Array(1 << 20));
      controller.close();
    },
  });
  expect((await fetch(`${server.url}/items`, { method: 'POST', body, duplex: 'half' })).status).toBe(413);
});

it('a body of 4 MiB reaches the function, whatever its content, and one of 5 MB does not', async () => {
  const headers = { 'x-result': '{"statusCode":200}' };
  const statusOf = async (bytes: number) =>
    (await fetch(`${server.url}/items`, { method: 'POST', body: Buffer.alloc(bytes, '"'), headers })).status;
  expect([await statusOf(4 * 1024 * 1024), await statusOf(5_000_000)]).toEqual([200, 413]);
});

it('a large body is refused before it is sent, if the client asks first', async () => {
  const head = 'POST /items HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10485761\r\nexpect: 100-continue\r\n\r\n';
  const response = await raw(head);
  expect(response).toMatch(/^HTTP\/1\.1 413 /);
  expect(response).not.toContain('100 Continue');
});

describe('the host of a request', () => {
  const statusFor = async (headers: string) =>
    (await raw(`GET /items/7 HTTP/1.1\r\n${headers}connection: close\r\n\r\n`)).slice(9, 12);

  it.each(['127.0.0.1', 'localhost:3000', '[::1]:3000'])('the host may be %s', async (host) => {
    expect(await statusFor(`host: ${host}\r\n`)).toBe('200');
  });

  it.each(['evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example:3000', '10.0.0.1'])(
    'the host %s is refused: a page that rebinds its name reads nothing',
    async (host) => {
      expect(await statusFor(`host: ${host}\r\n`)).toBe('403');
    },
  );
});

describe('malformed HTTP', () => {
  it.each([
    ['a broken request line', 'NONSENSE\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nhost: localhost\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n', 405],
    ['a request without a host', 'GET /items/7 HTTP/1.1\r\nconnection: close\r\n\r\n', 403],
  ])('%s gets a response in the envelope, and the connection ends', async (_, request, status) => {
    const [head = '', body = ''] = (await raw(request)).split('\r\n\r\n');
    const { errors, request_id } = JSON.parse(body) as { errors: unknown[]; request_id: string };
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain(`\r\nx-request-id: ${request_id}\r\n`);
    expect(errors).toEqual([{ error_code: expect.any(String), message: expect.any(String) }]);
  });

  it('a malformed request gets its response before the connection is cut, however much input is still to come', async () => {
    const endless = `GET /?${'a'.repeat(4 * 1024 * 1024)} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const [head = '', body = ''] = (await raw(endless)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 431 /);
      expect(head).toContain(`\r\ncontent-length: ${body.length}\r\n`);
      expect(head).toMatch(/\r\ncache-control: no-store\r\n[\s\S]*\r\nx-content-type-options: nosniff$/);
    }
  });
});

it('a port in use is reported in one line', async () => {
  const port = Number(new URL(server.url).port);
  const refusal = startHttpServer(port, api());
  await expect(refusal).rejects.toThrow(StartupFault);
  await expect(refusal).rejects.toThrow(`port ${port} is in use`);
});
