/** The steps of an erasure (§13.2); docs/architecture.md says why in this order. The watchdog starts and resumes it. */
import { eraseFromImport, namesInImport, type EraseStores } from './erase-import.ts';
import { idOfMapping, mappingsOf, ownNames, personNamed, registeredNames, sizeOf, union, type Names } from './names.ts';
import type { Erasure, ErasureIds, ErasurePhase } from './store.ts';
import type { SessionStore } from '../auth/access-store.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import type { ListedRun } from '../imports/import-lists.ts';
import type { ImportServices } from '../imports/services.ts';
import { resendWaiting } from '../imports/watch.ts';
import { TURN_OVER, fenceMs, takeSteps, type StepTools } from '../jobs/steps.ts';
import { holderName, holderNamed, type ErasureWork, type Message } from '../jobs/work.ts';
import { instant } from '../records/instants.ts';
import { inParallel } from '../runtime/batching.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ImportItem, ImportPosition, ImportSummary, Instant } from '../shared/model.ts';

type ErasingStores = EraseStores & { readonly sessions: SessionStore };

export type ErasureServices = Omit<ImportServices, 'stores'> & { readonly stores: ErasingStores };

/** After this time, every function that read the person before the deletion has ended. */
export const ERASURE_FENCE_MS = fenceMs(LONGEST_TIMEOUT_SECONDS);
/** Imports that one step reads, and how many of them at once. */
const IMPORTS_IN_A_STEP = 24;
const AT_ONCE = 8;
const RUNS_IN_A_STEP = 48;
/** Entries of the list that a step looks through for those that are open: one request. */
const LISTED_IN_A_STEP = 1_000;

/** Brings an erasure forward as far as it can. The rest is sent as a message, or left to the watchdog. */
export async function continueErasure(message: Message<ErasureWork>, services: ErasureServices): Promise<void> {
  const { read, advance } = services.stores.erasures;
  const step = (erasure: Erasure, tools: Tools): Promise<Erasure | undefined> => {
    const take = () => STEPS[erasure.phase](erasure, services, tools);
    // Sessions belong to no company.
    return erasure.phase === 'ending' ? take() : withinCompany(erasure.company_id, take);
  };
  const state = await read(message);
  await takeSteps(message, { state, step, advance, fenceMs: ERASURE_FENCE_MS }, services);
}

/** Sends an erasure that is due. Each of its steps moves the due time, so it has not started, or has stopped. */
export async function watchErasure(work: ErasureWork, { queue }: Pick<ErasureServices, 'queue'>): Promise<undefined> {
  const { kind, company_id, erasure_id } = work;
  await queue.send([{ kind, company_id, erasure_id, hops: 0 }]);
}

type Tools = StepTools<Erasure>;
type StepOf = (erasure: Erasure, services: ErasureServices, tools: Tools) => Promise<Erasure | undefined>;

const STEPS: Readonly<Record<ErasurePhase, StepOf>> = {
  async waiting(erasure, { stores }, { move, afterFence }) {
    const isHeld = await stores.jobs.takeGate(erasure.company_id, holderOf(erasure));
    if (isHeld) return move(erasure, { phase: 'closing', until: afterFence() });
    await move(erasure, TURN_OVER);
    return undefined;
  },

  async closing(erasure, { stores }, { move }) {
    const { emails, external_ids } = await registeredNames(erasure, stores);
    return move(erasure, { phase: 'halting', names: union(erasure.names, { emails, external_ids }) });
  },

  async halting(erasure, { stores }, { move }) {
    const { items, last } = await nextOpen(erasure, stores);
    if (last === undefined) return move(erasure, { phase: 'removing', after: undefined });
    // Stored first: an erased plan names nobody.
    const names = await namesIn(items, erasure, stores);
    if (sizeOf(names) > sizeOf(erasure.names)) return move(erasure, { names });
    const own = items.length === 0 ? names : await ownNames(erasure, stores);
    const records = await eraseFrom(items, { ...erasure, names: own }, stores);
    return move(erasure, { records: erasure.records + records, after: last });
  },

  async removing(erasure, { stores }, { move }) {
    const { company_id, user_id } = erasure;
    const mappings = await mappingsOf(erasure, stores);
    await stores.mappings.removeUserMappings(company_id, mappings.map(idOfMapping));
    const progress = await stores.erasures.removeLearner(company_id, user_id);
    return move(erasure, { phase: 'ending', items: withItems(erasure, mappings.length + progress) });
  },

  async ending(erasure, { stores }, { move }) {
    const sessions = await stores.sessions.removeOf(erasure.company_id, erasure.user_id);
    return move(erasure, { phase: 'admitting', items: withItems(erasure, sessions) });
  },

  async admitting(erasure, services, { move }) {
    await services.stores.jobs.admitChunks(erasure.company_id, holderOf(erasure));
    await resendWaiting(erasure.company_id, services);
    return move(erasure, { phase: 'naming' });
  },

  async naming(erasure, { clock, stores }, { move }) {
    const { items, last } = await nextImports(erasure, stores);
    if (last !== undefined) return move(erasure, { names: await namesIn(items, erasure, stores), after: last });
    const names = await ownNames(erasure, stores);
    // The clocks of the functions that end imports may be behind.
    const since = instant(clock.nowMs() - ERASURE_FENCE_MS);
    return move(erasure, { phase: 'erasing', names, since, after: undefined });
  },

  async erasing(erasure, { stores }, { move, afterFence }) {
    const { items, last } = await nextImports(erasure, stores);
    if (last === undefined)
      return move(erasure, erasure.met_open ? { phase: 'leaving', until: afterFence() } : DOCUMENTS);
    const records = await eraseFrom(items, erasure, stores);
    const isMet = items.some((item) => isOpen(item) || wasAbandonedSince(item, erasure.since));
    return move(erasure, { ...(isMet && { met_open: true }), records: erasure.records + records, after: last });
  },

  leaving: (erasure, _, { move }) => move(erasure, { phase: 'again', after: undefined }),

  async again(erasure, { stores }, { move }) {
    const { items, last } = await nextOpen(erasure, stores);
    if (last === undefined) return move(erasure, DOCUMENTS);
    const records = await eraseFrom(items, erasure, stores);
    return move(erasure, { records: erasure.records + records, after: last });
  },

  async documents(erasure, { stores }, { move }) {
    const { company_id, after } = erasure;
    const from = after && { created_at: after.created_at, run_id: after.import_id };
    const runs = await stores.imports.listRuns(company_id, RUNS_IN_A_STEP, from);
    const last = runs.at(-1);
    if (last === undefined) return move(erasure, { phase: 'opening' });
    const person = personNamed(erasure);
    const erased = await inParallel(runs, AT_ONCE, ({ run_id }) =>
      stores.erasures.eraseFromRun({ company_id, run_id }, person),
    );
    const found = erased.reduce((sum, items) => sum + items, 0);
    return move(erasure, { items: withItems(erasure, found), after: placeOfRun(last) });
  },

  /** No earlier plan depends on the erased items, so the epoch is unchanged. */
  async opening(erasure, services) {
    const { clock, stores, queue, telemetry } = services;
    const { company_id, erasure_id, records } = erasure;
    await stores.erasures.finish(erasure, instant(clock.nowMs()));
    await stores.jobs.passGate(company_id, holderOf(erasure), false);
    const { by } = await stores.jobs.readGate(company_id);
    if (by !== undefined) await queue.send([{ ...holderNamed(company_id, by), hops: 0 }]);
    await stores.erasures.forget(erasure);
    telemetry.info('A person was erased.', { company_id, erasure_id, records });
    return undefined;
  },
};

const DOCUMENTS = { phase: 'documents', after: undefined } as const;

/** A run has its place among the runs as an import among the imports. */
const placeOfRun = ({ created_at, run_id }: ListedRun): ImportPosition => ({ created_at, import_id: run_id });

/** A step that is repeated counts what it still found, so a receipt may say less than was blanked. */
const withItems = ({ items = 0 }: Erasure, found: number): number => items + found;

const holderOf = (erasure: ErasureIds): string => holderName({ kind: 'erasure', ...erasure });

const isOpen = ({ status }: ImportItem): boolean => status === 'processing';

/** A watchdog that abandoned it at the same time may archive what it read before. */
const wasAbandonedSince = ({ closing_at, completed_at }: ImportItem, since: Instant | undefined): boolean =>
  closing_at !== undefined && completed_at !== null && since !== undefined && completed_at >= since;

/** The next imports of the phase, oldest first, so that those accepted meanwhile come last. */
async function nextImports({ company_id, after }: Erasure, stores: ErasingStores) {
  const page = await stores.imports.walk(company_id, IMPORTS_IN_A_STEP, after);
  return { items: await stores.imports.readAll(company_id, page.map(idOf)), last: page.at(-1) };
}

/** The next of those that are open, or were since `since`. A list shows an import for a moment as it was: that is one more. */
async function nextOpen({ company_id, after, since }: Erasure, stores: ErasingStores) {
  const page = await stores.imports.walk(company_id, LISTED_IN_A_STEP, after);
  const wasOpen = ({ completed_at }: ImportSummary) =>
    completed_at === null || (since !== undefined && completed_at >= since);
  const open = page.filter(wasOpen);
  const some = open.slice(0, IMPORTS_IN_A_STEP);
  const items = await stores.imports.readAll(company_id, some.map(idOf));
  return { items, last: (some.length < open.length ? some : page).at(-1) };
}

const idOf = ({ import_id }: ImportSummary): string => import_id;

async function namesIn(items: readonly ImportItem[], erasure: Erasure, stores: ErasingStores): Promise<Names> {
  const found = await inParallel(items, AT_ONCE, (item) => namesInImport(item, personNamed(erasure), stores));
  return found.reduce(union, erasure.names);
}

async function eraseFrom(items: readonly ImportItem[], erasure: Erasure, stores: ErasingStores): Promise<number> {
  const person = personNamed(erasure);
  const erased = await inParallel(items, AT_ONCE, (item) => eraseFromImport(item, person, stores));
  return erased.reduce((sum, records) => sum + records, 0);
}
