/** The stored state of a run. Costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../../../../bin/importer/engine/run/journal.ts';
import { memoryStore } from '../../command/support/runs.ts';

let lines: string[];
const reopened = (): Promise<Journal> => Journal.read(memoryStore(lines));
const newId = (): string => 'another dry run';

beforeEach(() => {
  lines = [];
});

describe('Journal', () => {
  it('the journal stores the lines of every release', async () => {
    const journal = await reopened();
    const dryRun = await journal.beginDryRun('records', () => 'a dry run');
    await journal.accept(dryRun, 0, 'import-a');
    await journal.endDryRun(dryRun, 0, 1700000000000);
    await journal.begin({ attempt: '1', run_id: 'spring' });
    await journal.accept('1', 0, 'import-b');
    await journal.end('1');
    expect(lines).toEqual([
      '{"kind":"dry_run","run":"a dry run","records":"records"}',
      '{"kind":"accepted","run":"a dry run","chunk":0,"import_id":"import-a"}',
      '{"kind":"dry_run_done","run":"a dry run","atMs":1700000000000,"rejected":0}',
      '{"kind":"named","run":"1","run_id":"spring"}',
      '{"kind":"accepted","run":"1","chunk":0,"import_id":"import-b"}',
      '{"kind":"ended","run":"1"}',
    ]);
  });

  it.each(['{"kind":"accepted","run":"1","chu', '{"kind":"accepted","run":"1"}', '{"kind":"later"}', ''])(
    'the journal ignores a line that is incomplete after a kill, or of another release: %s',
    async (line) => {
      await (await reopened()).accept('1', 0, 'import-a');
      lines.push(line);
      expect([...(await reopened()).accepted('1')]).toEqual([[0, 'import-a']]);
    },
  );

  it('an interrupted dry run is resumed, and a finished one is followed by a new one', async () => {
    const journal = await reopened();
    const first = await journal.beginDryRun('records', () => 'a dry run');
    expect(await (await reopened()).beginDryRun('records', newId)).toBe(first);
    expect((await reopened()).recentDryRun('records', 0)).toBeUndefined();
    await journal.endDryRun(first, 0, 0);
    expect(await (await reopened()).beginDryRun('records', newId)).toBe('another dry run');
  });

  it.each([
    ['of the same records', 'records', 0, 59, true],
    ['of other records', 'others', 0, 1, false],
    ['that rejected some', 'records', 3, 1, false],
    ['of an hour ago', 'records', 0, 60, false],
  ] as const)(
    'the journal knows whether a dry run %s need not be made again',
    async (_, records, rejected, minutes, isRecent) => {
      const journal = await reopened();
      const attempt = await journal.beginDryRun(records, () => 'a dry run');
      await journal.endDryRun(attempt, rejected, 0);
      const recent = (await reopened()).recentDryRun('records', minutes * 60_000);
      expect(recent).toEqual(isRecent ? { attempt, endedAtMs: 0 } : undefined);
    },
  );

  it('other records have a new dry run, also if the last was interrupted', async () => {
    await (await reopened()).beginDryRun('records', () => 'a dry run');
    expect(await (await reopened()).beginDryRun('others', newId)).toBe('another dry run');
  });

  it('the journal keeps an attempt and its accepted imports until it has ended', async () => {
    const journal = await reopened();
    await journal.begin({ attempt: '1', run_id: 'spring' });
    await journal.accept('1', 0, 'import-a');
    expect((await reopened()).open).toEqual({ attempt: '1', run_id: 'spring' });
    await journal.end('1');
    for (const each of [journal, await reopened()])
      expect([each.open, each.accepted('1').size]).toEqual([undefined, 0]);
  });

  it('the end of an attempt that another command has begun meanwhile ends that one alone', async () => {
    const journal = await reopened();
    await journal.begin({ attempt: '1', run_id: 'spring' });
    await journal.begin({ attempt: '2', run_id: 'spring' });
    await journal.end('1');
    expect((await reopened()).open).toEqual({ attempt: '2', run_id: 'spring' });
  });

  it('a dry run before an import is not shown after it: the platform has changed', async () => {
    const journal = await reopened();
    await journal.endDryRun(await journal.beginDryRun('records', () => 'a dry run'), 0, 0);
    await journal.begin({ attempt: '1', run_id: 'spring' });
    expect((await reopened()).recentDryRun('records', 0)).toBeDefined();
    await journal.end('1');
    expect((await reopened()).recentDryRun('records', 0)).toBeUndefined();
  });
});
