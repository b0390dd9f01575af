/** Dry runs: their results, their stored report, and two that race. Costs milliseconds. */
import { expect, it, vi } from 'vitest';
import { RECORDS, record, useImportWorld } from './world.ts';

const world = useImportWorld();

it('a dry run returns its results without reading them back, and writes no progress', async () => {
  const readPlans = vi.spyOn(world.stores.imports, 'readPlans');
  const acceptance = await world.accept([record('a'), record('b', 'nobody@acme.test')], { dry_run: true });
  expect(acceptance).toMatchObject({ kind: 'accepted', item: { status: 'validated' } });
  expect(acceptance).toMatchObject({
    results: [{ outcome: 'applied' }, { errors: [{ error_code: 'user_not_found' }] }],
  });
  expect(readPlans).not.toHaveBeenCalled();
  expect([world.sent, await world.progressOf()]).toEqual([[], undefined]);
});

it('a dry run reads no identity of a record that the history of its learner has', async () => {
  await world.accept([RECORDS[0]]);
  await world.deliver();
  const identities = vi.spyOn(world.stores.progress, 'identities');
  await world.accept(RECORDS, { dry_run: true, import_id: 'dry' });
  expect(identities.mock.calls.map(([, ids]) => ids)).toEqual([['b', 'c']]);
  expect(await world.outcomes('dry')).toEqual(['unchanged', 'applied', 'applied']);
});

it('a dry run that loses the race drops its own report, and the report of the winner is read', async () => {
  const acceptances = await Promise.all([1, 2].map(() => world.accept(RECORDS, { dry_run: true })));
  const replayed = acceptances.find(({ kind }) => kind === 'replayed');
  expect(replayed).not.toHaveProperty('results');
  const { attempt_id: winner } = await world.read();
  const loser = { ...(await world.read()), attempt_id: winner === 'attempt-1' ? 'attempt-2' : 'attempt-1' };
  expect(await world.stores.imports.readPlans(loser, [0])).toEqual([undefined]);
  expect(await world.outcomes()).toEqual(['applied', 'applied', 'applied']);
});
