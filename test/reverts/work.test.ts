/** The effect of a revert on progress and ids, and the same report from its dry run. Costs a second. */
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { importWithoutRecords } from '../../functions/imports/import-item.ts';
import type { RevertReport } from '../../functions/reverts/store.ts';
import { these, type Together } from '../../functions/reverts/together.ts';
import { previewRevert, removeImports, replaceReliances } from '../../functions/reverts/work.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { previewRunRevert } from '../../functions/reverts/request.ts';
import { ANN, COMPANY_ID, IMPORT_ID, RUN, importWorld, record, useImportWorld } from '../imports/world.ts';
import type { ImportItem } from '../../functions/shared/model.ts';
import { cases } from '../kit/at-length.ts';

const ONLY = these([IMPORT_ID]);
const world = useImportWorld();

const imported = async (import_id: string, records: readonly unknown[]) => {
  await world.accept(records, { import_id });
  await world.deliver();
};
const contributors = async () => (await world.progressOf())?.contributions.map(({ import_id }) => import_id);
const holderOf = async (id: string) => (await world.stores.progress.identities(COMPANY_ID, [id])).get(id);
const always = () => true;

async function removeImport(item: ImportItem, together: Together) {
  const [report] = await removeImports(COMPANY_ID, [item], together, world.stores);
  return report as RevertReport;
}

async function revertNow() {
  const item = await world.read();
  await replaceReliances(item, ONLY, world.stores, always);
  return removeImport(item, ONLY);
}

it('a revert frees an id that no other import holds, and keeps one that another import holds', async () => {
  await imported(IMPORT_ID, [record('a'), record('b')]);
  await imported('other', [{ ...record('b'), progress: { completion_pct: 60 } }]);
  await revertNow();
  expect([await holderOf('a'), await holderOf('b')]).toEqual([undefined, ANN]);
  expect(await contributors()).toEqual(['other']);
});

it('a repeated revert changes nothing, wherever the first one stopped', async () => {
  await imported(IMPORT_ID, [record('a'), record('b')]);
  await imported('other', [record('a')]);
  const item = await world.read();
  vi.spyOn(world.stores.reverts, 'free').mockRejectedValueOnce(new Error('died'));
  await expect(revertNow()).rejects.toThrow('died');
  const report = await revertNow();
  expect(report.records.map(({ outcome }) => outcome)).toEqual(['reverted', 'reverted']);
  expect(await removeImport(item, ONLY)).toEqual(report);
  expect(await contributors()).toEqual(['other']);
});

it('a revert removes what its import archived, also one that died in between, and nothing of another', async () => {
  const nobody = record('n', 'nobody@acme.test');
  for (const import_id of [IMPORT_ID, 'other']) {
    await world.accept([record(import_id), nobody], { import_id, archive: true });
    await world.deliver();
  }
  vi.spyOn(world.stores.archive, 'removeArchived').mockRejectedValueOnce(new Error('died'));
  await expect(revertNow()).rejects.toThrow('died');
  await revertNow();
  expect([await world.archived(), await world.archived('other')]).toEqual([[], [[1, 'nobody@acme.test']]]);
  const { counts } = importWithoutRecords(await world.read());
  expect(counts).toMatchObject({ failed: 1, archived: 1 });
});

it('replaceReliances: its time is used up → the next call resumes after the imports that have their contributions', async () => {
  await imported(IMPORT_ID, [record('a')]);
  for (const other of ['one', 'two']) await imported(other, [record('a')]);
  const item = await world.read();
  let turns = 0;
  expect(await replaceReliances(item, ONLY, world.stores, () => (turns += 1) === 1)).toBe(false);
  expect((await world.stores.imports.readReliances(item)).map(({ import_id }) => import_id)).toEqual(['two']);
  expect(await replaceReliances(item, ONLY, world.stores, always)).toBe(true);
  expect((await contributors())?.toSorted()).toEqual([IMPORT_ID, 'one'].toSorted());
});

it('of imports with the same record the first has it, and each revert passes it on to the next, with its own dates', async () => {
  for (const import_id of [IMPORT_ID, 'one', 'two', 'three']) {
    world.clock.now += 1_000;
    await imported(import_id, [record('a')]);
  }
  const held = async () => (await world.progressOf())?.contributions.map((each) => [each.import_id, each.started_at]);
  for (const [gone, next] of [
    [IMPORT_ID, 'one'],
    ['one', 'two'],
  ] as const) {
    const item = await world.read(gone);
    const preview = await previewRevert(item, these([gone]), world.stores);
    await replaceReliances(item, these([gone]), world.stores, always);
    expect(await removeImport(item, these([gone]))).toEqual(preview);
    expect(await held()).toEqual([[next, (await world.read(next)).created_at]]);
    expect(await holderOf('a')).toEqual(ANN);
  }
  const reliances = await world.stores.imports.readReliances(await world.read('two'));
  expect(reliances.map(({ import_id }) => import_id)).toEqual(['three']);
});

const sent = fc.array(
  fc.record({ id: fc.constantFrom('a', 'b', 'c'), pct: fc.constantFrom(20, 50), ben: fc.boolean() }),
  { minLength: 1, maxLength: 5 },
);
const records = (some: readonly { id: string; pct: number; ben: boolean }[]) =>
  some.map(({ id, pct, ben }) => ({
    ...record(id, ben ? 'ben@acme.test' : 'ann@acme.test'),
    progress: { completion_pct: pct },
  }));

it('a dry run reports the same as the revert, record for record', async () => {
  const property = fc.asyncProperty(
    fc.array(sent, { maxLength: 2 }),
    sent,
    fc.array(sent, { maxLength: 3 }),
    async (before, own, after) => {
      Object.assign(world, await importWorld());
      limitChunks(2);
      for (const [at, each] of before.entries()) await imported(`before${at}`, records(each));
      await imported(IMPORT_ID, records(own));
      for (const [at, each] of after.entries()) await imported(`after${at}`, records(each));
      limitChunks();
      const preview = await previewRevert(await world.read(), ONLY, world.stores);
      expect(await revertNow()).toEqual(preview);
    },
  );
  await fc.assert(property, { numRuns: cases(100, 25) });
});

it('the counts of a dry run of a run are the sum of those of its reverts', async () => {
  const property = fc.asyncProperty(fc.array(sent, { minLength: 2, maxLength: 4 }), sent, async (run, other) => {
    Object.assign(world, await importWorld());
    const ids = run.map((_, at) => `of-run-${at}`);
    for (const [at, each] of run.entries()) {
      await world.accept(records(each), { import_id: ids[at] ?? '', run_id: RUN.run_id });
      await world.deliver();
    }
    await imported('other', records(other));
    const listed = await world.stores.imports.importsOfRun({ company_id: COMPANY_ID, run_id: RUN.run_id });
    const { counts } = await previewRunRevert(RUN, listed, 1, world.services);
    expect((await world.revert(RUN))?.counts).toEqual(counts);
  });
  await fc.assert(property, { numRuns: cases(50, 12) });
});

describe('a record of a run that an import of the same run repeated with replace', () => {
  const ids = ['first', 'second'];
  beforeEach(async () => {
    for (const import_id of ids) {
      await world.accept([record('a')], { import_id, run_id: RUN.run_id, replace: import_id === 'second' });
      await world.deliver();
      world.clock.now += 1_000;
    }
  });
  const outcomes = async () => {
    const items = await Promise.all(ids.map((id) => world.read(id)));
    const reports = await Promise.all(items.map((item) => world.stores.reverts.readReport(item)));
    return reports.map((report) => report?.records.map(({ outcome }) => outcome));
  };

  it('is reverted once: the repetition wrote nothing', async () => {
    const counts = { imports: 2, total: 2, reverted: 1, nothing_to_revert: 1 };
    const listed = await world.stores.imports.importsOfRun({ company_id: COMPANY_ID, run_id: RUN.run_id });
    expect(await previewRunRevert(RUN, listed, 1, world.services)).toMatchObject({ counts });
    expect(await world.revert(RUN)).toMatchObject({ counts });
    expect(await outcomes()).toEqual([['reverted'], ['nothing_to_revert']]);
    expect(await contributors()).toEqual([]);
  });

  it('is reverted with the repetition where the first import was reverted before', async () => {
    await world.revert('first');
    world.clock.now += 1_000;
    expect(await world.revert(RUN)).toMatchObject({ counts: { imports: 1, reverted: 1, nothing_to_revert: 0 } });
    expect(await outcomes()).toEqual([['reverted'], ['reverted']]);
  });
});
