/** Plans of runs: what they are made of, and of how much. Costs seconds. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { importIdForKey } from '../../functions/imports/idempotency-key.ts';
import { canonicalJson } from '../../functions/records/json.ts';
import { daysAfter, instant } from '../../functions/records/instants.ts';
import { readPlanResults, type PlanPosition } from '../../functions/plans/results.ts';
import { makePlan } from '../../functions/runs/make-plan.ts';
import { saveRun } from '../../functions/runs/draft.ts';
import { MAX_IMPORTS_IN_PLAN } from '../../functions/shared/limits.ts';
import { importItem } from '../dynamodb/samples.ts';
import { COMPANY_ID, RECORDS, RUN, importWorld, record } from '../imports/world.ts';
import { createWorld } from '../kit/world.ts';

const DAY_MS = 86_400_000;
const idOf = (name: string) => importIdForKey(COMPANY_ID, name);

async function planWorld() {
  const world = await importWorld();
  const { services, stores } = world;
  const dryRun = (name: string, records: readonly unknown[], more: { run_id?: string; dry_run?: boolean } = {}) =>
    world.accept(records, { import_id: idOf(name), dry_run: true, run_id: RUN.run_id, ...more });
  const make = (...names: string[]) => makePlan(RUN, { import_ids: names.map(idOf), by: 1 }, services);
  const made = async (...names: string[]) => {
    const result = await make(...names);
    if (result.kind !== 'made' && result.kind !== 'same') throw new Error(result.kind);
    return result.plan;
  };
  const pages = async (filter: object, limit = 2) => {
    const plan = await stores.plans.newest(RUN);
    if (plan === undefined) throw new Error('no plan');
    const found: Awaited<ReturnType<typeof readPlanResults>>['found'] = [];
    let after: PlanPosition | undefined;
    do {
      const page = await readPlanResults(plan, { ...filter, limit, after }, services);
      const items = page.found.slice(0, limit);
      found.push(...items);
      after = items.length < page.found.length ? items.at(-1)?.position : page.searchedTo;
    } while (after !== undefined);
    return found;
  };
  return { ...world, dryRun, make, made, pages };
}

it('the digest is computed again from the list alone', async () => {
  const { dryRun, made, pages } = await planWorld();
  await dryRun('one', RECORDS);
  await dryRun('two', [record('d', 'nobody@acme.test'), record('e')]);
  const { plan_digest, counts } = await made('two', 'one');
  const sha = (lines: readonly string[]) =>
    createHash('sha256')
      .update(lines.map((each) => `${each}\n`).join(''))
      .digest('hex');
  const listed = await pages({});
  expect(listed.map(({ result }) => result.external_record_id)).toEqual(['d', 'e', 'a', 'b', 'c']);
  const byImport = [...Map.groupBy(listed, ({ import_id }) => import_id).values()];
  const lines = byImport.map(
    (of) =>
      `${sha(of.map(({ record: sent }) => canonicalJson(sent)))} ${sha(of.map(({ import_id, result }) => canonicalJson({ import_id, ...result })))}`,
  );
  expect(sha(lines)).toBe(plan_digest);
  expect(counts).toMatchObject({ imports: 2, total: 5, applied: 4, updated: 0, unchanged: 0, failed: 1 });
});

it('the list is narrowed by status and outcome, and shows what was there before', async () => {
  const world = await planWorld();
  const { dryRun, made, pages } = world;
  await world.accept([record('a')], { import_id: idOf('real') });
  await world.deliver();
  await dryRun('one', [
    record('a'),
    { ...record('b'), progress: { completion_pct: 60 } },
    record('x', 'nobody@acme.test'),
  ]);
  await made('one');
  const of = async (filter: object) => (await pages(filter)).map(({ result }) => result.external_record_id);
  expect(await of({ status: 'error' })).toEqual(['x']);
  expect(await of({ outcome: 'unchanged' })).toEqual(['a']);
  expect(await of({ outcome: 'applied', status: 'success' })).toEqual(['b']);
  expect(await of({ outcome: 'applied', status: 'error' })).toEqual([]);
  const [applied] = await pages({ outcome: 'applied' });
  expect(applied?.result.before).toMatchObject({ completion_pct: 50 });
});

describe('a plan', () => {
  it('of the same dry runs is the same one; another withdraws it; one that is applying stays', async () => {
    const { dryRun, make, made, stores } = await planWorld();
    await dryRun('one', RECORDS);
    await dryRun('two', [record('d')]);
    const first = await made('one', 'two');
    expect(await make('one', 'two')).toMatchObject({ kind: 'same', plan: { plan_id: first.plan_id } });
    const second = await made('two', 'one');
    expect(await stores.plans.read(first)).toMatchObject({ status: 'withdrawn' });
    await stores.plans.advance(second, { status: 'applying' });
    expect(await make('one')).toEqual({ kind: 'closed' });
  });

  it('expires 30 days after the oldest of its dry runs, which is later gone', async () => {
    const { dryRun, make, made, clock } = await planWorld();
    const created_at = instant(clock.now);
    await dryRun('one', RECORDS);
    clock.now += DAY_MS;
    await dryRun('two', [record('d')]);
    expect(await made('two', 'one')).toMatchObject({ expires_at: daysAfter(created_at, 30), senders: [1] });
    clock.now += 29 * DAY_MS;
    expect(await make('two', 'one')).toMatchObject({
      kind: 'incomplete',
      problems: [{ error_code: 'plan_incomplete' }],
    });
    expect(await make('two')).toMatchObject({ kind: 'made' });
  });

  it('is made of dry runs of its run alone: each reason names the first ten', async () => {
    const { dryRun, make, services } = await planWorld();
    await dryRun('good', RECORDS);
    await dryRun('foreign', [record('d')], { run_id: 'other' });
    await dryRun('real', [record('e')], { dry_run: false });
    const unknown = Array.from({ length: 12 }, (_, at) => `unknown ${at}`);
    const result = await make('good', 'good', 'foreign', 'real', ...unknown);
    const problems = result.kind === 'incomplete' ? result.problems.map(({ message }) => message) : [];
    expect(problems).toEqual([
      `This company has no such import: ${unknown.slice(0, 10).map(idOf).join(', ')} and 2 more.`,
      `These imports are no dry runs: ${idOf('real')}.`,
      `These dry runs are not of this run: ${idOf('foreign')}.`,
      `These dry runs are named twice: ${idOf('good')}.`,
    ]);
    const strange = await makePlan(RUN, { import_ids: ['no id', 'x'.repeat(200)], by: 1 }, services);
    expect(strange).toMatchObject({ kind: 'incomplete', problems: [{ field: 'import_ids' }] });
    const none = await makePlan({ ...RUN, run_id: 'nobody’s' }, { import_ids: [idOf('good')], by: 1 }, services);
    expect(none).toEqual({ kind: 'unknown' });
  });

  it('is not made of dry runs of an earlier release, which have no digests', async () => {
    const { make, stores, dryRun } = await planWorld();
    await dryRun('good', RECORDS);
    const item = { import_id: idOf('former'), run_id: RUN.run_id, dry_run: true, status: 'validated' } as const;
    await stores.imports.commit(importItem(COMPANY_ID, { ...item, created_at: instant(Date.UTC(2026, 0, 2)) }));
    expect(await make('good', 'former')).toMatchObject({
      problems: [{ message: expect.stringContaining(idOf('former')) }],
    });
  });
});

it('a plan of 20,000 dry runs takes 200 reads and a few writes', async () => {
  const calls: string[] = [];
  const { services, stores, clock } = createWorld({ observe: (command) => calls.push(command.constructor.name) });
  await saveRun(RUN, { decisions: {}, by: 1, expected: () => true }, services);
  const digests = { records_digest: 'a'.repeat(64), results_digest: 'b'.repeat(64) };
  const created_at = instant(clock.now);
  const import_ids = Array.from({ length: MAX_IMPORTS_IN_PLAN }, (_, at) => idOf(`dry run ${at}`));
  const summaries = {
    0: { succeeded: 450, failed: 50, with_warnings: 5, updated: 50, conflict: [], failed_indexes: [] },
  };
  for (const import_id of import_ids) {
    const item = { import_id, run_id: RUN.run_id, dry_run: true, status: 'validated', total: 500, digests } as const;
    await stores.imports.commit(importItem(COMPANY_ID, { ...item, created_at, completed_at: created_at, summaries }));
  }
  calls.length = 0;
  const made = await makePlan(RUN, { import_ids, by: 1 }, services);
  const counts = { imports: 20_000, total: 10_000_000, applied: 8_000_000, updated: 1_000_000, failed: 1_000_000 };
  expect(made).toMatchObject({ kind: 'made', plan: { counts } });
  const count = (name: string) => calls.filter((each) => each === name).length;
  expect([count('BatchGetCommand'), count('GetCommand'), count('BatchWriteCommand')]).toEqual([200, 1, 1]);
  expect(calls).toHaveLength(203);
  const plan = await stores.plans.newest(RUN);
  expect(plan && (await stores.plans.listedFrom(plan, 19_999, 5))).toEqual(import_ids.slice(-1));
});
