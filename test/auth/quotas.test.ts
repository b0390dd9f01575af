/** Hourly quotas of a company, as its clients see them. Over the store in memory; costs milliseconds. */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../functions/auth/sessions.ts';
import { handler as getImport } from '../../functions/handlers/get-import.ts';
import { handler as listImportRecords } from '../../functions/handlers/list-import-records.ts';
import { handler as listCourses } from '../../functions/handlers/list-courses.ts';
import { handler as registerUserMappings } from '../../functions/handlers/register-user-mappings.ts';
import { handler as startImport } from '../../functions/handlers/start-import.ts';
import type { ApiHandler } from '../../functions/http/chain.ts';
import { quotaKey } from '../../functions/dynamodb/table.ts';
import { ADMIN, COMPANY, invoke, posted } from '../kit/api-event.ts';
import { planted } from '../kit/planted.ts';
import { createWorld, servicesOver, START_MS } from '../kit/world.ts';

const HOUR_MS = 3_600_000;
/** 03:04:05.678, so that 55 minutes and 54.322 seconds of the hour are left. */
const SECONDS_LEFT = '3355';
const PLENTY = 1e9;
const QUOTAS = { imports: 3, upload_bytes: PLENTY, download_bytes: PLENTY };

interface Setting {
  readonly quotas?: Partial<typeof QUOTAS>;
}

/** Two instances of each function, as Lambda would run them, over one table. */
async function twoInstances({ quotas }: Setting = {}) {
  const commands: string[] = [];
  const observe = (command: object) => void commands.push(command.constructor.name);
  const limits = { ...QUOTAS, ...quotas };
  const world = createWorld({ quotas: limits, observe });
  const { stores, client, clock, services } = world;
  const rich = { ...COMPANY, company_id: 'globex' };
  await planted(stores.platform).putCompanies([COMPANY, rich]);
  await planted(stores.platform).putUsers([ADMIN, { ...ADMIN, company_id: 'globex', email: 'admin@globex.test' }]);
  const courses = Array.from({ length: 50 }, (_, platform_course_id) => ({
    platform_course_id,
    title: 'A course',
    has_exam: false,
    classes: [],
  }));
  await planted(stores.platform).putCourses('acme', courses);
  const second = servicesOver({ client, clock, queue: services.queue, quotas: limits });
  const tokens = {
    acme: (await openSession(services, ADMIN, clock.now)).access_token,
    globex: (await openSession(services, { ...ADMIN, company_id: 'globex', email: 'admin@globex.test' }, clock.now))
      .access_token,
  };
  const instance = (of: typeof services) => ({
    start: startImport.on(of),
    map: registerUserMappings.on(of),
    courses: listCourses.on(of),
    report: getImport.on(of),
    records: listImportRecords.on(of),
  });
  const call = (handler: ApiHandler, body?: object, headers: Record<string, string> = {}, company_id = 'acme') => {
    const authorization = `Bearer ${tokens[company_id as keyof typeof tokens]}`;
    const sent = body === undefined ? { headers: { authorization } } : posted(body, { authorization, ...headers });
    return invoke(handler, { ...sent, path: { company_id } });
  };
  const send = (
    handler: ApiHandler,
    { dry_run = false, records = [record('r-1')], key = '', company_id = 'acme' } = {},
  ) => call(handler, { dry_run, records }, key === '' ? {} : { 'idempotency-key': key }, company_id);
  const poll = (handler: ApiHandler, import_id: string, query: Readonly<Record<string, string>> = {}) => {
    const headers = { authorization: `Bearer ${tokens.acme}` };
    return invoke(handler, { path: { company_id: 'acme', import_id }, query, headers });
  };
  return { world, clock, commands, first: instance(services), second: instance(second), call, send, poll };
}

const record = (external_record_id: string) => ({
  external_record_id,
  user: { email: ADMIN.email },
  content: { type: 'course', platform_course_id: 1 },
  progress: { completion_pct: 50 },
});

/** Nearly 60 KB. */
const MANY_CLASSES = {
  completion_pct: 50,
  classes: Array.from({ length: 1800 }, (_, at) => ({ platform_class_id: 1_000_000 + at })),
};

const REFUSED = {
  status: 429,
  headers: { 'retry-after': SECONDS_LEFT, 'cache-control': 'no-store' },
  body: { errors: [{ error_code: 'too_many_requests' }], request_id: 'request-1' },
};

let setting: Awaited<ReturnType<typeof twoInstances>>;
beforeEach(async () => {
  setting = await twoInstances();
});

describe('the quota of imports', () => {
  it('imports beyond the quota of an hour are refused by every instance until the hour ends, and then accepted again', async () => {
    const { first, second, send, clock } = setting;
    for (const { start } of [first, second, first]) expect(await send(start)).toMatchObject({ status: 202 });
    expect(await send(first.start)).toMatchObject(REFUSED);
    expect(await send(second.start)).toMatchObject(REFUSED);
    clock.now = Math.ceil(START_MS / HOUR_MS) * HOUR_MS - 1;
    expect(await send(second.start)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    clock.now += 1;
    expect(await send(second.start)).toMatchObject({ status: 202 });
  });

  it('dry runs and requests that register mappings count as imports', async () => {
    const { first, send, call } = setting;
    expect(await send(first.start, { dry_run: true })).toMatchObject({ status: 200 });
    const mappings = [{ external_user_id: 'u-1', email: ADMIN.email }];
    for (let sent = 0; sent < 2; sent += 1) expect(await call(first.map, { mappings })).toMatchObject({ status: 200 });
    expect(await call(first.map, { mappings })).toMatchObject(REFUSED);
    expect(await send(first.start, { dry_run: true })).toMatchObject(REFUSED);
  });

  it('a repeat of an accepted key and a refused request do not count', async () => {
    const { first, second, send, call } = setting;
    for (const key of ['a', 'b', 'c']) expect(await send(first.start, { key })).toMatchObject({ status: 202 });
    for (const { start } of [first, second, first]) {
      const replayed = { status: 202, headers: { 'idempotent-replayed': 'true' } };
      expect(await send(start, { key: 'a' })).toMatchObject(replayed);
      expect(await send(start, { key: 'b', dry_run: true })).toMatchObject({ status: 422 });
      expect(await call(start, { dry_run: false, records: [] })).toMatchObject({ status: 400 });
    }
    expect(await send(first.start, { key: 'd' })).toMatchObject(REFUSED);
  });

  it('a company that has used up its quota does not affect other companies of the stack', async () => {
    const { first, send } = setting;
    for (let sent = 0; sent < 4; sent += 1) await send(first.start);
    expect(await send(first.start, { company_id: 'globex' })).toMatchObject({ status: 202 });
  });

  it('an import beyond the quota costs one refused write, and later ones only the reads of the authorisation', async () => {
    const { first, send, commands } = setting;
    for (let sent = 0; sent < 4; sent += 1) await send(first.start);
    commands.length = 0;
    for (let sent = 0; sent < 5; sent += 1) expect(await send(first.start)).toMatchObject(REFUSED);
    expect(commands).toEqual(Array.from({ length: 5 }, () => 'BatchGetCommand'));
  });
});

it('records beyond the quota of an hour are refused by their bytes; the last import may exceed it', async () => {
  const { first, second, send } = await twoInstances({ quotas: { imports: 100, upload_bytes: 100_000 } });
  const records = [{ ...record('r-1'), progress: MANY_CLASSES }];
  expect(await send(first.start, { records })).toMatchObject({ status: 202 });
  expect(await send(second.start, { records, dry_run: true })).toMatchObject({ status: 200 });
  expect(await send(first.start, { records })).toMatchObject(REFUSED);
});

describe('what is left of a quota', () => {
  const left = ({ headers }: { headers?: object | undefined }) =>
    Object.entries(headers ?? {}).filter(([name]) => name.startsWith('ratelimit'));
  const ALL = { imports: 2, upload_bytes: 1e6, download_bytes: 1e6 };

  it('an import says what is left of both that it counts towards, and one that is refused of which nothing is left', async () => {
    const { first, second, send } = await twoInstances({ quotas: ALL });
    const bytes = JSON.stringify(record('r-1')).length + JSON.stringify({ first_index: 0 }).length;
    const policy = '"imports";q=2;w=3600, "upload_bytes";q=1000000;qu="content-bytes";w=3600';
    const shown = [];
    for (const { start } of [first, second, first, first, second]) {
      const answer = await send(start);
      const [[, limits], [, names]] = left(answer) as [[string, string], [string, string]];
      expect([names, limits].toSorted()).toContain(policy);
      const rest = names === policy ? limits : names;
      const [, imports, upload, seconds] = /^"imports";r=(\d+);t=\d+, "upload_bytes";r=(\d+);t=(\d+)$/.exec(rest) ?? [];
      shown.push([answer.status, Number(imports), seconds]);
      expect(Number(upload)).toBeLessThanOrEqual(1e6 - bytes);
    }
    const refused = [429, 0, SECONDS_LEFT];
    expect(shown).toEqual([[202, 1, SECONDS_LEFT], [202, 0, SECONDS_LEFT], refused, refused, refused]);
  });

  it('a repeat counts towards none, so it says nothing', async () => {
    const { first, send } = await twoInstances({ quotas: ALL });
    expect(left(await send(first.start, { key: 'a', dry_run: true }))).toHaveLength(2);
    expect(left(await send(first.start, { key: 'a', dry_run: true }))).toEqual([]);
  });

  it('mappings say it of imports, and a list of downloads, by its bytes; the last one leaves nothing', async () => {
    const { first, call } = await twoInstances({ quotas: { ...ALL, download_bytes: 6000 } });
    const mapped = await call(first.map, { mappings: [{ external_user_id: 'u-1', email: ADMIN.email }] });
    expect(mapped.headers).toMatchObject({
      'ratelimit-policy': '"imports";q=2;w=3600',
      ratelimit: `"imports";r=1;t=${SECONDS_LEFT}`,
    });
    const [page, last, refused] = [await call(first.courses), await call(first.courses), await call(first.courses)];
    const sent = Buffer.byteLength(JSON.stringify(page.body));
    const policy = '"download_bytes";q=6000;qu="content-bytes";w=3600';
    const rest = (r: number) => ({
      'ratelimit-policy': policy,
      ratelimit: `"download_bytes";r=${r};t=${SECONDS_LEFT}`,
    });
    expect([page.headers, last.headers, refused.headers]).toMatchObject([rest(6000 - sent), rest(0), rest(0)]);
    expect([last.status, refused.status]).toEqual([200, 429]);
  });
});

describe('the quota of downloads', () => {
  it('downloads beyond the quota of an hour are refused before anything is read for them', async () => {
    const { first, second, call, commands } = await twoInstances({ quotas: { download_bytes: 6000 } });
    for (const { courses } of [first, second]) expect(await call(courses)).toMatchObject({ status: 200 });
    expect(await call(first.courses)).toMatchObject(REFUSED);
    commands.length = 0;
    expect(await call(first.courses)).toMatchObject(REFUSED);
    expect(commands).toEqual(['BatchGetCommand']);
  });

  it('the report of an ordinary import counts as no download; any other counts by the bytes read for it, and any when ten minutes old', async () => {
    const { first, call, send, poll, world } = await twoInstances({ quotas: { imports: 100, download_bytes: 1 } });
    const ordinary = (await send(first.start)).body.import_id;
    const large = Array.from({ length: 20 }, (_, i) => ({ ...record(`l-${i}`), progress: MANY_CLASSES }));
    const heavy = (await send(first.start, { records: large })).body.import_id;
    await world.deliver();
    for (let polled = 0; polled < 3; polled += 1)
      expect(await poll(first.report, ordinary)).toMatchObject({ status: 200 });
    expect(await poll(first.report, heavy)).toMatchObject({ status: 200 });
    expect(await poll(first.report, heavy)).toMatchObject(REFUSED);
    expect(await call(first.courses)).toMatchObject(REFUSED);
    expect(await poll(first.report, ordinary)).toMatchObject({ status: 200 });
    world.clock.now += 11 * 60_000;
    expect(await poll(first.report, ordinary)).toMatchObject({ status: 429 });
  });
});

it('the counter of a company expires after the hour', async () => {
  const { first, send, world } = setting;
  await send(first.start);
  const hour = Math.floor(START_MS / HOUR_MS);
  const { Item } = await world.client.send(new GetCommand({ TableName: 'table', Key: quotaKey('acme', hour) }));
  expect(Item).toMatchObject({ imports: 1, expires_at_seconds: (hour + 2) * 3600 });
});

it('a page of records is one read for each hundred that it shows, any other download is one', async () => {
  const { first, send, poll, world } = setting;
  const records = Array.from({ length: 250 }, (_, at) => record(`r-${at}`));
  const { import_id } = (await send(first.start, { dry_run: true, records })).body;
  world.clock.now += 11 * 60_000;
  const reads = async (query: Readonly<Record<string, string>>) => {
    world.telemetry.samples.length = 0;
    expect(await poll(first.records, import_id, query)).toMatchObject({ status: 200 });
    return world.telemetry.samples.filter(({ metric }) => metric === 'HistoryReads').map(({ value }) => value);
  };
  expect(await reads({ include: 'record' })).toEqual([3]);
  expect(await reads({ include: 'record', limit: '100' })).toEqual([1]);
  expect(await reads({})).toEqual([1]);
});
