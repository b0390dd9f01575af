/** Applies a fact about a user (§13.1): its effect on the address, the password, and open sessions (§5.1); or the erasure of a person (§13.2). */
import { createHash } from 'node:crypto';
import type { EndSessionsFact, EraseFact, ExportFact, FactOutcome, FactServices, UserFact } from './facts.ts';
import type { KnownUser, PlatformDataStore, UserId } from './platform-data-store.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import { emailKey, hasActiveLicense } from '../records/identifiers.ts';
import { USER_CHANGES, type UserChange } from '../shared/codes.ts';
import type { User } from '../shared/model.ts';
import { exportPerson, type ExportCursor, type Exported } from '../erasure/export-person.ts';
import { startedErasure } from '../erasure/store.ts';
import { instant } from '../records/instants.ts';

const MAX_RACES = 5;

/** Tries with what is stored until no other fact changed it meanwhile. `attempt` returns `undefined` if one did. */
async function untilUnchanged(
  id: UserId,
  known: KnownUser | undefined,
  platform: PlatformDataStore,
  attempt: (before: KnownUser | undefined) => Promise<FactOutcome | undefined>,
): Promise<FactOutcome> {
  let before = known;
  for (let race = 0; race < MAX_RACES; race += 1) {
    const outcome = await attempt(before);
    if (outcome !== undefined) return outcome;
    [before] = await platform.knownUsers([id]);
  }
  throw new TemporarilyUnavailable('Too many facts about one user arrive at the same time.');
}

/** Stores a user, or deletes it. `rejected` if its address is taken, or while the user is being erased. */
export async function applyUserFact(
  fact: UserFact,
  known: KnownUser | undefined,
  services: FactServices,
): Promise<FactOutcome> {
  const { platform } = services.stores;
  const id = idOf(fact);
  return untilUnchanged(id, known, platform, async (before) => {
    if (await isStale(fact, before, platform)) return { status: 'stale' };
    if (isBeingErased(before)) return { status: 'rejected', problems: [BEING_ERASED] };
    const next = await nextOf(fact, before, services);
    const outcome = await platform.saveUser(id, before, next, { force: fact.force });
    if (outcome === 'saved') return { status: 'applied', changed: changedIn(before?.user, next.user) };
    if (outcome !== 'address_taken') return undefined;
    return { status: 'rejected', problems: [{ path: 'email', rule: 'belongs to another user of this stack' }] };
  });
}

/** For good, without a new version. `stale` if sessions were ended after the message was sent: a second delivery. */
export async function endSessions(
  fact: EndSessionsFact,
  { stores: { platform }, clock, sentMs = Number.POSITIVE_INFINITY }: FactServices,
): Promise<FactOutcome> {
  const id = idOf(fact);
  const [known] = await platform.knownUsers([id]);
  return untilUnchanged(id, known, platform, async (before) => {
    if (before?.user === undefined)
      return { status: 'rejected', problems: [{ path: 'id', rule: 'belongs to no user of this company' }] };
    if (Date.parse(before.sessions_ended_at ?? '') >= sentMs) return { status: 'stale' };
    const sessions_ended_at = notBefore(before.user.sessions_valid_from, clock.nowMs());
    const user = { ...before.user, sessions_valid_from: sessions_ended_at };
    const outcome = await platform.saveUser(id, before, { ...before, sessions_ended_at, user });
    return outcome === 'saved' ? { status: 'applied' } : undefined;
  });
}

/** Whether a fact with this version or a higher one was applied before; where the fact is forced, whether this very one was. */
export async function isStale(
  fact: UserFact | EraseFact,
  before: KnownUser | undefined,
  platform: PlatformDataStore,
): Promise<boolean> {
  if (fact.force) return platform.wasForced(idOf(fact), fact.version);
  return before !== undefined && before.version >= fact.version;
}

/** Not before the erasure is done: it would remove the data that came after it. */
const BEING_ERASED = {
  path: 'id',
  rule: 'belongs to a user who is being erased; send the fact again once that is done',
};

function isBeingErased(known: KnownUser | undefined): boolean {
  return known?.erasure_id !== undefined && known.erased_at === undefined;
}

export const idOf = ({ of }: UserFact | EndSessionsFact | EraseFact | ExportFact): UserId => ({
  company_id: of.company_id,
  user_id: of.id,
});

async function nextOf(
  { version, row }: UserFact,
  before: KnownUser | undefined,
  services: FactServices,
): Promise<KnownUser> {
  const former = formerEmails(before, row?.email);
  if (row === undefined) return { version, ...former, ...receiptOf(before) };
  const { id, password, password_hash, ...rest } = row;
  const login = await passwordOf({ password, password_hash }, before, services.passwords);
  const user: User = { ...rest, user_id: id, ...(login.password_hash && { password_hash: login.password_hash }) };
  const sessions_valid_from = validFrom(user, before, services.clock.nowMs());
  return {
    version,
    ...former,
    ...(before?.sessions_ended_at !== undefined && { sessions_ended_at: before.sessions_ended_at }),
    ...(login.given_hash !== undefined && { given_hash: login.given_hash }),
    user: { ...user, ...(sessions_valid_from !== undefined && { sessions_valid_from }) },
  };
}

const MOST_FORMER_EMAILS = 100;

/** Kept beside the version, also of a deleted user: an erasure looks for the records that name them (§13.2). */
function formerEmails(before: KnownUser | undefined, email: string | undefined): Pick<KnownUser, 'former_emails'> {
  const now = email === undefined ? undefined : emailKey(email);
  const known = [...(before?.user ? [emailKey(before.user.email)] : []), ...(before?.former_emails ?? [])];
  const former = [...new Set(known)].filter((each) => each !== now).slice(0, MOST_FORMER_EMAILS);
  return former.length === 0 ? {} : { former_emails: former };
}

/** The audited members that changed. Of a user who is new or deleted, all that they have or had. */
function changedIn(before: User | undefined, user: User | undefined): UserChange[] {
  return USER_CHANGES.filter((change) => AUDITED[change](before) !== AUDITED[change](user));
}

const AUDITED: Readonly<Record<UserChange, (user: User | undefined) => string | undefined>> = {
  license: (user) => user?.license,
  role: (user) => user?.role,
  password: (user) => user?.password_hash,
  address: (user) => user && emailKey(user.email),
};

type Login = Pick<User, 'password_hash'> & Pick<KnownUser, 'given_hash'>;

/** A stored hash of the same password is kept: a login may have renewed it, and another one ends sessions. */
async function passwordOf(
  { password, password_hash }: { readonly password: string | undefined; readonly password_hash: string | undefined },
  before: KnownUser | undefined,
  passwords: FactServices['passwords'],
): Promise<Login> {
  const stored = before?.user?.password_hash;
  if (password_hash !== undefined) {
    const given_hash = createHash('sha256').update(password_hash).digest('hex');
    return { given_hash, password_hash: stored && given_hash === before?.given_hash ? stored : password_hash };
  }
  if (password === undefined) return {};
  const isSame = stored !== undefined && (await passwords.verify(password, stored));
  return { password_hash: isSame ? stored : await passwords.hash(password) };
}

/** Every change that ends sessions moves the date to now, and never back, so that a session stays ended. */
function validFrom(user: User, before: KnownUser | undefined, nowMs: number): string | undefined {
  const earlier = before?.user?.sessions_valid_from;
  return before === undefined || !isEnding(user, before.user) ? earlier : notBefore(earlier, nowMs);
}

/** Now, or the stored date if that is later: a clock that is behind opens no session again. */
function notBefore(earlier: string | undefined, nowMs: number): string {
  const now = new Date(nowMs).toISOString();
  return earlier !== undefined && earlier > now ? earlier : now;
}

/** A deleted user who is sent again has no `before`. */
function isEnding(user: User, before: User | undefined): boolean {
  if (before === undefined || emailKey(before.email) !== emailKey(user.email)) return true;
  const deactivated = hasActiveLicense(before) && !hasActiveLicense(user);
  return deactivated || before.password_hash !== user.password_hash;
}

/** When an erasure was done, and how many places it blanked. Without a name. */
export const receiptOf = (known: Pick<KnownUser, 'erased_at' | 'blanked'> | undefined) => ({
  ...(known?.erased_at !== undefined && { erased_at: known.erased_at }),
  ...(known?.blanked !== undefined && { blanked: known.blanked }),
});

/** Deletes the user and stores the erasure in one write. A repeat is `stale` until it is done, then `erased`: the receipt. */
export async function eraseUser(
  fact: EraseFact,
  known: KnownUser | undefined,
  { stores, random, clock }: FactServices,
): Promise<FactOutcome> {
  const id = idOf(fact);
  const { version, force } = fact;
  return untilUnchanged(id, known, stores.platform, async (before) => {
    if (isBeingErased(before)) return { status: 'stale', erased_at: null };
    if (await isStale(fact, before, stores.platform))
      return before?.erasure_id === undefined ? { status: 'stale' } : { status: 'erased', ...receiptOf(before) };
    const erasure_id = random.hex(16);
    const erasure = startedErasure({
      ...id,
      erasure_id,
      names: namesOf(fact.erases, before),
      items: before?.user ? 1 : 0,
      due_at: instant(clock.nowMs()),
    });
    const next = { version, erasure_id };
    const outcome = await stores.platform.saveUser(id, before, next, { force, also: [{ put: erasure }] });
    if (outcome !== 'saved') return undefined;
    return { status: 'applied', erased_at: null, changed: before?.user ? USER_CHANGES : [] };
  });
}

/** The names in the fact, and those that are stored with the user. */
export function namesOf(erases: EraseFact['erases'], before: KnownUser | undefined) {
  const known = [...(before?.user ? [emailKey(before.user.email)] : []), ...(before?.former_emails ?? [])];
  return { emails: [...new Set([...known, ...erases.emails])], external_ids: erases.external_user_ids };
}

/** Whether the person was erased, or is being erased, and no user with the same id has been sent since. */
export async function isErased(id: UserId, platform: Pick<PlatformDataStore, 'knownUsers'>): Promise<boolean> {
  const [known] = await platform.knownUsers([id]);
  return known !== undefined && known.user === undefined && (known.erasure_id ?? known.erased_at) !== undefined;
}

const NOT_INVOKED = { path: 'export', rule: 'must come by an invocation of the function, which returns the export' };

/** One page of all that the stack holds of a person, known or deleted. It changes nothing. */
export function exportUser(
  fact: ExportFact,
  known: KnownUser | undefined,
  services: FactServices,
): Promise<FactOutcome> {
  const person = { ...idOf(fact), user: known?.user, names: namesOf(fact.exports, known) };
  return exportedBy(person, fact.exports.cursor, services);
}

/** The page of an invocation. Over the queue, there is nobody to whom it could be returned. */
export async function exportedBy(
  person: Exported,
  cursor: ExportCursor | undefined,
  { exporting }: FactServices,
): Promise<FactOutcome> {
  if (exporting === undefined) return { status: 'rejected', problems: [NOT_INVOKED] };
  return { status: 'exported', ...(await exportPerson(person, cursor, exporting)) };
}
