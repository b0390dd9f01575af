/**
 * Where the shared local stack listens, and what a page in a browser reaches; it runs in the process that started this
 * one. Linux only, as the embedded engine is.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, it } from 'vitest';

const LISTENING = '0A';

/** Addresses at which a process listens, such as `127.0.0.1:3000`. */
function listenersOf(pid: number): string[] {
  const descriptors = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    }),
  );
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    if (state !== LISTENING || !descriptors.has(`socket:[${inode}]`)) return [];
    const [address = '', port = ''] = local.split(':');
    const octets = address.match(/../g) ?? [];
    return [
      `${octets
        .toReversed()
        .map((octet) => Number.parseInt(octet, 16))
        .join('.')}:${Number.parseInt(port, 16)}`,
    ];
  });
}

const childrenOf = (parents: readonly number[], ...having: string[]): number[] =>
  spawnSync('pgrep', ['-P', parents.join(), ...having], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);

/** Process ids of the engines of the stack: each is the only child of a guard. */
const engines = (): number[] => childrenOf(childrenOf([process.ppid]), '-f', 'dynoxide');

const operator = () => inject('database').settings;

describe('listening servers', () => {
  it('the API and the proxy listen at 127.0.0.1', () => {
    const ours = [inject('baseUrl'), operator().endpoint].map((url) => new URL(url).host);
    expect(listenersOf(process.ppid).toSorted()).toEqual(ours.toSorted());
  });

  it('the engine listens elsewhere, at an address of 16 million that no page finds by trying', () => {
    const [address = '', ...others] = engines().flatMap(listenersOf);
    expect(others).toEqual([]);
    expect(address).toMatch(/^127\.\d+\.\d+\.\d+:\d+$/);
    expect(address).not.toMatch(/^127\.0\.0\.1:/);
  });
});

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** As a browser sends it, with the operator's access key, which no page has. */
function send({ method = 'POST', headers = {} }: Sent): Promise<{ status: number; cors: string[]; body: string }> {
  const { endpoint, credentials } = operator();
  const credential = `${credentials.accessKeyId}/20260101/us-east-1/dynamodb/aws4_request`;
  const all = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
    'x-amz-date': '20260101T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
    ...headers,
  };
  return new Promise((resolve, reject) => {
    request(endpoint, { method, headers: all }, (response) => {
      const cors = Object.keys(response.headers).filter((name) => name.startsWith('access-control-'));
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, cors, body }), reject);
    })
      .on('error', reject)
      .end('{}');
  });
}

describe('a page in a browser', () => {
  it('a page would read the tables if the access key were the only protection', async () => {
    expect(await send({})).toMatchObject({ status: 200, cors: [], body: expect.stringContaining('TableNames') });
  });

  it.each([
    ['of another origin', { headers: { origin: 'http://evil.example' } }],
    ['of the reference page', { headers: { origin: 'http://127.0.0.1:3000' } }],
    ['without an origin of its own', { headers: { origin: 'null' } }],
    ['that asks first', { method: 'OPTIONS', headers: { origin: 'http://evil.example' } }],
    ['whose name was rebound to this machine', { headers: { host: 'evil.example' } }],
  ])('a page %s reads nothing', async (_, sent) => {
    const { status, cors, body } = await send(sent);
    expect([status, cors]).toEqual([403, []]);
    expect(body).not.toContain('TableNames');
  });
});
