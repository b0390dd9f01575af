/** The cost of reverts, of histories sent again every night, and of a learner course with many contributions. */
import { stamped } from '../../functions/dynamodb/encoding.ts';
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { learnerCourseKey } from '../../functions/dynamodb/table.ts';
import { contributionBytes, contributionName, packContribution } from '../../functions/imports/contribution-item.ts';
import { ADDED, OVERFLOW } from '../../functions/imports/fold-history.ts';
import { FOLDED, packFold, SEALED } from '../../functions/imports/folded-item.ts';
import { foldOf } from '../../functions/records/folded.ts';
import type { Contribution, RecordWrite } from '../../functions/shared/model.ts';
import { writesOf } from '../../functions/imports/plan-chunk.ts';
import {
  leftOfRun,
  previewImportRevert,
  requestImportRevert,
  requestRunRevert,
} from '../../functions/reverts/request.ts';
import { continueRevert, FENCE_MS } from '../../functions/reverts/steps.ts';
import { callsOf, measureImport, perRecord, readUnitsOf, writeUnitsOf } from './imports.ts';
import { learnerCourseId } from '../../functions/records/identifiers.ts';
import { instant } from '../../functions/records/instants.ts';
import { contentHash } from '../../functions/runtime/content-hash.ts';
import { figuresWorld, type Tally, type World } from './world.ts';
import { ADMIN, COMPANY_ID, importOf, RECORDS_PER_IMPORT, renewed } from './workload.ts';

async function importNamed(import_id: string, { services }: World) {
  const item = await services.stores.imports.read({ company_id: COMPANY_ID, import_id });
  if (item === undefined) throw new Error('the import cannot be read');
  return item;
}

export async function revertTally(import_id: string, world: World): Promise<Tally> {
  const { services } = world;
  const item = await importNamed(import_id, world);
  const subject = { kind: 'import', company_id: COMPANY_ID, import_id } as const;
  const { tally, value } = await world.measure(async () => {
    await requestImportRevert(item, ADMIN.user_id, services);
    // Each invocation runs when the fence met by the previous one is over.
    for (let waitedMs = 0; waitedMs <= 2 * FENCE_MS; waitedMs += FENCE_MS) {
      const clock = { nowMs: () => services.clock.nowMs() + waitedMs };
      await continueRevert({ kind: 'revert', subject, hops: 0 }, { ...services, clock });
    }
    return services.stores.reverts.read(subject);
  });
  if (value?.phase !== 'done' || value.counts.reverted !== RECORDS_PER_IMPORT) throw new Error('it was not reverted');
  return tally;
}

/** An import of 500 learners without class detail, on which no other import relies. */
export async function revertFigures(): Promise<Record<string, number>> {
  const world = await figuresWorld({ learners: RECORDS_PER_IMPORT, courses: 1 });
  const { import_id } = await measureImport(world, importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }));
  const tally = await revertTally(import_id, world);
  return {
    'revert: write units per record': perRecord(writeUnitsOf(tally)),
    'revert: read units per record': perRecord(readUnitsOf(tally)),
    'revert: AWS calls': callsOf(tally),
    'revert: virtual ms': tally.ms,
    'revert of a run: virtual ms per import': (await runRevertTally()).ms / IMPORTS_OF_RUN,
  };
}

const IMPORTS_OF_RUN = 16;

/** A run of such imports, each of other learners. A million records are 2,000 of them. */
async function runRevertTally(): Promise<Tally> {
  const run = { kind: 'run', company_id: COMPANY_ID, run_id: 'a run' } as const;
  const world = await figuresWorld({ learners: IMPORTS_OF_RUN * RECORDS_PER_IMPORT, courses: 1 });
  for (let at = 0; at < IMPORTS_OF_RUN; at += 1) {
    const records = importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, { learners: at * RECORDS_PER_IMPORT });
    await world.post({ dry_run: false, records, run_id: run.run_id }, String(at));
    await world.deliver((work) => work());
  }
  const { services } = world;
  const imports = (await leftOfRun(run, services.stores)) ?? [];
  const { tally, value } = await world.measure(async () => {
    await requestRunRevert(run, imports, ADMIN.user_id, services);
    for (let waitedMs = 0; waitedMs <= 8 * FENCE_MS; waitedMs += FENCE_MS) {
      const clock = { nowMs: () => services.clock.nowMs() + waitedMs };
      await continueRevert({ kind: 'revert', subject: run, hops: 0 }, { ...services, clock });
    }
    return services.stores.reverts.read(run);
  });
  if (value?.phase !== 'done' || value.counts.imports !== IMPORTS_OF_RUN) throw new Error('the run was not reverted');
  return tally;
}

const NIGHTLY = 20;
/** A round of a history: from one new item to the next. */
const ROUND = 15;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Units a record of imports that are sent every night with other content, all in, on average over a round of nights. */
export async function nightFigures(): Promise<Record<string, number>> {
  return { ...(await roundFrom(90)), ...(await roundFrom(990)) };
}

/** @param earlier how many nights have been before */
async function roundFrom(earlier: number): Promise<Record<string, number>> {
  const nights = await nightsAfter(earlier, NIGHTLY);
  return {
    [`night ${earlier + 10}: write units per record`]: averageOf(nights, 'writes'),
    [`night ${earlier + 10}: read units per record`]: averageOf(nights, 'reads'),
  };
}

interface Night {
  /** A record. */
  readonly writes: number;
  readonly reads: number;
  /** Of the processor, for the whole import. */
  readonly ms: number;
  /** What the histories that are planned at once take, where garbage can be collected (`--expose-gc`). */
  readonly heapMb: number;
}

const averageOf = (nights: readonly Night[], of: keyof Night): number =>
  Math.round((100 * nights.reduce((sum, night) => sum + night[of], 0)) / nights.length) / 100;

/** A platform after so many nights of these records. */
export async function worldAfter(earlier: number, learners: number, plant: typeof writeNights) {
  const world = await figuresWorld({ learners, courses: 1 });
  const records = importOf({ learners, courses: 1 });
  const dry = await measureImport(world, records, { dry_run: true });
  const plans = await world.services.stores.imports.readPlans(await importNamed(dry.import_id, world), [0]);
  await plant(writesOf(plans.filter((plan) => plan !== undefined)), earlier, world);
  return { world, records };
}

/** The round of nights after them. */
async function nightsAfter(earlier: number, learners: number, plant = writeNights): Promise<Night[]> {
  const { world, records } = await worldAfter(earlier, learners, plant);
  const nights: Night[] = [];
  for (let night = 1; night <= ROUND; night += 1) {
    const before = process.cpuUsage();
    const { post, chunks } = await measureImport(world, renewed(records, night));
    const { user, system } = process.cpuUsage(before);
    nights.push({
      writes: writeUnitsOf(post, ...chunks) / learners,
      reads: readUnitsOf(post, ...chunks) / learners,
      ms: (user + system) / 1000,
      heapMb: 0,
    });
  }
  const heapMb = await heapOfHistories(world, () => measureImport(world, renewed(records, ROUND + 1)));
  return nights.map((night) => ({ ...night, heapMb }));
}

/** Megabytes that live while a slice of histories is planned, without what lived before. */
async function heapOfHistories({ services }: World, run: () => Promise<unknown>): Promise<number> {
  if (globalThis.gc === undefined) return 0;
  const { progress } = services.stores;
  const { historiesInSlices } = progress;
  const live = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  };
  const before = live();
  let most = before;
  async function* watched(...asked: Parameters<typeof historiesInSlices>) {
    for await (const slice of historiesInSlices(...asked)) {
      most = Math.max(most, live());
      yield slice;
    }
  }
  Object.assign(progress, { historiesInSlices: watched });
  await run();
  Object.assign(progress, { historiesInSlices });
  return (most - before) / 2 ** 20;
}

/** `-- nights`: units and processor time of a chunk of records, after so many nights with other content. */
export async function showNights(records: number, deepest: number): Promise<void> {
  for (let earlier = 0; earlier <= deepest; earlier = Math.max(10, 10 * earlier)) {
    const nights = await nightsAfter(earlier, records, plantNights);
    const [reads, writes, ms, heapMb] = (['reads', 'writes', 'ms', 'heapMb'] as const).map((of) =>
      averageOf(nights, of),
    );
    console.log(
      `${earlier} nights: a record ${reads} read and ${writes} write units, an import ${ms} ms of processor time, ${heapMb} MB of histories`,
    );
  }
}

/** What imports of earlier nights stored, each with content of its own, as they would have stored it. */
export async function writeNights(writes: readonly RecordWrite[], count: number, { services }: World): Promise<void> {
  const { progress } = services.stores;
  const startMs = services.clock.nowMs() - (count + 1) * DAY_MS;
  for (let night = 1; night <= count; night += 1) {
    const later = { import_id: '', imported_at: instant(services.clock.nowMs()) };
    for await (const slice of progress.historiesInSlices(COMPANY_ID, writes, later)) {
      const spaces = new Map(slice.map(([pair, history]) => [learnerCourseId(pair), history]));
      const ofNight = writes.map((write) => {
        const { items = 0, filled, added } = spaces.get(learnerCourseId(write)) ?? {};
        return { ...write, items, filled, added, contribution: ofEarlier(write, night, startMs) };
      });
      await progress.contribute(COMPANY_ID, ofNight);
    }
  }
}

const ofEarlier = ({ user_id, contribution }: RecordWrite, night: number, startMs: number): Contribution => ({
  ...contribution,
  import_id: `night-${String(night).padStart(20, '0')}`,
  imported_at: instant(startMs + night * DAY_MS),
  content_hash: contentHash(`${night} ${user_id}`).slice(0, 16),
});

/** The items that those nights leave, written once each: ten thousand nights take seconds. */
export async function plantNights(writes: readonly RecordWrite[], count: number, world: World): Promise<void> {
  const startMs = world.services.clock.nowMs() - (count + 1) * DAY_MS;
  for (const write of writes) {
    const all = Array.from({ length: count }, (_, at) => ofEarlier(write, at + 1, startMs));
    for (const [at, item] of itemsOf(write, all).entries()) {
      const key = learnerCourseKey(COMPANY_ID, write, at);
      world.table.write(key, stamped({ ...key, ...item }));
    }
  }
}

/** An item takes contributions up to 4 KB; all but the newest are sealed, and the first has what they add up to. */
function itemsOf(write: RecordWrite, all: readonly Contribution[]): Record<string, unknown>[] {
  const items: Record<string, unknown>[] = [];
  let [filled, sealed] = [Number.POSITIVE_INFINITY, 0];
  for (const [at, contribution] of all.entries()) {
    const [name, packed] = [contributionName(contribution), packContribution(contribution)];
    const bytes = contributionBytes(name, packed);
    if (filled + bytes > ITEM_BYTES) {
      sealed = at;
      filled = itemBytes(stamped({ ...learnerCourseKey(COMPANY_ID, write, items.length), [name]: packed }));
      items.push({ [name]: packed });
    } else {
      const last = items.at(-1) ?? {};
      filled += bytes + (last[ADDED] === undefined ? itemBytes({ [ADDED]: 0 }) : 0);
      Object.assign(last, { [name]: packed, [ADDED]: Number(last[ADDED] ?? 0) + bytes });
    }
  }
  const [first, ...further] = items;
  if (first === undefined || further.length === 0) return items;
  for (const item of items.slice(0, -1)) item[SEALED] = true;
  const fold = foldOf(undefined, all.slice(0, sealed), further.length);
  Object.assign(first, { [OVERFLOW]: further.length, [FOLDED]: fold && packFold(fold) });
  return items;
}

const ITEM_BYTES = 4 * 1024;

const EARLIER = 5_000;
const CLASS_VIEWS = 10;

/** Records about one learner in one course, each with its own id. `from`: the first learner whose records they were. */
function recordsOfPair(from: number) {
  const records = importOf({ learners: RECORDS_PER_IMPORT, courses: 1, classes: CLASS_VIEWS }, { learners: from });
  const [first] = importOf({ learners: 1, courses: 1 });
  return records.map((record) => ({ ...record, ...(first && { user: first.user, content: first.content }) }));
}

/** 500 records about a pair with 5,000 contributions: no dry run, of an import or a revert, reads the history twice. */
export async function deepPairFigures(): Promise<Record<string, number>> {
  const world = await figuresWorld({ learners: 2 * RECORDS_PER_IMPORT, courses: 1 });
  const { import_id } = await measureImport(world, recordsOfPair(0));
  const item = await importNamed(import_id, world);
  const plans = await world.services.stores.imports.readPlans(item, [...item.chunks.keys()]);
  await writeEarlier(writesOf(plans.filter((plan) => plan !== undefined)), world);
  const dry = await measureImport(world, recordsOfPair(RECORDS_PER_IMPORT), { dry_run: true });
  const preview = await world.measure(() => previewImportRevert(item, ADMIN.user_id, world.services));
  if (preview.value.counts.reverted !== RECORDS_PER_IMPORT) throw new Error('not every record would be reverted');
  return {
    'deep pair: AWS calls of a dry run': callsOf(dry.post),
    'deep pair: read units of a dry run': readUnitsOf(dry.post),
    'deep pair: AWS calls of a dry revert': callsOf(preview.tally),
    'deep pair: read units of a dry revert': readUnitsOf(preview.tally),
  };
}

async function writeEarlier(writes: readonly RecordWrite[], { services }: World): Promise<void> {
  const { progress } = services.stores;
  for (let earlier = 0; earlier * writes.length < EARLIER; earlier += 1) {
    const import_id = `earlier-${earlier}`;
    const [history] = (await progress.courseHistories(COMPANY_ID, writes.slice(0, 1))).values();
    const all = writes.map((write) => ({ ...write, ...history, contribution: { ...write.contribution, import_id } }));
    await progress.contribute(COMPANY_ID, all);
  }
}
