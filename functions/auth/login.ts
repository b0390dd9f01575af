/** Login (§5 point 1): the throttle comes before the password hash, and a failure does not say why. */
import type { AccessStore } from './access-store.ts';
import type { PasswordHasher } from './passwords.ts';
import { openSession, type SessionServices } from './sessions.ts';
import { countFailure, loginBuckets, secondsBlocked } from './throttle.ts';
import type { Bucket, LoginThrottleStore } from './throttle.ts';
import type { TokenPair } from './tokens.ts';
import type { DirectoryStore } from '../catalog/directory-store.ts';
import { isEmailAddress, hasActiveLicense } from '../records/identifiers.ts';
import type { User } from '../shared/model.ts';

export interface UserServices {
  readonly stores: {
    readonly access: Pick<AccessStore, 'findLogin'>;
    readonly directory: Pick<DirectoryStore, 'users'>;
  };
}

export interface LoginServices extends SessionServices {
  readonly passwords: PasswordHasher;
  readonly stores: SessionServices['stores'] &
    UserServices['stores'] & {
      readonly access: Pick<AccessStore, 'replacePasswordHash'>;
      readonly throttle: LoginThrottleStore;
    };
}

interface LoginAttempt {
  readonly email: string;
  readonly password: string;
  readonly sourceIp: string;
}

/** What became of a login or a sign-in. */
export type LoginOutcome =
  | { readonly kind: 'success'; readonly tokens: TokenPair; readonly user: User; readonly session_id: string }
  /** Of a login a wrong password, unknown e-mail, inactive user or user without a password: the response does not show which. */
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/** Exchanges e-mail and password for a token pair. A hash that was made with another cost is replaced on the way. */
export async function login(services: LoginServices, attempt: LoginAttempt, nowMs: number): Promise<LoginOutcome> {
  const { throttle } = services.stores;
  const buckets = loginBuckets(attempt.email, attempt.sourceIp);
  const all = [buckets.account, buckets.address];
  const blocked = await secondsBlocked(throttle, all, nowMs);
  if (blocked !== undefined) return { kind: 'throttled', retryAfterSeconds: blocked };

  const user = await findUser(services, attempt.email);
  // One hash on every path, so that the time taken does not reveal whether the account exists.
  const hash = hasActiveLicense(user) ? user.password_hash : undefined;
  const verified = await services.passwords.verify(attempt.password, hash);
  if (!verified || !user) {
    return (await countFailure(throttle, all, nowMs)) ? { kind: 'unauthorized' } : throttled(throttle, all, nowMs);
  }
  const { account } = buckets;
  if (!(await throttle.clear(account.key, account.limit, nowMs))) return throttled(throttle, all, nowMs);
  await renewHash(services, user, attempt.password);
  const session_id = services.random.hex(16);
  return { kind: 'success', tokens: await openSession(services, user, nowMs, session_id), user, session_id };
}

async function renewHash({ passwords, stores }: LoginServices, user: User, password: string): Promise<void> {
  if (user.password_hash === undefined || !passwords.needsRehash(user.password_hash)) return;
  await stores.access.replacePasswordHash(user, await passwords.hash(password));
}

/** For as long as the counters say, or a second where their window has just ended. */
export async function throttled(
  store: LoginThrottleStore,
  buckets: readonly Bucket[],
  nowMs: number,
): Promise<LoginOutcome> {
  return { kind: 'throttled', retryAfterSeconds: (await secondsBlocked(store, buckets, nowMs)) ?? 1 };
}

/** No company has this id. It makes an unknown address cost the same reads as a known one. */
const NO_COMPANY = '-';

/** The user of an address, in the same reads for every address. */
export async function findUser({ stores }: UserServices, email: string): Promise<User | undefined> {
  if (!isEmailAddress(email)) return undefined;
  const owner = await stores.access.findLogin(email);
  const users = await stores.directory.users(owner?.company_id ?? NO_COMPANY, [email], true);
  return owner && [...users.values()][0];
}
