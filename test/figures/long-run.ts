/** What the status, the revert and an erasure take in a run of 5 million records; `-- run` prints 100 million. */
import { continueErasure, ERASURE_FENCE_MS } from '../../functions/erasure/steps.ts';
import { handler as listRuns } from '../../functions/handlers/list-runs.ts';
import { readRun } from '../../functions/runs/read.ts';
import { eraseUser } from '../../functions/platform/user-facts.ts';
import { instant } from '../../functions/records/instants.ts';
import { leftOfRun } from '../../functions/reverts/request.ts';
import type { RunIds } from '../../functions/shared/model.ts';
import { HASH, importItem } from '../dynamodb/samples.ts';
import { callsOf, measureImport, readUnitsOf } from './imports.ts';
import { COMPANY_ID, importOf, RECORDS_PER_IMPORT } from './workload.ts';
import { call, figuresWorld, type Tally, type World } from './world.ts';

const RUN = { company_id: COMPANY_ID, run_id: 'a run of many imports' };
const DAY_MS = 86_400_000;
/** A migration at the rate of docs/limits.md, with `warm` 40,000. */
const IMPORTS_PER_SECOND = 18_800 / RECORDS_PER_IMPORT;

async function runWorld(records: number): Promise<World> {
  const world = await figuresWorld({ learners: 1, courses: 1 });
  await putRun(RUN, records / RECORDS_PER_IMPORT, world);
  return world;
}

/** A run of so many imports, a day ago. */
async function putRun(run: RunIds, imports: number, { services: { clock, stores } }: World): Promise<void> {
  const startMs = clock.nowMs() - DAY_MS;
  await stores.imports.putRun(run, { created_at: instant(startMs), by: 1, dry_run: false });
  const summary = { succeeded: RECORDS_PER_IMPORT, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] };
  for (let at = 0; at < imports; at += 1) {
    const created_at = instant(startMs + Math.floor((1_000 * at) / IMPORTS_PER_SECOND));
    const ended = { status: 'success', completed_at: created_at, summaries: { 0: summary } } as const;
    const chunks = [{ first_index: 0, size: RECORDS_PER_IMPORT, payload_hash: HASH }];
    const ids = { import_id: `${run.run_id}${at}`.slice(-26).padStart(26, '0'), run_id: run.run_id };
    await stores.imports.commit(
      importItem(COMPANY_ID, { ...ids, ...ended, created_at, total: RECORDS_PER_IMPORT, chunks }),
    );
  }
}

const shown = (name: string, tally: Tally) => ({
  [`${name}: calls`]: callsOf(tally),
  [`${name}: read units`]: readUnitsOf(tally),
  [`${name}: virtual ms`]: tally.ms,
});

/** Calls and read units, which the gate compares. The request of a revert reads every import of the run. */
export async function countedRunFigures(): Promise<Record<string, number>> {
  const figures = Object.entries(await longRunFigures(5_000_000));
  return Object.fromEntries(figures.filter(([name]) => !name.includes('virtual ms')));
}

async function longRunFigures(records: number): Promise<Record<string, number>> {
  const world = await runWorld(records);
  const { services } = world;
  const read = () => world.measure(() => readRun({ company_id: COMPANY_ID, run_id: RUN.run_id }, services));
  const [first, next] = [await read(), await read()];
  if (first.value?.counts.succeeded !== records || next.value?.counts.succeeded !== records)
    throw new Error('the run does not have its counts');
  const revert = await world.measure(() => leftOfRun(RUN, services.stores));
  return {
    ...shown('long run, first read', first.tally),
    ...shown('long run, next read', next.tally),
    ...shown('long run, request of a revert', revert.tally),
    ...(await listFigures()),
    ...(await erasureFigures()),
  };
}

/** A page of twenty runs of ten imports, by the first who looks at it, and by all others while no import comes. */
async function listFigures(): Promise<Record<string, number>> {
  const world = await figuresWorld({ learners: 1, courses: 1 });
  const { services } = world;
  for (let at = 0; at < 20; at += 1) await putRun({ ...RUN, run_id: `run-${at}` }, 10, world);
  const handler = listRuns.on(services);
  const parts = { path: { company_id: COMPANY_ID }, headers: { authorization: world.authorization } };
  const read = () => world.measure(() => call(handler, parts));
  const [first, next] = [await read(), await read()];
  return { ...shown('20 runs, first page', first.tally), ...shown('20 runs, every other page', next.tally) };
}

const ERASED_FROM = 24;
const SHAPE = { learners: 25, courses: 20 };

/** What an erasure takes for each import of the company, without its waits. */
async function erasureFigures(): Promise<Record<string, number>> {
  const world = await figuresWorld({ learners: ERASED_FROM * SHAPE.learners, courses: SHAPE.courses });
  const before = await erasureTally(1001, world);
  for (let at = 0; at < ERASED_FROM; at += 1)
    await measureImport(world, importOf(SHAPE, { learners: 2 + at * (SHAPE.learners - 1) }));
  const after = await erasureTally(1000, world);
  const each = (of: (tally: Tally) => number) => (of(after) - of(before)) / ERASED_FROM;
  return {
    'erasure: AWS calls per import': each((tally) => callsOf(tally)),
    'erasure: read units per import': each((tally) => readUnitsOf(tally)),
    'erasure: virtual ms per import': each(({ ms }) => ms),
  };
}

async function erasureTally(user_id: number, world: World): Promise<Tally> {
  const { services } = world;
  const of = { company_id: COMPANY_ID, id: user_id };
  const fact = {
    kind: 'user' as const,
    of,
    version: Number.MAX_SAFE_INTEGER,
    erases: { emails: [], external_user_ids: [] },
  };
  const [known] = await services.stores.platform.knownUsers([{ company_id: COMPANY_ID, user_id }]);
  await eraseUser(fact, known, services);
  const work = (await services.stores.jobs.listOpen()).find(({ kind }) => kind === 'erasure');
  if (work?.kind !== 'erasure') throw new Error('the erasure did not start');
  const { tally } = await world.measure(async () => {
    for (let waitedMs = 0; waitedMs <= 3 * ERASURE_FENCE_MS; waitedMs += ERASURE_FENCE_MS) {
      const clock = { nowMs: () => services.clock.nowMs() + waitedMs };
      await continueErasure({ ...work, hops: 0 }, { ...services, clock });
    }
  });
  if ((await services.stores.erasures.read(work)) !== undefined) throw new Error('the erasure did not end');
  return tally;
}

export async function showLongRun(records: number): Promise<void> {
  console.table(await longRunFigures(records));
}
