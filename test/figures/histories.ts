/** The cost of reverts, of histories sent again every night, and of a learner course with many contributions. */
import type { RecordWrite } from '../../functions/shared/model.ts';
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
  const world = await figuresWorld({ learners: NIGHTLY, courses: 1 });
  const records = importOf({ learners: NIGHTLY, courses: 1 });
  const dry = await measureImport(world, records, { dry_run: true });
  const plans = await world.services.stores.imports.readPlans(await importNamed(dry.import_id, world), [0]);
  await writeNights(writesOf(plans.filter((plan) => plan !== undefined)), earlier, world);
  const nights: { readonly writes: number; readonly reads: number }[] = [];
  for (let night = 1; night <= ROUND; night += 1) {
    const { post, chunks } = await measureImport(world, renewed(records, night));
    nights.push({ writes: writeUnitsOf(post, ...chunks), reads: readUnitsOf(post, ...chunks) });
  }
  const average = (of: 'writes' | 'reads') =>
    Math.round((100 * nights.reduce((sum, night) => sum + night[of], 0)) / ROUND / NIGHTLY) / 100;
  return {
    [`night ${earlier + 10}: write units per record`]: average('writes'),
    [`night ${earlier + 10}: read units per record`]: average('reads'),
  };
}

/** What imports of earlier nights stored, each with content of its own, as they would have stored it. */
async function writeNights(writes: readonly RecordWrite[], count: number, { services }: World): Promise<void> {
  const { progress } = services.stores;
  const startMs = services.clock.nowMs() - (count + 1) * DAY_MS;
  for (let night = 1; night <= count; night += 1) {
    const night_id = {
      import_id: `night-${String(night).padStart(20, '0')}`,
      imported_at: instant(startMs + night * DAY_MS),
    };
    const later = { import_id: '', imported_at: instant(services.clock.nowMs()) };
    for await (const slice of progress.historiesInSlices(COMPANY_ID, writes, later)) {
      const spaces = new Map(slice.map(([pair, history]) => [learnerCourseId(pair), history]));
      const ofNight = writes.map((write) => {
        const { items = 0, filled, added } = spaces.get(learnerCourseId(write)) ?? {};
        const content_hash = contentHash(`${night} ${write.user_id}`).slice(0, 16);
        return { ...write, items, filled, added, contribution: { ...write.contribution, ...night_id, content_hash } };
      });
      await progress.contribute(COMPANY_ID, ofNight);
    }
  }
}

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
