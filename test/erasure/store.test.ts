import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { startedErasure } from '../../functions/erasure/store.ts';
import { SUMMARY, importItem, write } from '../dynamodb/samples.ts';
import { createWorld } from '../kit/world.ts';

const AT = '2026-01-01T00:00:00.000Z';
const IDS = { company_id: 'acme', erasure_id: 'e' };
const STARTED = { ...IDS, user_id: 7, names: { emails: ['a@b'], external_ids: ['9'] }, due_at: AT };

it("the stored erasure is the one changed last, and is in the watchdog's list", async () => {
  const { stores, table } = createWorld();
  const { pk, sk, ...rest } = startedErasure(STARTED);
  table.write({ pk, sk }, { pk, sk, ...rest });
  const started = await stores.erasures.read(IDS);
  expect(started).toEqual({ ...STARTED, phase: 'waiting', records: 0, resends: 0, version: 0 });
  if (started === undefined) return;
  const after = { created_at: AT, import_id: 'i' };
  const moved = await stores.erasures.advance(started, { phase: 'naming', after, until: AT });
  expect(await stores.erasures.read(IDS)).toEqual(moved);
  expect(await stores.erasures.advance(started, { phase: 'opening' })).toBeUndefined();
  expect(await stores.jobs.listOpen()).toMatchObject([{ kind: 'erasure', ...IDS, due_at: AT }]);
  await stores.erasures.forget(started);
  expect(await stores.erasures.read(IDS)).toBeUndefined();
});

it('the summary of a chunk is replaced by one without the id of the person', async () => {
  const { stores } = createWorld();
  const item = importItem('acme', { summaries: { 0: SUMMARY } });
  await stores.imports.commit(item);
  const summary = { ...SUMMARY, conflict: [[3, null, 101]] as const };
  await stores.erasures.replaceChunk(item, 0, { plan: undefined, payload: undefined, nameless: undefined, summary });
  expect((await stores.imports.read({ company_id: 'acme', import_id: item.import_id }))?.summaries[0]).toEqual(summary);
});

it('the ids of a learner are freed before the contributions that name them are removed', async () => {
  let isKilled = true;
  const { stores, table } = createWorld({
    observe: (command) => {
      if (!isKilled || !(command instanceof BatchExecuteStatementCommand)) return;
      if (command.input.Statements?.[0]?.Statement?.startsWith('DELETE') === true) throw new Error('killed');
    },
  });
  const written = write();
  const { external_record_id } = written.contribution;
  // Others of the learner have the id: another version of the record, and one that lost it.
  const later = write({ record: { external_record_id, import_id: 'later' } });
  const elsewhere = { ...later, platform_course_id: written.platform_course_id + 1 };
  await stores.progress.claim('acme', [{ ...written, external_record_id }]);
  await stores.progress.contribute('acme', [elsewhere, written, later]);
  await expect(stores.erasures.removeLearner('acme', 7)).rejects.toThrow('killed');
  isKilled = false;
  await stores.erasures.removeLearner('acme', 7);
  expect([...table.items()]).toEqual([]);
});
