/**
 * The steps of an erasure (§7). The watchdog begins it, and begins it again where it stopped.
 *
 * While it runs it holds the gate of its company, so that no chunk begins with a plan that names the person. Whoever began
 * before ends first: a function that still runs may have read the user, a plan or a payload.
 */
import { eraseFromImport, namesInImport } from './erase-import.ts';
import type { Erasure, ErasurePhase, ErasureStore } from './store.ts';
import type { SessionStore } from '../auth/access-store.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { erasureMessage } from '../jobs/queue.ts';
import type { ErasureIds } from '../jobs/queue.ts';
import type { ImportPosition } from '../imports/import-lists.ts';
import { sendWhatWaited } from '../reverts/steps.ts';
import type { ImportServices, ImportStores } from '../imports/services.ts';
import { bringForward, fenceMs } from '../jobs/steps.ts';
import { emailKey } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import type { Person } from '../records/person.ts';
import { batchesOf, inParallel } from '../runtime/batching.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ImportItem, UserMapping } from '../shared/model.ts';

type ErasingStores = ImportStores & { readonly erasures: ErasureStore; readonly sessions: SessionStore };

export interface ErasureServices extends Omit<ImportServices, 'stores'> {
  readonly stores: ErasingStores;
}

export const ERASURE_FENCE_MS = fenceMs(LONGEST_TIMEOUT_SECONDS);
/** After what is expected of it next. The watchdog looks at it then. */
const DUE_MS = 60_000;
/** Imports that one step reads, and how many of them at once. */
const IMPORTS_IN_A_STEP = 24;
const AT_ONCE = 8;
const MOST_NAMES = 2_000;

/** Brings an erasure forward as far as it can. The rest is sent as a message, or left to the watchdog. */
export async function continueErasure(ids: ErasureIds, hop: number, services: ErasureServices): Promise<void> {
  const message = (next: number, waitMs: number) => erasureMessage(ids, next, waitMs);
  const step = (erasure: Erasure): Promise<Erasure | undefined> => {
    const take = () => STEPS[erasure.phase](erasure, services);
    // Sessions are no company's items.
    return erasure.phase === 'ending' ? take() : withinCompany(ids.company_id, take);
  };
  await bringForward({ work: await services.stores.erasures.read(ids), step, hop, message }, services);
}

/** Takes one step. Returns the erasure after it; `undefined` where somebody else is at it, it has to wait, or it is done. */
type StepOf = (erasure: Erasure, services: ErasureServices) => Promise<Erasure | undefined>;

const STEPS: Readonly<Record<ErasurePhase, StepOf>> = {
  async waiting(erasure, services) {
    const isHeld = await services.stores.reverts.takeGate(erasure.company_id, holderOf(erasure));
    if (isHeld) return moved(erasure, { phase: 'closing', until: afterFence(services) }, services);
    await moved(erasure, {}, services);
    return undefined;
  },

  async closing(erasure, services) {
    const { emails, external_ids } = await registeredNames(erasure, services.stores);
    return moved(erasure, { phase: 'naming', names: union(erasure.names, { emails, external_ids }) }, services);
  },

  async naming(erasure, services) {
    const { items, last } = await nextImports(erasure, services.stores);
    if (last === undefined) {
      const names = await ownNames(erasure, services.stores);
      return moved(erasure, { phase: 'erasing', names, after: undefined }, services);
    }
    const found = await inParallel(items, AT_ONCE, (item) => namesInImport(item, personIn(erasure), services.stores));
    return moved(erasure, { names: found.reduce(union, erasure.names), after: last }, services);
  },

  async erasing(erasure, services) {
    const { items, last } = await nextImports(erasure, services.stores);
    if (last === undefined) {
      if (erasure.again.length === 0) return moved(erasure, { phase: 'removing' }, services);
      return moved(erasure, { phase: 'leaving', until: afterFence(services) }, services);
    }
    const { again, records } = await eraseFrom(items, erasure, services.stores);
    const change = { again: [...erasure.again, ...again], records: erasure.records + records, after: last };
    return moved(erasure, change, services);
  },

  leaving: (erasure, services) => moved(erasure, { phase: 'again' }, services),

  async again(erasure, services) {
    const [batch = [], ...rest] = batchesOf(erasure.again, IMPORTS_IN_A_STEP);
    const { company_id } = erasure;
    const items = await inParallel(batch, AT_ONCE, (id) => services.stores.imports.read(company_id, id));
    const { records } = await eraseFrom(items.filter(isThere), erasure, services.stores);
    const left = rest.flat();
    const phase = left.length === 0 ? 'removing' : 'again';
    return moved(erasure, { phase, again: left, records: erasure.records + records }, services);
  },

  async removing(erasure, services) {
    const { company_id, user_id } = erasure;
    const { stores } = services;
    await stores.mappings.removeUserMappings(company_id, (await mappingsOf(erasure, stores)).map(idOfMapping));
    await stores.progress.forget(company_id, user_id);
    return moved(erasure, { phase: 'ending' }, services);
  },

  async ending(erasure, services) {
    await services.stores.sessions.removeOf(erasure.company_id, erasure.user_id);
    return moved(erasure, { phase: 'opening' }, services);
  },

  /** No import can rely on what was erased, so plans of before are carried out as they are: the epoch does not change. */
  async opening(erasure, services) {
    const { clock, stores, telemetry } = services;
    const { company_id, erasure_id, records } = erasure;
    await stores.erasures.finish(erasure, instant(clock.nowMs()));
    await stores.reverts.releaseGate(company_id, holderOf(erasure));
    await sendWhatWaited(company_id, services);
    await stores.erasures.forget(erasure);
    telemetry.info('A person was erased.', { company_id, erasure_id, records });
    return undefined;
  },
};

const holderOf = ({ erasure_id }: ErasureIds): string => `erasure#${erasure_id}`;

/** Only now: the fence is counted from when what was written before it was acknowledged. */
function afterFence({ clock }: ErasureServices): string {
  return instant(clock.nowMs() + ERASURE_FENCE_MS);
}

/** Stores the step, and when the watchdog looks if nothing comes of it. */
function moved(erasure: Erasure, change: Partial<Erasure>, { clock, stores }: ErasureServices) {
  const nextMs = change.until === undefined ? clock.nowMs() : Date.parse(change.until);
  return stores.erasures.advance(erasure, { ...change, due_at: instant(nextMs + DUE_MS) });
}

const isThere = (item: ImportItem | undefined): item is ImportItem => item !== undefined;

/** The imports that the phase comes to next, oldest first, so that those accepted meanwhile come last. */
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

/** Without the names that belong to somebody else now: their records are not the person's. */
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
