import { expect, it } from 'vitest';
import { startedErasure } from '../../functions/erasure/store.ts';
import { createWorld } from '../kit/world.ts';

const AT = '2026-01-01T00:00:00.000Z';
const IDS = { company_id: 'acme', erasure_id: 'e' };
const STARTED = { ...IDS, user_id: 7, names: { emails: ['a@b'], external_ids: ['9'] }, due_at: AT };

it("the stored erasure is the one changed last, and is in the watchdog's list", async () => {
  const { stores, table } = createWorld();
  const { pk, sk, ...rest } = startedErasure(STARTED);
  table.write({ pk, sk }, { pk, sk, ...rest });
  const started = await stores.erasures.read(IDS);
  expect(started).toEqual({ ...STARTED, phase: 'waiting', again: [], records: 0, resends: 0, version: 0 });
  if (started === undefined) return;
  const after = { created_at: AT, import_id: 'i' };
  const moved = await stores.erasures.advance(started, { phase: 'naming', after, until: AT });
  expect(await stores.erasures.read(IDS)).toEqual(moved);
  expect(await stores.erasures.advance(started, { phase: 'opening' })).toBeUndefined();
  expect(await stores.jobs.listOpen()).toMatchObject([{ kind: 'erasure', ...IDS, due_at: AT }]);
  await stores.erasures.forget(started);
  expect(await stores.erasures.read(IDS)).toBeUndefined();
});
