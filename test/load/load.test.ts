/** A load before it is sent: its pace, its company, and that production is refused. Costs milliseconds; over HTTP one is sent. */
import { describe, expect, it } from 'vitest';
import { loadCompany } from '../../bin/load/people.ts';
import { load } from '../../bin/load/main.ts';
import { noting, pacedRecords } from '../../bin/load/run.ts';
import type { Call } from '../../bin/load/report.ts';
import { ServiceError } from '../../bin/client/index.ts';
import { deploymentAt } from '../../bin/verify/deployment.ts';

const jwt = (claims: object): string =>
  ['{}', JSON.stringify(claims), ''].map((part) => Buffer.from(part).toString('base64url')).join('.');

describe('production', () => {
  /** A stack that lets the admin in, and notes what it is asked. */
  function stackOf(stage: string) {
    const urls: string[] = [];
    const iss = `urn:course-progress-migration:acme:${stage}`;
    const token = jwt({ iss, company_id: 'acme', exp: 2e9 });
    const transport = async ({ url }: { readonly url: string }) => {
      urls.push(url);
      const body = url.includes('/courses') ? { courses: [] } : { access_token: token, refresh_token: token };
      return { status: 200, body: body as never, headers: new Headers(), retryAfterSeconds: undefined };
    };
    return { urls, deployment: { ...deploymentAt('https://api.example.com/a-path'), transport } };
  }
  const options = { rate: 1, records: 1, credentials: { email: 'admin@acme.test', password: 'p' } };

  it('a production stack is refused by the issuer of its token, whatever its address, before a record is sent', async () => {
    const { urls, deployment } = stackOf('production');
    await expect(load(deployment, { ...options, production: false })).rejects.toThrow('needs --production');
    expect(urls.filter((url) => !url.includes('login'))).toEqual([]);
  });

  it('a sandbox, and production with the flag, are loaded', async () => {
    for (const [stage, production] of [
      ['sandbox', false],
      ['production', true],
    ] as const)
      await expect(load(stackOf(stage).deployment, { ...options, production })).rejects.toThrow(
        'The catalog is empty.',
      );
  });
});

describe('pacedRecords', () => {
  const targets = { emails: ['a', 'b'], courses: [1, 2] };
  const collect = async (rate: number, records: number) => {
    const waits: number[] = [];
    const sent = [];
    for await (const each of pacedRecords({ rate, records }, targets, 'run', async (ms) => void waits.push(ms)))
      sent.push(each);
    return { waits, sent };
  };

  it('pacedRecords: 1,001 records at 100 a second → batches that are due after 0, 5 and 10 seconds', async () => {
    const { waits, sent } = await collect(100, 1001);
    expect(sent).toHaveLength(1001);
    expect(waits.map((ms) => Math.ceil(ms / 1000))).toEqual([0, 5, 10]);
  });

  it('pacedRecords: two people and two courses → another person each, then the next course, ids of this run', async () => {
    const { sent } = await collect(1e6, 5);
    expect(sent.map(({ user, content }) => [user, content].map((part) => Object.values(part ?? {}).at(-1)))).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 2],
      ['b', 2],
      ['a', 1],
    ]);
    expect(new Set(sent.map(({ external_record_id }) => external_record_id)).size).toBe(5);
  });
});

it('noting: a response, a refusal and no response → each is a call, with its kind and status', async () => {
  const calls: Call[] = [];
  const url = 'https://host/production/v1/migrations/acme/progress/imports/i-1?limit=1';
  const failing = (error: Error) =>
    noting(async () => {
      throw error;
    }, calls);
  await noting(async () => ({ status: 200 }) as never, calls)({ method: 'GET', url });
  await failing(new ServiceError(429, {}, 1))({ method: 'POST', url }).catch(() => undefined);
  await failing(new Error('reset'))({ method: 'GET', url: 'https://host/login' }).catch(() => undefined);
  expect(calls.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    'GET imports 200',
    'POST imports 429',
    'GET other 0',
  ]);
});

describe('loadCompany', () => {
  it('loadCompany: an intake → facts by the hundred, and closed later than opened', async () => {
    const messages: (readonly object[])[] = [];
    const operator = {
      inform: async (facts: readonly object[]) => (messages.push(facts), facts.map(() => ({ status: 'applied' }))),
      linesSince: async () => [],
    };
    const { close, emails } = await loadCompany(operator, 150);
    await close();
    expect(messages.map((each) => each.length)).toEqual([100, 100, 52, 1]);
    expect(emails).toHaveLength(150);
    const [[opened] = [], , , [closed] = []] = messages as { version: number; migrations_enabled?: boolean }[][];
    expect([opened?.migrations_enabled, closed?.migrations_enabled]).toEqual([true, false]);
    expect(closed?.version).toBeGreaterThan(opened?.version ?? 0);
  });
});
