/** Acceptance of an import: staged, committed, sent; repeated. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { asAccepted } from '../../functions/imports/accept.ts';
import { digestsOf } from '../../functions/imports/results.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { COMPANY_ID, RECORDS, record, useImportWorld } from './world.ts';

const world = useImportWorld();

const itemOf = (acceptance: Awaited<ReturnType<typeof world.accept>>) => {
  if (acceptance.kind === 'key_reused') throw new Error('The key was reused.');
  return acceptance.item;
};

describe('acceptImport', () => {
  it('an accepted import is committed as open, and each of its chunks is sent', async () => {
    limitChunks(2);
    const acceptance = await world.accept(RECORDS);
    expect(acceptance).toMatchObject({ kind: 'accepted', item: { status: 'processing', total: 3, summaries: {} } });
    expect(itemOf(acceptance).due_at).toBe('2026-01-02T03:04:55.678Z');
    expect(world.sent.map(({ chunk }) => chunk)).toEqual([0, 1]);
    expect(await world.read()).toEqual(itemOf(acceptance));
  });

  it('of an import that a quota refuses, neither an item is committed nor a run listed', async () => {
    vi.spyOn(world.stores.quotas, 'spend').mockRejectedValue(new Error('used up'));
    await expect(world.accept(RECORDS, { run_id: 'run' })).rejects.toThrow('used up');
    await expect(world.read()).rejects.toThrow('no import');
    expect(await world.stores.imports.listRuns(COMPANY_ID, 1)).toEqual([]);
  });

  it('an import is accepted although the queue is down, which is logged', async () => {
    vi.spyOn(world.queue, 'send').mockRejectedValue(new Error('down'));
    expect(await world.accept(RECORDS)).toMatchObject({ kind: 'accepted' });
    expect(world.telemetry.lines).toMatchObject([
      {
        level: 'error',
        message: 'Chunks could not be sent. The watchdog sends them.',
        error: { message: 'down' },
      },
    ]);
  });
});

describe('acceptImport, repeated', () => {
  it('a repeat returns the stored import, and sends the chunks that it still misses', async () => {
    limitChunks(2);
    const first = itemOf(await world.accept(RECORDS));
    world.sent.pop();
    await world.deliver();
    const again = await world.accept(RECORDS, { existing: await world.read() });
    expect(again).toMatchObject({ kind: 'replayed', item: { attempt_id: first.attempt_id } });
    expect(world.sent.map(({ chunk }) => chunk)).toEqual([1]);
  });

  it('a repeat writes nothing, and sends nothing once the import has ended', async () => {
    await world.accept(RECORDS);
    await world.deliver();
    const existing = await world.read();
    const { imports } = world.stores;
    const calls = [vi.spyOn(imports, 'stage'), vi.spyOn(imports, 'commit'), vi.spyOn(world.queue, 'send')];
    expect(await world.accept(RECORDS, { existing })).toEqual({ kind: 'replayed', item: existing });
    expect(calls.map(({ mock }) => mock.calls)).toEqual([[], [], []]);
  });

  it('repeats that race are accepted once', async () => {
    const acceptances = await Promise.all([1, 2, 3].map(() => world.accept(RECORDS)));
    expect(acceptances.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'replayed', 'replayed']);
    expect(new Set(acceptances.map((each) => itemOf(each).attempt_id)).size).toBe(1);
  });

  it('a repeat shows the import as it was when it was accepted', async () => {
    const first = itemOf(await world.accept(RECORDS));
    await world.deliver();
    const ended = await world.read();
    expect(ended.status).toBe('success');
    expect(asAccepted(ended)).toMatchObject({ status: 'processing', completed_at: null, created_at: first.created_at });
  });

  it('a repeat with another payload is refused, whether the import was found before or at the commit', async () => {
    await world.accept(RECORDS);
    const existing = await world.read();
    expect(await world.accept([record('z')], { existing })).toEqual({ kind: 'key_reused', item: existing });
    expect(await world.accept([record('z')])).toEqual({ kind: 'key_reused', item: existing });
    expect(await world.read()).toEqual(existing);
  });
});

describe('a dry run of a run', () => {
  it('makes its run, and has the digests and counts that a plan needs', async () => {
    await world.accept([record('a')], { import_id: 'first' });
    await world.deliver();
    const sent = [record('a'), { ...record('b', 'ben@acme.test'), surplus: 1 }];
    const acceptance = await world.accept(sent, { dry_run: true, run_id: 'run' });
    const [{ run_id } = { run_id: '' }] = await world.stores.imports.listRuns(COMPANY_ID, 1);
    expect(run_id).toBe('run');
    const item = itemOf(acceptance);
    expect(item.summaries[0]).toMatchObject({ succeeded: 2, unchanged: 1 });
    expect(await world.read()).toEqual(item);
    expect(item.digests).toEqual(await digestsOf(item, world.services));
  });

  it('has no digests where it names no run', async () => {
    expect(itemOf(await world.accept(RECORDS, { dry_run: true })).digests).toBeUndefined();
  });
});
