/** The stores when the database throttles, conflicts, responds in parts or is down. On a table in memory; costs a second. */
import { describe, expect, it } from 'vitest';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { everyStore } from '../kit/services.ts';
import { type Interceptor, intercepted, serviceError } from '../kit/database-faults.ts';
import { testClient } from '../kit/dynamodb.ts';
import { freshCompany, IMPORT_ID, importItem, plan, user, write } from './samples.ts';
import { planted } from '../kit/planted.ts';

const IDS = { company_id: 'acme', import_id: IMPORT_ID };

const TABLE = 'table';
const NOW_SECONDS = 1_800_000_000;

function storesWith(interceptor: Interceptor) {
  const calls: string[] = [];
  const waits: number[] = [];
  const counted: Interceptor = (call, input, next) => {
    calls.push(call);
    return interceptor(call, input, next);
  };
  const sleep = async (ms: number) => void waits.push(ms);
  return {
    stores: everyStore({
      client: intercepted(counted),
      table: TABLE,
      sleep,
      random: () => 0.5,
      nowMs: () => NOW_SECONDS * 1000,
    }),
    calls,
    waits,
  };
}

const untouched: Interceptor = (_, __, next) => next();
const users = (company_id: string, count: number) =>
  Array.from({ length: count }, (_, i) => user(company_id, { user_id: i, email: `u${i}@x.test` }));

/** Returns half of the keys it is given, a few times. */
const partly = (rounds: number): Interceptor => {
  let left = rounds;
  return async (call, input, next) => {
    if (call !== 'BatchGet' || left === 0) return next();
    left -= 1;
    const { Keys = [], ...options } = (input['RequestItems'] as Record<string, { Keys?: unknown[] }>)[TABLE] ?? {};
    const half = Math.floor(Keys.length / 2);
    const response = await next({ RequestItems: { [TABLE]: { ...options, Keys: Keys.slice(0, half) } } });
    return { ...response, UnprocessedKeys: { [TABLE]: { Keys: Keys.slice(half) } } };
  };
};

/** Refuses the first statement of every batch with this code, a few times, without running it. */
const refusing = (code: string, times: number, Message = code): Interceptor => {
  let left = times;
  return async (call, input, next) => {
    if (call !== 'BatchExecuteStatement' || left === 0) return next();
    left -= 1;
    const [, ...others] = input['Statements'] as unknown[];
    const { Responses = [] } = others.length === 0 ? {} : await next({ Statements: others });
    return { Responses: [{ Error: { Code: code, Message } }, ...(Responses as unknown[])] };
  };
};

describe('the number of calls', () => {
  it('all items that a chunk starts with take one call, and so do all that an authorisation decides on', async () => {
    const { stores, calls } = storesWith(untouched);
    await stores.imports.readChunk({ company_id: 'acme', import_id: IMPORT_ID, chunk: 0, payload_hash: 'x' });
    await stores.access.readAccess({ session_id: 's', company_id: 'acme', email: 'a@b.c', import_id: IMPORT_ID });
    expect(calls).toEqual(['BatchGet', 'BatchGet']);
  });

  it('the claims of 125 records take five calls, and their contributions five', async () => {
    const { stores, calls } = storesWith(untouched);
    const company_id = freshCompany();
    const writes = Array.from({ length: 125 }, (_, i) =>
      write({ user_id: i, record: { index: i, external_record_id: `r-${i}` } }),
    );
    await stores.progress.claim(
      company_id,
      writes.map(({ user_id, contribution }) => ({ ...contribution, user_id, platform_course_id: 101 })),
    );
    await stores.progress.contribute(company_id, writes);
    expect(calls).toEqual(Array.from({ length: 10 }, () => 'BatchExecuteStatement'));
  });

  it('keys requested twice are in one batch, and no keys take no call', async () => {
    const { stores, calls } = storesWith(untouched);
    await stores.directory.users(
      'acme',
      Array.from({ length: 300 }, (_, i) => `u${i % 100}@x.test`),
      true,
    );
    await stores.directory.users('acme', [], true);
    expect(calls).toEqual(['BatchGet']);
  });
});

describe('keys that stay unprocessed', () => {
  it('unprocessed keys are read again until all are there', async () => {
    const company_id = freshCompany();
    const { stores, waits } = storesWith(partly(5));
    await planted(stores.platform).putUsers(users(company_id, 60));
    const found = await stores.directory.users(
      company_id,
      users(company_id, 60).map(({ email }) => email),
      true,
    );
    expect(found.size).toBe(60);
    expect(waits).toHaveLength(5);
  });

  it('unprocessed keys are never taken for absent', async () => {
    const { stores, waits } = storesWith(async (call, input, next) =>
      call === 'BatchGet' ? { UnprocessedKeys: input['RequestItems'] } : next(),
    );
    await expect(stores.directory.users('acme', ['a@b.c'], true)).rejects.toBeInstanceOf(TemporarilyUnavailable);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits).toHaveLength(7);
  });
});

const userMappings = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    external_user_id: `u-${i}`,
    email: 'a@b.c',
    user_id: 7,
    updated_at: '2026-01-01T00:00:00.000Z',
  }));

describe('items that stay unprocessed', () => {
  it('unprocessed items are written again until all are there', async () => {
    const company_id = freshCompany();
    let throttled = 3;
    const { stores } = storesWith(async (call, input, next) => {
      if (call !== 'BatchWrite' || throttled === 0) return next();
      throttled -= 1;
      const requests = (input['RequestItems'] as Record<string, unknown[]>)[TABLE] ?? [];
      if (requests.length > 1) await next({ RequestItems: { [TABLE]: requests.slice(1) } });
      return { UnprocessedItems: { [TABLE]: requests.slice(0, 1) } };
    });
    await stores.mappings.putUserMappings(company_id, userMappings(30));
    expect(await stores.mappings.listUserMappings(company_id, 100)).toHaveLength(30);
  });
});

describe('statements', () => {
  const ids = ['r-1', 'r-2', 'r-3'];
  const claims = ids.map((external_record_id) => ({ external_record_id, user_id: 7, platform_course_id: 101 }));
  it('statements refused for a while are tried again, and only those', async () => {
    const company_id = freshCompany();
    const { stores, calls, waits } = storesWith(refusing('ThrottlingError', 2));
    expect(await stores.progress.claim(company_id, claims)).toEqual(new Map());
    expect((await stores.progress.identities(company_id, ids)).size).toBe(3);
    expect(calls.filter((call) => call === 'BatchExecuteStatement')).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });

  it('statements refused for another reason are a fault of the service, whose message shows none of their values', async () => {
    const { stores } = storesWith(refusing('ValidationError', 1000, 'bad r-1'));
    const error: unknown = await stores.progress.claim(freshCompany(), claims).catch((caught: unknown) => caught);
    expect(error).not.toBeInstanceOf(TemporarilyUnavailable);
    expect(String(error)).not.toContain('r-1');
  });

  it('statements whose response was lost are found done when repeated', async () => {
    const company_id = freshCompany();
    let lost = false;
    const { stores } = storesWith(async (call, _, next) => {
      const response = await next();
      if (call !== 'BatchExecuteStatement' || lost) return response;
      lost = true;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    });
    await expect(stores.progress.claim(company_id, claims)).rejects.toBeInstanceOf(TemporarilyUnavailable);
    expect(await stores.progress.claim(company_id, claims)).toEqual(new Map());
  });
});

describe('exceptions of the SDK', () => {
  it.each([
    serviceError('ThrottlingException'),
    serviceError('Whatever', 503),
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  ])('the exception $name $code is temporarily unavailable, on every kind of call', async (exception) => {
    const { stores } = storesWith(async () => {
      throw exception;
    });
    const item = importItem('acme');
    const calls = [
      stores.imports.read(IDS),
      stores.imports.commit(item),
      stores.imports.settle(item, item.created_at),
      stores.imports.list('acme', 1),
      stores.imports.putPlan(IDS, 0, plan('x')),
      stores.imports.putReport(IDS, 'a', [plan('x')], 30),
      stores.directory.users('acme', ['a@b.c'], true),
      stores.progress.contribute('acme', [write(), write({ user_id: 8, items: 1 })]),
      stores.throttle.clear('key', 10, 0),
    ];
    const outcomes = await Promise.allSettled(calls);
    const reasons = outcomes.map((outcome): unknown => (outcome.status === 'rejected' ? outcome.reason : undefined));
    expect(reasons.filter((reason) => reason instanceof TemporarilyUnavailable)).toHaveLength(calls.length);
  });

  it.each(['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException'])(
    'the exception %s is a fault of the service',
    async (name) => {
      const { stores } = storesWith(async () => {
        throw serviceError(name);
      });
      await expect(stores.imports.read(IDS)).rejects.toMatchObject({ name });
    },
  );

  it('a server that is gone is temporarily unavailable', async () => {
    const client = testClient('http://127.0.0.1:9', { maxAttempts: 1 });
    const { imports } = everyStore({ client, table: 'none', sleep: async () => {} });
    await expect(imports.read(IDS)).rejects.toBeInstanceOf(TemporarilyUnavailable);
  });
});
