/** The plan of a chunk: faults of a rule, and repeats. Costs some 100 ms. */
import { describe, expect, it, vi } from 'vitest';
import { OVERSIZED } from '../../functions/records/parse.ts';
import { ANN, COMPANY_ID, RECORDS, record, useImportWorld } from './world.ts';

/** The rule that throws, and the position of the record on which it does. */
const poison = vi.hoisted(() => ({ rule: '', at: -1 }));
const throwing = vi.hoisted(() => (rule: string, original: Record<string, unknown>) => ({
  ...original,
  [rule]: (...args: unknown[]) => {
    const index = (args[0] as { index?: number }).index ?? args[1];
    if (rule === poison.rule && index === poison.at) throw new TypeError('a bug of ours');
    return (original[rule] as (...passed: unknown[]) => unknown)(...args);
  },
}));
/** A path, because the runner does not find a relative one where the name of a folder has a blank. */
const RECORDS_FOLDER = vi.hoisted(() => `${import.meta.dirname}/../../functions/records`);
vi.mock(`${RECORDS_FOLDER}/parse.ts`, async (original) => throwing('parseRecord', await original()));
vi.mock(`${RECORDS_FOLDER}/resolve.ts`, async (original) => throwing('resolveRecord', await original()));
vi.mock(`${RECORDS_FOLDER}/plan.ts`, async (original) => throwing('planRecord', await original()));

const world = useImportWorld(async () => {
  poison.rule = '';
});

describe('a record that makes our own code throw', () => {
  const anywhere = (['parseRecord', 'resolveRecord', 'planRecord'] as const).flatMap((rule) =>
    [0, 1, 2].map((at) => [rule, at] as const),
  );
  it.each(anywhere)('a record that throws in %s costs only itself, at once, at position %i', async (rule, at) => {
    Object.assign(poison, { rule, at });
    await world.accept(RECORDS);
    await world.deliver();
    expect(await world.read()).toMatchObject({ status: 'partial_success' });
    expect(await world.outcomes()).toEqual(['applied', 'applied', 'applied'].with(at, 'processing_failed'));
    expect(world.telemetry.samples).toEqual([{ metric: 'RecordsProcessingFailed', value: 1 }]);
    const stack = expect.stringMatching(/^TypeError: \n/);
    const error = { name: 'TypeError', message: '', stack };
    const message = 'A rule threw on a record.';
    expect(world.telemetry.lines).toMatchObject([{ level: 'error', message, error, fields: { index: at } }]);
  });

  it('a record that failed is applied when it is sent again', async () => {
    Object.assign(poison, { rule: 'planRecord', at: 1 });
    await world.accept(RECORDS);
    await world.deliver();
    poison.rule = '';
    await world.accept(RECORDS, { import_id: 'again' });
    await world.deliver();
    expect(await world.outcomes('again')).toEqual(['unchanged', 'applied', 'unchanged']);
  });
});

it('a repeated id is rejected wherever its first record went, and an oversized record alone', async () => {
  const oversized = { ...record('big'), note: 'x'.repeat(200 * 1024) };
  await world.accept([record('a', 'nobody@acme.test'), oversized, record('a'), record('b')], { dry_run: true });
  const outcomes = ['user_not_found', 'invalid_record', 'duplicate_external_record_id', 'applied'];
  expect(await world.outcomes()).toEqual(outcomes);
  expect((await world.results())[1]?.errors).toEqual([OVERSIZED]);
});

it('a dry run reads histories only of known pairs, and identities only of valid ids', async () => {
  const histories = vi.spyOn(world.stores.progress, 'historiesInSlices');
  const identities = vi.spyOn(world.stores.progress, 'identities');
  const { external_record_id: _, ...unnamed } = record('', 'nobody@acme.test');
  await world.accept([record('a'), unnamed], { dry_run: true });
  expect(histories.mock.calls.flatMap(([, pairs]) => pairs)).toEqual([ANN]);
  expect(identities.mock.calls).toEqual([[COMPANY_ID, ['a']]]);
});
