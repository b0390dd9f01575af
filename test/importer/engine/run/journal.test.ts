/** The stored state of the dry runs of files, and of the plan that was agreed to. Costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Attempt, Journal } from '../../../../bin/importer/engine/run/journal.ts';
import { memoryStore } from '../../command/support/runs.ts';

let lines: string[];
let ids: number;
const reopened = (): Promise<Journal> => Journal.read(memoryStore(lines));
const nameOf = (attempt: string): string => `history-${attempt}`;

/** By another command. */
async function opened(records = 'records', asked?: string, archive = false): Promise<Attempt> {
  return (await reopened()).openDryRuns(records, { newId: () => `id-${(ids += 1)}`, nameOf, asked, archive });
}

beforeEach(() => {
  [lines, ids] = [[], 0];
});

describe('Journal', () => {
  it('the journal stores the lines of every release', async () => {
    const { attempt, run_id } = await opened();
    const journal = await reopened();
    await journal.accept(attempt, 0, 'import-a');
    await journal.endDryRun(attempt, 0, 1700000000000);
    await journal.agree({ attempt, run_id, plan_digest: 'a digest' });
    await journal.end(attempt);
    expect(lines).toEqual([
      '{"kind":"dry_run","run":"id-1","records":"records","run_id":"history-id-1"}',
      '{"kind":"accepted","run":"id-1","chunk":0,"import_id":"import-a"}',
      '{"kind":"dry_run_done","run":"id-1","atMs":1700000000000,"rejected":0}',
      '{"kind":"agreed","run":"id-1","plan_digest":"a digest"}',
      '{"kind":"ended","run":"id-1"}',
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

  it('dry runs for the archive are others of the same run, and only their plan is one that archives', async () => {
    const [plain, archiving] = [await opened(), await opened('records', undefined, true)];
    expect(archiving).toEqual({ attempt: 'id-2', run_id: plain.run_id, archive: true });
    expect(await opened('records', undefined, true)).toEqual(archiving);
    await (await reopened()).agree({ ...archiving, plan_digest: 'a digest' });
    for (const asked of [false, true])
      expect((await reopened()).agreed('records', asked)).toMatchObject({ attempt: 'id-2', archive: true });
    const again = await opened();
    expect(again).toEqual({ attempt: 'id-3', run_id: plain.run_id });
    await (await reopened()).agree({ ...again, plan_digest: 'another' });
    expect((await reopened()).agreed('records')).toMatchObject({ attempt: 'id-3' });
    expect((await reopened()).agreed('records', true)).toBeUndefined();
  });

  it('a dry run that an earlier release kept without its run is made again', async () => {
    lines.push('{"kind":"dry_run","run":"1","records":"records"}');
    expect(await opened()).toEqual({ attempt: 'id-1', run_id: 'history-id-1' });
  });
});

describe('dry runs', () => {
  const ended = async ({ attempt }: Attempt, rejected = 0): Promise<void> =>
    (await reopened()).endDryRun(attempt, rejected, 0);

  it('that were interrupted are resumed, and finished ones are followed by new ones of the same run', async () => {
    const first = await opened();
    expect(await opened()).toEqual(first);
    expect((await reopened()).recentDryRun('records', 0)).toBeUndefined();
    await ended(first);
    expect(await opened()).toEqual({ attempt: 'id-2', run_id: first.run_id });
  });

  it.each([
    ['other records', 'others', undefined, 'history-id-1'],
    ['another run', 'records', 'spring', 'spring'],
  ])('of %s are new ones, also if the last were interrupted', async (_, records, asked, run_id) => {
    await opened();
    expect(await opened(records, asked)).toEqual({ attempt: 'id-2', run_id });
  });

  it.each([
    ['of the same records', 'records', 0, 59, true],
    ['of other records', 'others', 0, 1, false],
    ['that rejected some', 'records', 3, 1, false],
    ['of an hour ago', 'records', 0, 60, false],
  ] as const)('%s need not be made again, or must', async (_, records, rejected, minutes, isRecent) => {
    const begun = await opened(records);
    await ended(begun, rejected);
    const recent = (await reopened()).recentDryRun('records', minutes * 60_000);
    expect(recent).toEqual(isRecent ? { ...begun, endedAtMs: 0 } : undefined);
  });

  it('before an import are not shown after it: the platform has changed, and another import is another run', async () => {
    const begun = await opened();
    await ended(begun);
    await (await reopened()).end(begun.attempt);
    expect((await reopened()).recentDryRun('records', 0)).toBeUndefined();
    expect((await reopened()).accepted(begun.attempt).size).toBe(0);
    expect((await opened()).run_id).toBe('history-id-2');
  });
});

describe('a plan that was agreed to', () => {
  const agreed = async (records = 'records') => (await reopened()).agreed(records);

  it('is kept until its run has ended, whatever was looked at since', async () => {
    const begun = await opened();
    const plan = { ...begun, plan_digest: 'a digest' };
    await (await reopened()).agree(plan);
    await opened('records', 'spring');
    expect(await agreed()).toMatchObject(plan);
    expect(await agreed('others')).toBeUndefined();
    await (await reopened()).end('another');
    expect(await agreed()).toMatchObject(plan);
    await (await reopened()).end(begun.attempt);
    expect(await agreed()).toBeUndefined();
  });

  it('gives way to one that was agreed to later', async () => {
    await (await reopened()).agree({ ...(await opened()), plan_digest: 'first' });
    await (await reopened()).agree({ ...(await opened('records', 'spring')), plan_digest: 'second' });
    expect(await agreed()).toMatchObject({ run_id: 'spring', plan_digest: 'second' });
  });
});
