/** The result of each record, while an import runs and once it has ended. Costs milliseconds. */
import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { unpackJson } from '../../functions/dynamodb/encoding.ts';
import { handler as getImport } from '../../functions/handlers/get-import.ts';
import { handler as listImportRecords } from '../../functions/handlers/list-import-records.ts';
import { handler as startImport } from '../../functions/handlers/start-import.ts';
import type { ProtectedOperation } from '../../functions/http/types.ts';
import { fingerprintOf } from '../../functions/imports/idempotency-key.ts';
import { importWithoutRecords } from '../../functions/imports/import-item.ts';
import { digestOf, importResource, readResults, retryAfter, retryRunAfter } from '../../functions/imports/results.ts';
import { errorResult } from '../../functions/records/result.ts';
import { invalid } from '../../functions/records/problems.ts';
import { SUMMARY, importItem } from '../dynamodb/samples.ts';
import type { Services } from '../kit/services.ts';
import { operationRequest, withBody } from '../kit/api-event.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { ANN, COMPANY_ID, RECORDS, record, useImportWorld } from './world.ts';

const world = useImportWorld();

const reported = async () => (await readResults(await world.read(), world.services)) ?? [];

it('records of a chunk that is not done are pending, with their ids, in the order sent', async () => {
  limitChunks(2);
  await world.accept(RECORDS);
  world.sent.shift();
  await world.deliver();
  expect(await world.outcomes()).toEqual(['pending', 'pending', 'applied']);
  expect((await reported()).map(({ result }) => result.external_record_id)).toEqual(['a', 'b', 'c']);
});

it('each result is returned with the record as it was sent, without members that the interface does not define', async () => {
  limitChunks(2);
  const records = [record('a'), { external_record_id: 'odd', user: '\ud800' }, null];
  await world.accept([records[0], { ...records[1], note: 'x', ['__proto__']: 1 }, null]);
  expect((await reported()).map((each) => each.record)).toEqual(records);
  await world.deliver();
  expect((await reported()).map((each) => each.record)).toEqual(records);
});

it('a record whose id was bound to another pair first names that pair, whatever its plan said', async () => {
  await world.accept(RECORDS);
  await world.stores.progress.claim(COMPANY_ID, [{ ...ANN, user_id: 88, external_record_id: 'a' }]);
  await world.deliver();
  expect(await world.outcomes()).toEqual(['duplicate_external_record_id', 'applied', 'applied']);
  expect((await reported())[0]?.result.errors[0]?.message).toMatch(/88.*101/);
});

it('records whose payload has expired are pending, without their ids', async () => {
  await world.accept(RECORDS);
  vi.spyOn(world.stores.imports, 'readPayloads').mockResolvedValue([undefined]);
  const shown = (await reported()).map(({ result, record: sent }) => [result.status, result.external_record_id, sent]);
  expect(shown).toEqual(RECORDS.map(() => ['pending', null, undefined]));
});

it('a chunk that is done and whose plan is missing is a fault: no record is left out', async () => {
  await world.accept(RECORDS);
  const { company_id, import_id } = await world.read();
  await world.stores.imports.setSummary({ company_id, import_id }, 0, SUMMARY);
  await expect(reported()).rejects.toThrow('A summarised chunk has no plan.');
});

describe('the problems in an import resource', () => {
  const problems = Array.from({ length: 100 }, (_, at) => invalid(`progress.classes.${at}`, 'must be an object'));
  const rejected = (records: number) =>
    Array.from({ length: records }, (_, index) => errorResult({ index, external_record_id: `r-${index}` }, problems));

  it('all problems are in the resource up to 10,000', () => {
    const records = rejected(100);
    expect(importResource(importItem('acme'), records).records).toBe(records);
  });

  it('beyond that, the resource holds the first 10 problems of each record, and refers to the list', () => {
    const few = errorResult({ index: 101, external_record_id: null }, problems.slice(0, 10));
    const shown = importResource(importItem('acme'), [...rejected(101), few]).records;
    expect(shown).toHaveLength(102);
    expect(shown[0]?.errors.slice(0, 10)).toEqual(problems.slice(0, 10));
    expect(shown[0]?.errors[10]).toMatchObject({ error_code: 'invalid_record' });
    expect(shown[0]?.errors).toHaveLength(11);
    expect(shown[101]).toEqual(few);
  });
});

it.each([
  [0, '1'],
  [1_999, '1'],
  [2_000, '2'],
  [4_500, '4'],
  [3_600_000, '10'],
  [-5_000, '1'],
])('the recommended polling delay of an import that has taken %i ms is %s s', (ageMs, seconds) => {
  const item = importItem('acme');
  expect(retryAfter(item, Date.parse(item.created_at) + ageMs)).toEqual({ 'retry-after': seconds });
});

it('the recommended polling delay of a run is that of the application of its plan, once that has begun', () => {
  const run = { created_at: '2026-01-01T00:00:00.000Z', plan: { applied_at: '2026-01-05T00:00:00.000Z' } };
  const nowMs = Date.parse('2026-01-05T00:00:03.000Z');
  expect(retryRunAfter(run, nowMs)).toEqual({ 'retry-after': '3' });
  expect(retryRunAfter({ ...run, plan: { applied_at: null } }, nowMs)).toEqual({ 'retry-after': '10' });
});

const readable = (_: string, value: unknown) =>
  value instanceof Uint8Array ? JSON.stringify(unpackJson(value)) : value;

describe('the report of a dry run', () => {
  const DAY = 24 * 60 * 60;
  const removeExpired = (nowSeconds: number) => {
    for (const item of world.table.items()) {
      const {
        pk,
        sk,
        expires_at_seconds = Number.POSITIVE_INFINITY,
      } = item as { pk: string; sk: string; expires_at_seconds?: number };
      if (expires_at_seconds < nowSeconds) world.table.write({ pk, sk }, undefined);
    }
  };
  const ask = async (
    operation: ProtectedOperation<Services>,
    json: object = {},
    query: Record<string, string> = {},
  ) => {
    const item = await world.read();
    const request = operationRequest({ import: item, importId: item.import_id, ...withBody(json), query });
    return operation(request, world.services);
  };
  const inDays = (days: number) => Math.floor(world.clock.now / 1000) + days * DAY;

  it('a report can be read for 30 days; then the import says so, lists no records, and its key replays that', async () => {
    limitChunks(2);
    const body = { dry_run: true, records: RECORDS };
    await world.accept(RECORDS, { dry_run: true, fingerprint: fingerprintOf(body) });
    const before = await ask(getImport.operation);
    removeExpired(inDays(30));
    expect(await ask(getImport.operation)).toEqual(before);
    expect(before.body).toMatchObject({ status: 'validated', records: [{}, {}, {}] });
    expect(before.body).not.toHaveProperty('report_expired');

    removeExpired(inDays(31));
    const expired = { ...importWithoutRecords(await world.read()), report_expired: true, records: [] };
    expect((await ask(getImport.operation)).body).toEqual(expired);
    expect((await ask(listImportRecords.operation)).body).toMatchObject({
      status: 'validated',
      records: [],
      next_cursor: null,
    });
    const replayed = await ask(startImport.operation, body);
    expect(replayed).toMatchObject({ statusCode: 200, headers: { 'idempotent-replayed': 'true' }, body: expired });
    await expect(ask(startImport.operation, { ...body, records: [record('a')] })).rejects.toMatchObject({
      problem: { error_code: 'idempotency_key_reused' },
    });
  });

  it('the results of a real import expire after the days of the deployment, and the import keeps its counts and its key', async () => {
    Object.assign(world.services, { retentionDays: 30 });
    const body = { dry_run: false, records: RECORDS };
    await world.accept(RECORDS, { fingerprint: fingerprintOf(body) });
    await world.deliver();
    const before = await ask(getImport.operation);
    world.clock.now += 31 * DAY * 1000;
    const after = await ask(getImport.operation);
    const expired = { ...importWithoutRecords(await world.read()), report_expired: true, records: [] };
    expect([after.body, (await ask(listImportRecords.operation)).body]).toMatchObject([
      expired,
      { report_expired: true, records: [], next_cursor: null },
    ]);
    expect(after.headers?.['etag']).not.toBe(before.headers?.['etag']);
    const replayed = await ask(startImport.operation, body);
    expect(replayed).toMatchObject({ statusCode: 202, headers: { 'idempotent-replayed': 'true' } });
  });

  it('a report of which a part has expired has expired', async () => {
    limitChunks(2);
    await world.accept(RECORDS, { dry_run: true });
    const part = [...world.table.items()].find(({ sk }) => String(sk).startsWith('report#'));
    world.table.write(part as { pk: string; sk: string }, undefined);
    expect((await ask(getImport.operation)).body).toMatchObject({ report_expired: true, records: [] });
  });

  it('a record of which no user was found shows what was sent for 90 days where results expire later, and then its codes alone', async () => {
    limitChunks(2);
    Object.assign(world.services, { retentionDays: 365 });
    await world.accept([...RECORDS, record('planted-id', 'planted@x.test')]);
    await world.deliver();
    const list = () => ask(listImportRecords.operation, {}, { include: 'record' });
    const [before, resource] = [await list(), await ask(getImport.operation)];
    expect(before.body).toMatchObject({ records: [{}, {}, {}, { record: record('planted-id', 'planted@x.test') }] });
    world.clock.now += 90 * DAY * 1000 - 1;
    expect([await list(), await ask(getImport.operation)]).toEqual([before, { ...resource, readBytes: 1 }]);
    world.clock.now += 1_000;
    const after = await list();
    expect(JSON.stringify(after.body)).not.toContain('planted@x.test');
    expect(after.body).toMatchObject({ records: [{ record: {} }, { record: {} }, { record: {} }, { record: null }] });
    expect(after.body).toMatchObject({
      records: { 3: { status: 'error', errors: [{ error_code: 'user_not_found' }] } },
    });
    expect(after.headers?.['etag']).not.toBe(before.headers?.['etag']);
    expect((await ask(getImport.operation)).headers?.['etag']).not.toBe(resource.headers?.['etag']);
    removeExpired(inDays(1));
    expect(await list()).toEqual(after);
    const stored = [...world.table.items()].map((each) => JSON.stringify(each, readable));
    expect(stored.filter((text) => text.includes('planted@x.test'))).toEqual([]);
  });

  it('a real import keeps its results: only the report of a dry run expires', async () => {
    await world.accept(RECORDS);
    await world.deliver();
    const before = await ask(getImport.operation);
    removeExpired(inDays(10_000));
    expect(await ask(getImport.operation)).toEqual(before);
  });

  it.each([undefined, 30, 90])('a plan is one item where results are kept for %s days', async (retentionDays) => {
    Object.assign(world.services, { retentionDays });
    await world.accept([record('a', 'nobody@x.test')]);
    await world.deliver();
    expect([...world.table.items()].filter(({ sk }) => String(sk).startsWith('nameless#'))).toEqual([]);
  });
});

it('a digest is that of each value as a line of canonical JSON', () => {
  const text = '{"a":[1,"é"],"b":{"10":1,"9":2}}\nnull\n';
  const values = [{ b: { 9: 2, 10: 1 }, a: [1.0, 'é'], left_out: undefined }, null];
  expect(digestOf(values)).toBe(createHash('sha256').update(text).digest('hex'));
});
