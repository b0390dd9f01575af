/** `npm run verify` against the running stack, and behind a proxy that spoils one thing: one fault in `npm test`. Costs seconds. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { deploymentAt } from '../../bin/operate/verify/deployment.ts';
import { messageOf } from '../../bin/importer/engine/ground/errors.ts';
import { runCanary } from '../../bin/operate/verify/canary.ts';
import { verify } from '../../bin/operate/verify/main.ts';
import { packageVersion } from '../../bin/build/version.ts';
import { freshFolder } from '../importer/command/support/files.ts';
import { AT_LENGTH, cases } from '../kit/at-length.ts';
import { recordingTelemetry } from '../kit/recording-telemetry.ts';
import { PASSWORD } from '../kit/test-data.ts';
import { serve } from '../kit/serve.ts';

const MAIN = resolve(import.meta.dirname, '../../bin/operate/verify/main.ts');
const credentials = { email: 'admin@verified.test', password: PASSWORD };
const run = promisify(execFile);

interface Spoiled {
  status: number;
  headers: Headers;
  text: string;
}

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** The running stack behind a proxy that passes each response through `spoil`. */
async function spoiledBy(spoil: (path: string, response: Spoiled) => void): Promise<string> {
  const proxy = await serve(async (request, response) => {
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const real = await fetch(inject('baseUrl') + request.url, {
      method: String(request.method),
      headers: headers as Record<string, string>,
      ...(request.method === 'GET' ? {} : { body: await buffer(request) }),
    });
    const spoiled = { status: real.status, headers: new Headers(real.headers), text: await real.text() };
    spoil(String(request.url), spoiled);
    for (const name of ['content-length', 'content-encoding']) spoiled.headers.delete(name);
    response.writeHead(spoiled.status, Object.fromEntries(spoiled.headers)).end(spoiled.text);
  });
  stops.push(() => proxy.stop());
  return proxy.url;
}

/** What the canary logs, if it fails. */
async function canaryAt(url: string): Promise<readonly string[]> {
  const { lines, ...telemetry } = recordingTelemetry();
  const error = await runCanary(deploymentAt(url), telemetry).catch((thrown: Error) => thrown);
  expect(lines.map((line) => line.error)).toEqual(error === undefined ? [] : [error]);
  return lines.map((line) => messageOf(line.error));
}

const wrongAt = async (url: string, more = {}): Promise<string[]> =>
  (await verify(deploymentAt(url), { patienceMs: 500, ...more })).lines.filter((line) => line.startsWith('FAILED'));

describe('the canary', () => {
  it('a stack without faults: the canary sees what verify sees without a login, and logs nothing', async () => {
    const paths = new Set<string>();
    const url = await spoiledBy((path) => void paths.add(path));
    expect(await canaryAt(url)).toEqual([]);
    expect([...paths]).toEqual(expect.arrayContaining(['/v1/openapi.json', '/api/v1/auth/login']));
  });

  it('a key set with a private key: the run fails, and its log names the check, not the key', async () => {
    const text = '{"keys":[{"kty":"EC","crv":"P-256","kid":"k","d":"x"}]}';
    const url = await spoiledBy((path, response) => void (path.endsWith('/jwks.json') && (response.text = text)));
    const [line = '', ...more] = await canaryAt(url);
    expect([line.startsWith('FAILED'), more]).toEqual([true, []]);
    expect(line).not.toContain(text);
  });

  it('an address at which nothing listens: the run fails', async () => {
    const [line] = await canaryAt('http://127.0.0.1:2');
    expect(line).toContain('ECONNREFUSED');
  });
});

describe('a stack without faults', () => {
  it.runIf(AT_LENGTH)('the check of a production stack only reads', async () => {
    const { email, password } = credentials;
    const paths: string[] = [];
    const url = await spoiledBy((path, response) => {
      paths.push(path);
      if (!path.endsWith('/login') || response.status !== 201) return;
      const { access_token, ...rest } = JSON.parse(response.text);
      const [header, claims = '', signature] = access_token.split('.');
      const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), iss: 'urn:x:acme:production' };
      const forged = Buffer.from(JSON.stringify(changed)).toString('base64url');
      response.text = JSON.stringify({ ...rest, access_token: [header, forged, signature].join('.') });
    });
    const { lines } = await verify(deploymentAt(url), { credentials: { email, password } });
    expect(lines.join('\n')).toContain('production: only read');
    expect(paths.filter((path) => /mappings|resolve|records/.test(path))).toEqual([]);
  });

  it.runIf(AT_LENGTH)('a stack without faults passes every check and completes the seven steps', async () => {
    const { lines, failed } = await verify(deploymentAt(inject('baseUrl')), { credentials, version: packageVersion() });
    expect([lines.filter((line) => line.startsWith('FAILED')), failed]).toEqual([[], 0]);
    expect(lines.filter((line) => line.includes('Step '))).toHaveLength(7);
    expect(lines.join('\n')).toContain('3 applied, 1 rejected');
    expect(lines.join('\n')).not.toContain(credentials.password);
  });
});

describe.runIf(AT_LENGTH)('the web ACL of a stack', () => {
  const STAGE = 'arn:aws:apigateway:eu-west-1::/restapis/abc/stages/production';

  function awsReports(response: object): void {
    const folder = freshFolder();
    writeFileSync(join(folder, 'aws'), `#!/bin/sh\necho '${JSON.stringify(response)}'\n`, { mode: 0o755 });
    const before = process.env['PATH'];
    process.env['PATH'] = `${folder}:${before}`;
    stops.push(() => {
      process.env['PATH'] = before;
    });
  }

  it.each([
    [{ WebACL: { Name: 'ours' } }, /^ok {5}A web ACL protects the API\. \(ours\)$/],
    [{}, /^FAILED A web ACL protects the API\. None is associated/],
  ])('the account reports %j → %s', async (response, line) => {
    awsReports(response);
    const { lines } = await verify(deploymentAt(inject('baseUrl')), { webAcl: STAGE });
    expect(lines).toContainEqual(expect.stringMatching(line));
  });
});

describe('a stack with one fault', () => {
  const ofPath = (part: string, change: (response: Spoiled) => void) => (path: string, response: Spoiled) => {
    if (path.includes(part)) change(response);
  };

  const faults: [string, (path: string, response: Spoiled) => void, RegExp][] = [
    [
      'no WWW-Authenticate',
      (_, { headers }) => headers.delete('x-amzn-remapped-www-authenticate'),
      /WWW-Authenticate is missing/,
    ],
    ['a cache', (_, { headers }) => headers.delete('cache-control'), /Cache-Control is null/],
    [
      'a gateway’s own error',
      ofPath('nowhere', (response) => void (response.text = '{"message":"Not Found"}')),
      /envelope/,
    ],
    ['an error page', ofPath('profile', (response) => void (response.text = '<html>')), /envelope has undefined/],
    ['a fault on an odd path', ofPath('%00', (response) => void (response.status = 500)), /Odd paths.*500/],
    [
      'a published private key',
      ofPath('jwks', (response) => {
        response.text = JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', kid: '1', d: 'secret' }] });
      }),
      /private key/,
    ],
    ['no document', ofPath('openapi', (response) => void (response.status = 503)), /status is 503/],
  ];
  it.each(faults.slice(0, cases(faults.length, 1)))(
    'a stack with one fault is reported: %s',
    async (_, spoil, expected) => {
      const wrong = await wrongAt(await spoiledBy(spoil));
      expect(wrong.length).toBeGreaterThan(0);
      expect(wrong.join('\n')).toMatch(expected);
    },
  );

  it.runIf(AT_LENGTH)('an import that is never processed is reported', async () => {
    const spoil = (path: string, response: Spoiled): void => {
      if (!/\/imports\/\w{26}$/.test(path) || response.status !== 200) return;
      response.text = JSON.stringify({ ...JSON.parse(response.text), status: 'processing' });
    };
    expect((await wrongAt(await spoiledBy(spoil), { credentials })).join('\n')).toMatch(
      /still processing after.*event source/,
    );
  });

  const records: [string, object[]][] = [
    ['that another import wrote, such as a dry run that writes', [{ import_id: 'another' }]],
    ['without a contribution', []],
  ];
  it.each(records.slice(0, cases(records.length, 1)))('a record %s is reported', async (_, contributions) => {
    const spoil = (path: string, response: Spoiled): void => {
      if (path.includes('/progress/records?')) response.text = JSON.stringify({ contributions });
    };
    const [wrong = '', ...more] = await wrongAt(await spoiledBy(spoil), { credentials, patienceMs: 10_000 });
    expect([more, wrong]).toEqual([[], expect.stringContaining('Did the dry run write?')]);
  });

  it('a login that is refused is reported', async () => {
    const wrong = await wrongAt(inject('baseUrl'), { credentials: { ...credentials, password: 'wrong' } });
    expect(wrong).toEqual([expect.stringContaining('An admin logs in.')]);
  });

  it.runIf(AT_LENGTH)(
    'the command exits with 1 if a check fails, and with 2 if the arguments are invalid',
    async () => {
      const command = (...args: string[]) => run(process.execPath, [MAIN, ...args]);
      const printed = /not 9\.9\.9.*Only the account can show.*\n1 check failed\.\n$/s;
      const another = { code: 1, stdout: expect.stringMatching(printed) };
      await expect(command(inject('baseUrl'), '--version', '9.9.9')).rejects.toMatchObject(another);
      await expect(command()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('usage') });
      await expect(command('nowhere')).rejects.toMatchObject({ code: 2 });
    },
  );

  it.each([
    ['VERIFY_EMAIL', 'VERIFY_PASSWORD'],
    ['VERIFY_PASSWORD', 'VERIFY_EMAIL'],
  ])('only %s: nothing is checked, and the message names %s', async (set, missing) => {
    const env = { ...process.env, [set]: 'x', [missing]: '' };
    const refused = { code: 2, stdout: '', stderr: expect.stringContaining(`but ${missing} is not`) };
    await expect(run(process.execPath, [MAIN, inject('baseUrl')], { env })).rejects.toMatchObject(refused);
  });
});
