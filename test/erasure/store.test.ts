import { expect, it } from 'vitest';
import { startedErasure } from '../../functions/erasure/store.ts';
import { createWorld } from '../kit/world.ts';

const AT = '2026-01-01T00:00:00.000Z';
const IDS = { company_id: 'acme', erasure_id: 'e' };
const STARTED = { ...IDS, user_id: 7, names: { emails: ['a@b'], external_ids: ['9'] }, due_at: AT };

it('an erasure is read as it was changed last, and is in the list of what the watchdog looks after', async () => {
  const { stores, table } = createWorld();
  const { pk, sk, ...rest } = startedErasure(STARTED);
  table.write({ pk, sk }, { pk, sk, ...rest });
  const begun = await stores.erasures.read(IDS);
  expect(begun).toEqual({ ...STARTED, phase: 'waiting', again: [], records: 0, resends: 0, version: 0 });
  if (begun === undefined) return;
  const after = { created_at: AT, import_id: 'i' };
  const moved = await stores.erasures.advance(begun, { phase: 'naming', after, until: AT });
  expect(await stores.erasures.read(IDS)).toEqual(moved);
  expect(await stores.erasures.advance(begun, { phase: 'opening' })).toBeUndefined();
  expect(await stores.jobs.listOpen()).toMatchObject([{ kind: 'erasure', ...IDS, due_at: AT }]);
  await stores.erasures.forget(begun);
  expect(await stores.erasures.read(IDS)).toBeUndefined();
});
