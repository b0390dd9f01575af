/** Failed logins are counted per account and source address, and per source address, in windows of five minutes. */
import { createHash } from 'node:crypto';
import { emailKey } from '../domain/email.ts';
import type { LoginThrottleStore } from './ports.ts';

export const LOGIN_WINDOW_MS = 300_000;

interface Bucket {
  readonly key: string;
  readonly limit: number;
}

/** What one login attempt counts towards. Keys are hashes: neither the address nor the e-mail is kept. */
export interface LoginBuckets {
  readonly account: Bucket;
  readonly address: Bucket;
}

export function loginBuckets(email: string, sourceIp: string): LoginBuckets {
  return {
    account: { key: keyOf('account', emailKey(email), sourceIp), limit: 10 },
    address: { key: keyOf('address', sourceIp), limit: 100 },
  };
}

/** Seconds until the attempt may be made, or `undefined` if it may be made now. */
export async function secondsBlocked(
  store: LoginThrottleStore,
  buckets: LoginBuckets,
  nowMs: number,
): Promise<number | undefined> {
  const failures = await store.failures([buckets.account.key, buckets.address.key], nowMs);
  const ends = [buckets.account, buckets.address].flatMap(({ key, limit }) => {
    const counted = failures.get(key);
    return counted && counted.count >= limit ? [counted.window_ends_ms] : [];
  });
  return ends.length === 0 ? undefined : Math.max(1, Math.ceil((Math.max(...ends) - nowMs) / 1000));
}

/** Counts a failure. False if guesses made at the same time have used up a limit: then this one must not be answered. */
export async function countFailure(
  store: LoginThrottleStore,
  { account, address }: LoginBuckets,
  nowMs: number,
): Promise<boolean> {
  // One after the other: what the account refuses does not count against the address.
  if (!(await store.recordFailure(account.key, account.limit, LOGIN_WINDOW_MS, nowMs))) return false;
  return store.recordFailure(address.key, address.limit, LOGIN_WINDOW_MS, nowMs);
}

/** Forgets the account's failures. False if guesses made at the same time have used up its limit. */
export function forgetFailures(store: LoginThrottleStore, { account }: LoginBuckets, nowMs: number): Promise<boolean> {
  return store.clear(account.key, account.limit, nowMs);
}

/** JSON keeps the parts apart, whatever characters they hold. */
const keyOf = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
