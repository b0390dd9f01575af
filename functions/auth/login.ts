/** Login (§5 point 1): throttled before the password hash, and silent about why it fails. */
import type { AccessStore } from './access-store.ts';
import type { PasswordHasher } from './passwords.ts';
import { openSession } from './sessions.ts';
import type { SessionServices } from './sessions.ts';
import { countFailure, forgetFailures, loginBuckets, secondsBlocked } from './throttle.ts';
import type { LoginBuckets, LoginThrottleStore } from './throttle.ts';
import type { TokenPair } from './tokens.ts';
import type { DirectoryStore } from '../catalog/directory-store.ts';
import { isEmailAddress } from '../records/identifiers.ts';
import type { User } from '../shared/model.ts';

export interface LoginServices extends SessionServices {
  readonly access: Pick<AccessStore, 'readAccess' | 'findLogin' | 'replacePasswordHash'>;
  readonly directory: Pick<DirectoryStore, 'users'>;
  readonly throttle: LoginThrottleStore;
  readonly passwords: PasswordHasher;
}

export interface LoginAttempt {
  readonly email: string;
  readonly password: string;
  readonly sourceIp: string;
}

export type LoginOutcome =
  | { readonly kind: 'success'; readonly tokens: TokenPair }
  /** Wrong password, unknown e-mail, inactive user, user without a password: never told which. */
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

export async function login(services: LoginServices, attempt: LoginAttempt, nowMs: number): Promise<LoginOutcome> {
  const buckets = loginBuckets(attempt.email, attempt.sourceIp);
  const blocked = await secondsBlocked(services.throttle, buckets, nowMs);
  if (blocked !== undefined) return { kind: 'throttled', retryAfterSeconds: blocked };

  const user = await findUser(services, attempt.email);
  const canLogIn = user?.license === 'active';
  // One hash on every path, so that the time taken does not tell whether the account exists.
  const verified = await services.passwords.verify(attempt.password, canLogIn ? user.password_hash : undefined);

  if (!verified || !user) {
    return (await countFailure(services.throttle, buckets, nowMs))
      ? { kind: 'unauthorized' }
      : throttled(services, buckets, nowMs);
  }
  if (!(await forgetFailures(services.throttle, buckets, nowMs))) return throttled(services, buckets, nowMs);
  await keepUpToDate(services, user, attempt.password);
  return { kind: 'success', tokens: await openSession(services, user, nowMs) };
}

/** A hash of another cost than hashes have now is made anew while the password is at hand. */
async function keepUpToDate({ passwords, access }: LoginServices, user: User, password: string): Promise<void> {
  if (user.password_hash === undefined || !passwords.needsRehash(user.password_hash)) return;
  await access.replacePasswordHash(user, await passwords.hash(password));
}

async function throttled(services: LoginServices, buckets: LoginBuckets, nowMs: number): Promise<LoginOutcome> {
  return { kind: 'throttled', retryAfterSeconds: (await secondsBlocked(services.throttle, buckets, nowMs)) ?? 1 };
}

/** Stands for "no company" so that an unknown address costs the same reads as a known one. */
const NOBODYS_COMPANY = '-';

async function findUser(services: LoginServices, email: string): Promise<User | undefined> {
  if (!isEmailAddress(email)) return undefined;
  const owner = await services.access.findLogin(email);
  const users = await services.directory.users(owner?.company_id ?? NOBODYS_COMPANY, [email], true);
  return owner && [...users.values()][0];
}
