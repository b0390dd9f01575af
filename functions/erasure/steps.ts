/**
 * The steps of an erasure (§13.2). The watchdog starts it, and resumes it at the stored step.
 *
 * While it runs it holds the gate of its company, so that no chunk starts with a plan that names the person. Invocations that
 * started before end first: they may have read the user, a plan or a payload.
 */
import { eraseFromImport, namesInImport, type EraseStores } from './erase-import.ts';
import type { Erasure, ErasureIds, ErasurePhase } from './store.ts';
import type { SessionStore } from '../auth/access-store.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import type { ImportPosition } from '../imports/import-item.ts';
import type { ImportServices } from '../imports/services.ts';
import { resendWaiting } from '../imports/watch.ts';
import { TURN_OVER, fenceMs, takeSteps, type StepTools } from '../jobs/steps.ts';
import { holderName, type ErasureWork, type Message } from '../jobs/work.ts';
import { emailKey } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import type { Person } from '../records/person.ts';
import { batchesOf, inParallel } from '../runtime/batching.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ImportItem, UserMapping } from '../shared/model.ts';

type ErasingStores = EraseStores & { readonly sessions: SessionStore };

export interface ErasureServices extends Omit<ImportServices, 'stores'> {
  readonly stores: ErasingStores;
}

export const ERASURE_FENCE_MS = fenceMs(LONGEST_TIMEOUT_SECONDS);
/** Imports that one step reads, and how many of them at once. */
const IMPORTS_IN_A_STEP = 24;
const AT_ONCE = 8;
const MOST_NAMES = 2_000;

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
    return move(erasure, { phase: 'naming', names: union(erasure.names, { emails, external_ids }) });
  },

  async naming(erasure, { stores }, { move }) {
    const { items, last } = await nextImports(erasure, stores);
    if (last === undefined) {
      const names = await ownNames(erasure, stores);
      return move(erasure, { phase: 'erasing', names, after: undefined });
    }
    const found = await inParallel(items, AT_ONCE, (item) => namesInImport(item, personIn(erasure), stores));
    return move(erasure, { names: found.reduce(union, erasure.names), after: last });
  },

  async erasing(erasure, { stores }, { move, afterFence }) {
    const { items, last } = await nextImports(erasure, stores);
    if (last === undefined) {
      if (erasure.again.length === 0) return move(erasure, { phase: 'removing' });
      return move(erasure, { phase: 'leaving', until: afterFence() });
    }
    const { again, records } = await eraseFrom(items, erasure, stores);
    const change = { again: [...erasure.again, ...again], records: erasure.records + records, after: last };
    return move(erasure, change);
  },

  leaving: (erasure, _, { move }) => move(erasure, { phase: 'again' }),

  async again(erasure, { stores }, { move }) {
    const [batch = [], ...rest] = batchesOf(erasure.again, IMPORTS_IN_A_STEP);
    const { company_id } = erasure;
    const items = await inParallel(batch, AT_ONCE, (id) => stores.imports.read(company_id, id));
    const { records } = await eraseFrom(items.filter(isThere), erasure, stores);
    const left = rest.flat();
    const phase = left.length === 0 ? 'removing' : 'again';
    return move(erasure, { phase, again: left, records: erasure.records + records });
  },

  async removing(erasure, { stores }, { move }) {
    const { company_id, user_id } = erasure;
    await stores.mappings.removeUserMappings(company_id, (await mappingsOf(erasure, stores)).map(idOfMapping));
    await stores.erasures.removeLearner(company_id, user_id);
    return move(erasure, { phase: 'ending' });
  },

  async ending(erasure, { stores }, { move }) {
    await stores.sessions.removeOf(erasure.company_id, erasure.user_id);
    return move(erasure, { phase: 'opening' });
  },

  /** No earlier plan depends on the erased items, so the epoch is unchanged. */
  async opening(erasure, services) {
    const { clock, stores, telemetry } = services;
    const { company_id, erasure_id, records } = erasure;
    await stores.erasures.finish(erasure, instant(clock.nowMs()));
    await stores.jobs.passGate(company_id, holderOf(erasure), false);
    await resendWaiting(company_id, services);
    await stores.erasures.forget(erasure);
    telemetry.info('A person was erased.', { company_id, erasure_id, records });
    return undefined;
  },
};

const holderOf = (erasure: ErasureIds): string => holderName({ kind: 'erasure', ...erasure });

const isThere = (item: ImportItem | undefined): item is ImportItem => item !== undefined;

/** The next imports of the phase, oldest first, so that those accepted meanwhile come last. */
async function nextImports(
  { company_id, after }: Erasure,
  { imports }: ErasingStores,
): Promise<{ readonly items: readonly ImportItem[]; readonly last?: ImportPosition | undefined }> {
  const page = await imports.walk(company_id, IMPORTS_IN_A_STEP, after);
  const items = await inParallel(page, AT_ONCE, ({ import_id }) => imports.read(company_id, import_id));
  return { items: items.filter(isThere), last: page.at(-1) };
}

async function eraseFrom(items: readonly ImportItem[], erasure: Erasure, stores: ErasingStores) {
  const person = personIn(erasure);
  const erased = await inParallel(items, AT_ONCE, (item) => eraseFromImport(item, person, stores));
  return {
    again: items.flatMap(({ import_id }, position) => (erased[position]?.isOpen === true ? [import_id] : [])),
    records: erased.reduce((sum, { records }) => sum + records, 0),
  };
}

function personIn({ user_id, names: { emails, external_ids } }: Erasure): Person {
  return { user_id, emails: new Set(emails), external_ids: new Set(external_ids) };
}

type Names = Erasure['names'];

function union(a: Names, b: Names): Names {
  const of = (kind: keyof Names) => [...new Set([...a[kind], ...b[kind]])].slice(0, MOST_NAMES);
  return { emails: of('emails'), external_ids: of('external_ids') };
}

/** The mappings that lead to the person. */
async function mappingsOf({ company_id, user_id }: Erasure, { mappings }: ErasingStores): Promise<UserMapping[]> {
  const theirs: UserMapping[] = [];
  let after: string | undefined;
  do {
    const page = await mappings.listUserMappings(company_id, MAPPINGS_ON_A_PAGE, after);
    theirs.push(...page.filter((mapping) => mapping.user_id === user_id));
    after = page.length < MAPPINGS_ON_A_PAGE ? undefined : page.at(-1)?.external_user_id;
  } while (after !== undefined);
  return theirs;
}

const MAPPINGS_ON_A_PAGE = 5_000;
const idOfMapping = ({ external_user_id }: UserMapping): string => external_user_id;

async function registeredNames(erasure: Erasure, stores: ErasingStores): Promise<Names> {
  const mappings = await mappingsOf(erasure, stores);
  return { emails: mappings.map(({ email }) => emailKey(email)), external_ids: mappings.map(idOfMapping) };
}

/** Without the names that belong to another user now: their records are not the person's. */
async function ownNames(
  { company_id, user_id, names }: Erasure,
  { directory, mappings }: ErasingStores,
): Promise<Names> {
  const users = await directory.users(company_id, names.emails, true);
  const registered = await mappings.userMappings(company_id, names.external_ids);
  const isOthers = (holder: { readonly user_id: number } | undefined) =>
    holder !== undefined && holder.user_id !== user_id;
  return {
    emails: names.emails.filter((email) => !isOthers(users.get(email))),
    external_ids: names.external_ids.filter((id) => !isOthers(registered.get(id))),
  };
}
