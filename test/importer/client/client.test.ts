/** Retries, waits and polls of the client. Costs about a second: the waits between attempts are real. */
import { describe, expect, it } from 'vitest';
import {
  memoryTokenStore,
  MigrationClient,
  ServiceError,
  ServiceUnreachable,
} from '../../../bin/importer/client/index.ts';
import { envelope, fakeService, type Reply, tokenFor } from './fake-service.ts';

const seconds = Math.floor(Date.now() / 1000);
const access_token = tokenFor(seconds, seconds + 1000);

function clientWith(reply: (count: number) => Reply, patienceMs = 10_000, waitsOutThrottles = false) {
  const waits: number[] = [];
  const service = fakeService((_, count) => reply(count));
  const client = new MigrationClient({
    baseUrl: 'http://service/',
    company_id: 'acme',
    transport: service.transport,
    tokens: memoryTokenStore({ access_token }),
    retry: { patienceMs, waitsOutThrottles, onWait: (_, delayMs) => waits.push(delayMs) },
  });
  return { client, waits, requests: service.requests };
}

const PAGE = { courses: [], next_cursor: null };
const ok: Reply = { status: 200, body: PAGE };

describe('calls', () => {
  it.each<[string, Reply]>([
    ['got no response', 'unreachable'],
    ['was throttled', { status: 429, body: envelope('too_many_requests'), retryAfterSeconds: 0 }],
    ['got 503', { status: 503, body: envelope('temporarily_unavailable'), retryAfterSeconds: 0 }],
    ['got an error of a gateway in another format', { status: 502, body: undefined }],
  ])('a call that %s is retried', async (_, first) => {
    const { client, requests } = clientWith((count) => (count === 1 ? first : ok));
    expect(await client.listCourses()).toEqual(PAGE);
    expect(requests).toHaveLength(2);
  });

  it.each([400, 403, 404, 413, 422])('a call that got %d is not retried', async (status) => {
    const { client, requests } = clientWith(() => ({ status, body: envelope('invalid_request') }));
    await expect(client.listCourses()).rejects.toMatchObject({ status, request_id: 'r-1' });
    expect(requests).toHaveLength(1);
  });

  it('a call fails instead of waiting longer than its patience', async () => {
    const { client, requests } = clientWith(() => ({
      status: 429,
      body: envelope('too_many_requests'),
      retryAfterSeconds: 300,
    }));
    await expect(client.listCourses()).rejects.toBeInstanceOf(ServiceError);
    expect(requests).toHaveLength(1);
  });

  it('a call waits as long as Retry-After says, with `waitsOutThrottles` although its patience is shorter', async () => {
    const used: Reply = { status: 429, body: envelope('too_many_requests'), retryAfterSeconds: 1 };
    const { client, waits } = clientWith((count) => (count === 1 ? used : ok), 100, true);
    expect(await client.listCourses()).toEqual(PAGE);
    expect(waits).toEqual([1000]);
  });

  it('a call fails as unreachable once its patience is over', async () => {
    const { client } = clientWith(() => 'unreachable', 300);
    await expect(client.listCourses()).rejects.toBeInstanceOf(ServiceUnreachable);
  });
});

describe('imports', () => {
  it('an import is retried with the same key, also with a random one', async () => {
    const { client, requests } = clientWith((count) => (count === 1 ? 'unreachable' : { status: 202, body: {} }));
    await client.startImport({ dry_run: false, records: [{}] });
    const keys = requests.map(({ headers }) => headers?.['idempotency-key']);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('a started import says whether it is a replay, and when the service asks to be polled first', async () => {
    const headers = { 'idempotent-replayed': 'true' };
    const { client } = clientWith(() => ({ status: 202, body: {}, headers, retryAfterSeconds: 7 }));
    const started = await client.startImport({ dry_run: false, records: [{}] }, 'k');
    expect(started).toMatchObject({ replayed: true, retryAfterSeconds: 7 });
  });

  it('an import is polled until it is terminal', async () => {
    const { client, requests } = clientWith((count) => ({
      status: 200,
      body: { status: count < 3 ? 'processing' : 'success' },
      retryAfterSeconds: 0,
    }));
    expect(await client.waitForImport('i', { afterSeconds: 0 })).toEqual({ status: 'success' });
    expect(requests.map(({ url }) => url)).toEqual(
      Array(3).fill('http://service/v1/migrations/acme/progress/imports/i'),
    );
  });
});

it('a list is read page by page', async () => {
  const { client, requests } = clientWith((count) => ({
    status: 200,
    body: { courses: [{ platform_course_id: count }], next_cursor: count < 3 ? `c&${count}` : null },
  }));
  const ids: number[] = [];
  for await (const { platform_course_id } of client.courses()) ids.push(platform_course_id);
  expect(ids).toEqual([1, 2, 3]);
  expect(new URL(requests[2]?.url ?? '').searchParams.get('cursor')).toBe('c&2');
});

it('a plan is read, and approved by the digest that was seen', async () => {
  const { client, requests } = clientWith((count) => ({
    status: 200,
    body: { records: [{ index: count }], next_cursor: count < 2 ? 'c' : null, plan_digest: 'f'.repeat(64) },
  }));
  const planned = [];
  for await (const { index } of client.planRecords('r/1', { status: 'error', limit: 500 })) planned.push(index);
  const { plan_digest } = await client.getPlan('r/1');
  await client.approvePlan('r/1', { plan_digest, comment: 'As agreed.' });
  await client.withdrawPlan('r/1');
  await client.deleteRun('r/1');
  const run = 'http://service/v1/migrations/acme/progress/runs/r%2F1';
  expect(planned).toEqual([1, 2]);
  expect(requests.map(({ method, url }) => `${method} ${url.replace(run, '')}`)).toEqual([
    'GET /plan/records?status=error&limit=500',
    'GET /plan/records?status=error&limit=500&cursor=c',
    'GET /plan',
    'POST /plan/approve',
    'DELETE /plan',
    'DELETE ',
  ]);
  expect(requests[3]?.body).toEqual({ plan_digest, comment: 'As agreed.' });
});
