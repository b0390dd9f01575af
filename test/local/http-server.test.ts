import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../../bin/local/http-server.ts';
import { RouteTable } from '../../bin/local/route-table.ts';
import { functionArn, LocalFunction } from '../../bin/local/functions.ts';
import { PhysicalResources } from '../../bin/local/template.ts';
import { StartupFault } from '../../bin/local/lifecycle.ts';

type Event = Record<string, unknown> & { requestContext: { http: Record<string, string>; requestId: string } };

/** Returns its event, or the result in the header `x-result`. */
class Echo extends LocalFunction {
  constructor(name: string) {
    super({ name, bundle: '', environment: {}, memoryMb: 128, timeoutMs: 1000 }, 1, () => undefined);
  }

  override async invoke(event: unknown): Promise<unknown> {
    const { headers } = event as { headers: Record<string, string> };
    if (headers['x-result'] === 'throw') throw new Error('fault');
    if (headers['x-result'] !== undefined) return JSON.parse(headers['x-result']);
    return { statusCode: 200, body: JSON.stringify({ function: this.spec.name, event }) };
  }
}

const ROUTES = ['GET /items/{id}', 'GET /items/all', 'POST /items', '$default'];

function routeTable(): RouteTable {
  const resources = Object.fromEntries(
    ROUTES.flatMap((RouteKey, at) => [
      [`R${at}`, { Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey, Target: `integrations/I${at}` } }],
      [`I${at}`, { Type: 'AWS::ApiGatewayV2::Integration', Properties: { IntegrationUri: functionArn(RouteKey) } }],
    ]),
  );
  const functions = new Map(ROUTES.map((key) => [functionArn(key), new Echo(key)]));
  return new RouteTable({ Resources: resources }, new PhysicalResources(), functions);
}

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer(0, routeTable());
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
    ['DELETE', '/items/7', '$default'],
    ['OPTIONS', '/items', '$default'],
    ['GET', '/items/', '$default'],
    ['GET', '//items/7', '$default'],
    ['GET', '/items/7/', '$default'],
    ['GET', '/', '$default'],
  ])('%s %s is %s', async (method, path, routeKey) => {
    const { function: name, event } = await send(path, { method });
    expect([name, event['routeKey']]).toEqual([routeKey, routeKey]);
  });

  it('takes HEAD to the default, whose response has no body', async () => {
    const response = await fetch(`${server.url}/items/7`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('the event of a request', () => {
  it('holds the path as sent and its parameters decoded', async () => {
    const { event } = await send('/items/a%2Fb%20%C3%A9');
    expect(event).toMatchObject({
      rawPath: '/items/a%2Fb%20%C3%A9',
      pathParameters: { id: 'a/b é' },
      rawQueryString: '',
    });
  });

  it('keeps a segment with invalid percent-encoding as sent', async () => {
    const response = await raw('GET /items/%zz%ff HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    expect(response).toContain('"pathParameters":{"id":"%zz%ff"}');
  });

  it('joins repeated query parameters and headers by commas, whatever their names', async () => {
    const { event } = await send('/items/7?a=1&a=2&b=x%20y+z&__proto__=p&c', {
      headers: [
        ['X-Two', 'a'],
        ['x-two', 'b'],
      ],
    });
    expect(event['queryStringParameters']).toEqual(JSON.parse('{"a":"1,2","b":"x y z","__proto__":"p","c":""}'));
    expect((event['headers'] as Record<string, string>)['x-two']).toMatch(/^a, ?b$/);
  });

  it('keeps cookies apart from the other headers', async () => {
    const { event } = await send('/items/7', { headers: { cookie: 'a=1; b=2' } });
    expect(event['cookies']).toEqual(['a=1', 'b=2']);
    expect(event['headers']).not.toHaveProperty('cookie');
  });

  it('says who asked, how, and under which id', async () => {
    const { event } = await send('/items/7', { headers: { 'user-agent': 'test' } });
    const { http, requestId } = event.requestContext;
    expect(http).toEqual({
      method: 'GET',
      path: '/items/7',
      protocol: 'HTTP/1.1',
      sourceIp: '127.0.0.1',
      userAgent: 'test',
    });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['text', '{"a":"é😀"}', { body: '{"a":"é😀"}', isBase64Encoded: false }],
    ['bytes that are not UTF-8', new Uint8Array([0xff, 0xfe]), { body: '//4=', isBase64Encoded: true }],
  ])('carries a body of %s', async (_, body, expected) => {
    expect((await send('/items', { method: 'POST', body })).event).toMatchObject(expected);
  });

  it('has no body member if there is no body', async () => {
    expect((await send('/items', { method: 'POST' })).event).not.toHaveProperty('body');
  });
});

function respond(result: unknown): Promise<Response> {
  return fetch(`${server.url}/items/7`, {
    headers: { 'x-result': typeof result === 'string' ? result : JSON.stringify(result) },
  });
}

describe('the response', () => {
  it('has the status, headers and body of the result', async () => {
    const response = await respond({ statusCode: 418, headers: { 'X-A': 'b' }, body: 'aGk=', isBase64Encoded: true });
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([418, 'b', 'hi']);
  });

  it('is a 200 with JSON if the result has no status code', async () => {
    const response = await respond({ a: 1 });
    expect([response.status, await response.json()]).toEqual([200, { a: 1 }]);
  });

  it.each([
    ['the function fails', 'throw'],
    ['a header cannot be sent', { statusCode: 200, headers: { a: 'x\ny' } }],
  ])('is API Gateway’s own 500 if %s', async (_, result) => {
    const response = await respond(result);
    expect([response.status, await response.json()]).toEqual([500, { message: 'Internal Server Error' }]);
  });
});

describe('a body over 10 MB', () => {
  const tooMuch = 10 * 1024 * 1024 + 1;

  it('is refused by its content-length', async () => {
    const response = await fetch(`${server.url}/items`, { method: 'POST', body: new Uint8Array(tooMuch) });
    expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
  });

  it('is refused without one', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent <= tooMuch; sent += 1 << 20) controller.enqueue(new Uint8Array(1 << 20));
        controller.close();
      },
    });
    const response = await fetch(`${server.url}/items`, { method: 'POST', body, duplex: 'half' });
    expect(response.status).toBe(413);
  });

  it('is refused before it is sent, if the client asks first', async () => {
    const head = `POST /items HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${tooMuch}\r\nexpect: 100-continue\r\n\r\n`;
    const response = await raw(head);
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).not.toContain('100 Continue');
  });

  it('is passed on at 10 MB', async () => {
    const { event } = await send('/items', { method: 'POST', body: 'a'.repeat(10 * 1024 * 1024) }).catch(() => ({
      event: null,
    }));
    // The echo exceeds the limit of a function's result.
    expect(event).toBeUndefined();
  });
});

describe('the host of a request', () => {
  const statusFor = async (headers: string) =>
    (await raw(`GET /items/7 HTTP/1.1\r\n${headers}connection: close\r\n\r\n`)).slice(9, 12);

  it.each(['127.0.0.1', '127.0.0.1:80', 'localhost:3000', '[::1]:3000'])('may be %s', async (host) => {
    expect(await statusFor(`host: ${host}\r\n`)).toBe('200');
  });

  it.each(['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example:3000', '10.0.0.1'])(
    'is refused if it is %s: a page that rebinds its name reads nothing',
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
  ])('%s gets a response, and the connection ends', async (_, request, status) => {
    expect(await raw(request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('gets its response before the connection is cut, however much input is still to come', async () => {
    const endless = `GET /?${'a'.repeat(4 * 1024 * 1024)} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await raw(endless)).toBe(
        'HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
      );
    }
  });
});

describe('a port', () => {
  it('that is in use is reported in one line', async () => {
    const port = Number(new URL(server.url).port);
    const refusal = startHttpServer(port, routeTable());
    await expect(refusal).rejects.toThrow(StartupFault);
    await expect(refusal).rejects.toThrow(`port ${port} is in use`);
  });
});
