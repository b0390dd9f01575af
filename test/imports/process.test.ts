/** Processing of a chunk, and deliveries that arrive late, twice or too early. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { processChunk, reportChunk } from '../../functions/imports/process.ts';
import { START_MS } from '../kit/world.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { ANN, COMPANY_ID, HOUR, IMPORT_ID, MINUTE, RECORDS, record, useImportWorld } from './world.ts';
import { planted } from '../kit/planted.ts';

const world = useImportWorld();

describe('processing of a chunk', () => {
  it('a chunk is planned, claimed, written and summarised; the last one ends the import', async () => {
    limitChunks(2);
    await world.accept(RECORDS);
    const [first, last] = await world.deliver();
    expect(first).toMatchObject({ outcome: 'processed', summary: { succeeded: 2, failed: 0 } });
    expect(first).not.toHaveProperty('settled');
    expect(last).toMatchObject({ outcome: 'processed', settled: { status: 'success' } });
    expect((await world.progressOf())?.contributions).toMatchObject([{ external_record_id: 'a', index: 0 }]);
    expect(await world.stores.progress.identities(COMPANY_ID, ['a'])).toEqual(new Map([['a', ANN]]));
  });

  it('a chunk leaves the due time where it is while the import moves, so that it costs no index writes', async () => {
    limitChunks(2);
    await world.accept(RECORDS);
    const { due_at } = await world.read();
    world.sent.pop();
    await world.deliver();
    expect((await world.read()).due_at).toBe(due_at);
  });

  it('a chunk that ends late moves the due time', async () => {
    limitChunks(2);
    await world.accept(RECORDS);
    world.sent.pop();
    world.clock.now += 40 * MINUTE;
    await world.deliver();
    expect((await world.read()).due_at).toBe('2026-01-02T03:44:55.678Z');
  });
});

it('an id that is bound to its pair already is not claimed again', async () => {
  await world.accept([record('a')], { import_id: 'first' });
  await world.deliver();
  const claim = vi.spyOn(world.stores.progress, 'claim');
  await world.accept([{ ...record('a'), progress: { completion_pct: 60 } }, record('b', 'ben@acme.test')]);
  await world.deliver();
  expect(await world.outcomes()).toEqual(['updated', 'applied']);
  expect(claim.mock.calls).toEqual([[COMPANY_ID, [{ user_id: 8, platform_course_id: 101, external_record_id: 'b' }]]]);
});

describe('deliveries', () => {
  it('the second delivery of a chunk is skipped', async () => {
    await world.accept(RECORDS);
    const messages = [...world.sent, ...world.sent];
    world.sent.splice(0, 1, ...messages);
    const [, again] = await world.deliver();
    expect(again).toEqual({ outcome: 'skipped' });
    expect((await world.progressOf())?.contributions).toHaveLength(1);
  });

  it('an interrupted delivery is repeated by the stored plan, whatever changed since', async () => {
    await world.accept([record('a')]);
    vi.spyOn(world.stores.progress, 'claim').mockRejectedValueOnce(new Error('killed'));
    const messages = [...world.sent];
    await expect(world.deliver()).rejects.toThrow('killed');
    const gone = { company_id: COMPANY_ID, user_id: 7, email: 'ann@acme.test', name: 'Ann', avatar: '' } as const;
    await planted(world.stores.platform).putUsers([{ ...gone, role: 'customer', license: 'inactive' }]);
    world.sent.push(...messages);
    expect(await world.deliver()).toMatchObject([{ outcome: 'processed', settled: { status: 'success' } }]);
  });

  it('a delivery that died between its summary and the end of the import is completed by the next one', async () => {
    await world.accept(RECORDS);
    vi.spyOn(world.stores.imports, 'settle').mockRejectedValueOnce(new Error('killed'));
    const messages = [...world.sent];
    await expect(world.deliver()).rejects.toThrow('killed');
    world.sent.push(...messages);
    expect(await world.deliver()).toMatchObject([{ outcome: 'skipped', settled: { status: 'success' } }]);
  });

  it('a delivery for an import that is being abandoned starts no new work', async () => {
    await world.accept(RECORDS);
    await world.stores.imports.startClosing(await world.read(), 'now', 'later');
    expect(await world.deliver()).toEqual([{ outcome: 'skipped' }]);
    expect(await world.progressOf()).toBeUndefined();
  });

  it('a delivery that arrives before its import can be read fails, and is redelivered', async () => {
    const ids = { company_id: COMPANY_ID, import_id: IMPORT_ID };
    const message = { kind: 'chunk', ...ids, chunk: 0, payload_hash: 'h' } as const;
    await expect(processChunk(message, world.services)).rejects.toThrow(
      expect.objectContaining({ name: 'ChunkNotReady', message: 'The import of this chunk does not exist yet.' }),
    );
  });

  it('a delivery whose payload cannot be read fails, and is redelivered', async () => {
    await world.accept(RECORDS);
    const [message] = world.sent;
    if (message === undefined) throw new Error('Nothing was sent.');
    await expect(processChunk({ ...message, payload_hash: 'h' }, world.services)).rejects.toThrow('does not exist');
    world.clock.now += HOUR;
    expect(await world.deliver()).toMatchObject([{ outcome: 'processed' }]);
  });
});

describe('an import that archives', () => {
  const nobody = record('n', 'nobody@acme.test');
  const wrong = { ...record('w', 'gone@acme.test'), progress: { completion_pct: 101 } };

  it('keeps what nobody or no course answers to, and nothing else; the results say so', async () => {
    const retired = { ...record('r'), content: { type: 'course', external_course_id: 'old' } };
    await world.accept([record('a'), nobody, wrong, retired, record('n')], { archive: true });
    await world.deliver();
    expect(await world.archived()).toEqual([
      [1, 'nobody@acme.test'],
      [3, 'ann@acme.test'],
    ]);
    expect((await world.results()).map(({ archived }) => archived)).toEqual([
      undefined,
      true,
      undefined,
      true,
      undefined,
    ]);
    const { summaries, archived_until } = await world.read();
    expect(summaries[0]).toMatchObject({ succeeded: 1, failed: 4, archived: 2 });
    expect(archived_until).toBe('2036-01-02T03:04:05.678Z');
  });

  it('without it, or in a dry run, nothing is kept; a dry run says what would be', async () => {
    await world.accept([nobody]);
    await world.deliver();
    await world.accept([nobody], { archive: true, dry_run: true, import_id: 'dry' });
    expect([await world.archived(), await world.archived('dry')]).toEqual([[], []]);
    expect([...(await world.results()), ...(await world.results('dry'))].map(({ archived }) => archived)).toEqual([
      undefined,
      true,
    ]);
  });

  it('a delivery that dies before its summary has kept it, and a repeat keeps the same', async () => {
    await world.accept([nobody], { archive: true });
    vi.spyOn(world.stores.imports, 'setSummary').mockRejectedValueOnce(new Error('killed'));
    world.sent.push(...world.sent);
    const [first, again] = world.sent.splice(0);
    if (first === undefined || again === undefined) throw new Error('Nothing was sent.');
    await expect(processChunk(first, world.services)).rejects.toThrow('killed');
    const items = [...world.table.items()].length;
    expect(await processChunk(again, world.services)).toMatchObject({ summary: { archived: 1 } });
    expect(await world.archived()).toEqual([[0, 'nobody@acme.test']]);
    expect([...world.table.items()]).toHaveLength(items);
  });

  it('a plan that only archives waits at a closed gate, as one that writes', async () => {
    await world.accept([nobody], { archive: true });
    vi.spyOn(world.stores.archive, 'putArchived').mockRejectedValueOnce(new Error('killed'));
    const messages = [...world.sent];
    await expect(world.deliver()).rejects.toThrow('killed');
    await world.stores.jobs.takeGate(COMPANY_ID, 'import#other');
    world.sent.push(...messages);
    expect(await world.deliver()).toEqual([{ outcome: 'postponed' }]);
    expect(await world.archived()).toEqual([]);
  });
});

describe('metrics and logs of a chunk', () => {
  async function reported(receives = 1) {
    const [message] = [...world.sent];
    const [processed] = await world.deliver();
    if (message === undefined || processed === undefined) throw new Error('Nothing was processed.');
    const invocation = { request_id: 'request-1' };
    reportChunk(world.services, { message, processed, receives, startedAtMs: START_MS - 250, invocation });
    expect(world.telemetry.lines).toMatchObject([{ level: 'info', message: 'chunk' }]);
    return world.telemetry.lines.map(({ fields }) => fields);
  }

  it('metrics count the records applied, the first error of each rejected one, warnings, and the end of the import', async () => {
    await world.accept([record('a'), record('b', 'nobody@acme.test'), { ...record('c', 'ben@acme.test'), extra: 1 }]);
    await reported();
    expect(world.telemetry.samples).toEqual([
      { metric: 'RecordsApplied', value: 2 },
      { metric: 'RecordsRejected', value: 1 },
      { metric: 'user_not_found', value: 1 },
      { metric: 'unknown_field_ignored', value: 1 },
      { metric: 'ImportsPartlySucceeded', value: 1 },
      { metric: 'TimeToTerminal', value: 0 },
    ]);
  });

  it('a chunk logs one line with the ids, and names only unusual values', async () => {
    await world.accept([record('a')]);
    const line = { request_id: 'request-1', company_id: COMPANY_ID, chunk: 0, failed: 0, duration_ms: 250 };
    expect(await reported()).toMatchObject([{ ...line, outcome: undefined, receives: undefined }]);
  });

  it('a repeated delivery is logged and counted as skipped', async () => {
    await world.accept([record('a')]);
    world.sent.push(...world.sent);
    const [message] = world.sent;
    await world.deliver();
    world.sent.push(...(message === undefined ? [] : [message]));
    expect(await reported(2)).toMatchObject([{ outcome: 'skipped', receives: 2 }]);
    expect(world.telemetry.samples).toEqual([{ metric: 'ChunksRetried', value: 1 }]);
  });

  it('a lost claim is counted under the code that its result shows', async () => {
    await world.stores.progress.claim(COMPANY_ID, [{ ...ANN, user_id: 8, external_record_id: 'a' }]);
    await world.accept([record('a')]);
    await reported();
    expect(world.telemetry.samples).toContainEqual({ metric: 'duplicate_external_record_id', value: 1 });
  });

  it('a record with several errors is counted under its first', async () => {
    await world.accept([{ ...record('a', 'nobody@acme.test'), content: { type: 'course', platform_course_id: 999 } }]);
    await reported();
    const [errors, counted] = [(await world.results())[0]?.errors, world.telemetry.samples.slice(2, -2)];
    expect(errors?.length).toBeGreaterThan(1);
    expect(counted).toEqual([{ metric: errors?.[0]?.error_code, value: 1 }]);
  });
});

it('of two imports in flight with the same records both say applied, and the progress is that of one', async () => {
  const [one = RECORDS[0]] = RECORDS;
  await world.accept([one], { import_id: 'first' });
  await world.accept([one], { import_id: 'second' });
  const plans = vi.spyOn(world.stores.progress, 'historiesInSlices');
  plans.mockImplementation(async function* nothing(_, pairs) {
    yield pairs.map((pair) => [pair, undefined]);
  });
  await world.deliver();
  plans.mockRestore();
  expect([await world.outcomes('first'), await world.outcomes('second')]).toEqual([['applied'], ['applied']]);
  expect((await world.progressOf())?.contributions).toHaveLength(2);
  const [first, second] = [await world.results('first'), await world.results('second')];
  expect(second[0]?.progress?.completion_pct).toBe(first[0]?.progress?.completion_pct);
});
