/** Applies a fact that erases a person (§13.2): deletes the user at once, and starts an erasure of the person's stored data. */
import type { EraseFact, FactOutcome, FactServices } from './facts.ts';
import type { KnownUser, PlatformDataStore, UserId } from './platform-data-store.ts';
import { idOf, isBeingErased, isStale, untilUnchanged } from './user-facts.ts';
import { startedErasure } from '../erasure/store.ts';
import { emailKey } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import { USER_CHANGES } from '../shared/codes.ts';

/**
 * Deletes the user, and in the same write stores the erasure, which the watchdog starts within a minute. The version remains,
 * so that no earlier fact restores the person. A repeat is `stale`, and its result has the time when the erasure was done.
 *
 * @param known what was stored of the user a moment ago
 */
export async function eraseUser(
  fact: EraseFact,
  known: KnownUser | undefined,
  { stores, random, clock }: FactServices,
): Promise<FactOutcome> {
  const id = idOf(fact);
  const { version, force } = fact;
  return untilUnchanged(id, known, stores.platform, async (before) => {
    if (isBeingErased(before) || (await isStale(fact, before, stores.platform)))
      return { status: 'stale', ...(before?.erasure_id !== undefined && { erased_at: before.erased_at ?? null }) };
    const erasure_id = random.hex(16);
    const erasure = startedErasure({ ...id, erasure_id, names: namesOf(fact, before), due_at: instant(clock.nowMs()) });
    const next = { version, erasure_id };
    const outcome = await stores.platform.saveUser(id, before, next, { force, also: [{ put: erasure }] });
    if (outcome !== 'saved') return undefined;
    return { status: 'applied', erased_at: null, changed: before?.user ? USER_CHANGES : [] };
  });
}

/** The addresses that the user has and had, and the names that the fact adds. */
function namesOf({ erases }: EraseFact, before: KnownUser | undefined) {
  const known = [...(before?.user ? [emailKey(before.user.email)] : []), ...(before?.former_emails ?? [])];
  return { emails: [...new Set([...known, ...erases.emails])], external_ids: erases.external_user_ids };
}

/** Whether the person was erased, or is being erased, and no user with the same id has been sent since. */
export async function isErased(id: UserId, platform: Pick<PlatformDataStore, 'knownUsers'>): Promise<boolean> {
  const [known] = await platform.knownUsers([id]);
  return known !== undefined && known.user === undefined && (known.erasure_id ?? known.erased_at) !== undefined;
}
