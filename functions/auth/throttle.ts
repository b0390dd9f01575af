/** Failed logins are counted per account and source address, and per source address, in windows of five minutes. */
import { createHash, createHmac } from 'node:crypto';
import { members, number, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, anyOf, isAbove, isAtMost, isBelow } from '../dynamodb/expressions.ts';
import { deleteItem, getItem, itemIsAbsent, putItem, updateItem, batchGet } from '../dynamodb/items.ts';
import { TABLE, throttleKey } from '../dynamodb/table.ts';
import { emailKey } from '../records/identifiers.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import type { Random } from '../runtime/system.ts';
import { LOGIN_THROTTLE } from '../shared/limits.ts';

export interface Bucket {
  readonly key: string;
  readonly limit: number;
}

/** The counters of one login attempt. Keys are hashes, so that neither the source address nor the e-mail address is stored. */
export interface LoginBuckets {
  readonly account: Bucket;
  readonly address: Bucket;
}

/** The counters of this address from this source. An unknown account has counters too, so they show nothing. */
export function loginBuckets(email: string, sourceIp: string): LoginBuckets {
  return {
    account: { key: keyOf('account', emailKey(email), sourceIp), limit: LOGIN_THROTTLE.perAccount },
    address: addressBucket(sourceIp),
  };
}

/** The counter of a source address, whichever way it tries to log in. */
export const addressBucket = (sourceIp: string): Bucket => ({
  key: keyOf('address', sourceIp),
  limit: LOGIN_THROTTLE.perAddress,
});

/** Seconds until the attempt may be made, or `undefined` if it may be made now. */
export async function secondsBlocked(
  store: LoginThrottleStore,
  counters: readonly Bucket[],
  nowMs: number,
): Promise<number | undefined> {
  const keys = counters.map(({ key }) => key);
  const windows = await store.windows(keys, nowMs);
  const ends = counters.flatMap(({ limit }, at) => {
    const { failures = 0, window_ends_ms = 0 } = windows[at] ?? {};
    return failures >= limit ? [window_ends_ms] : [];
  });
  return ends.length === 0 ? undefined : Math.max(1, Math.ceil((Math.max(...ends) - nowMs) / 1000));
}

/** Counts a failure. Returns false if simultaneous guesses have used up a limit: this guess then gets no verdict. */
export async function countFailure(
  store: LoginThrottleStore,
  counters: readonly Bucket[],
  nowMs: number,
): Promise<boolean> {
  // One after the other: a guess that the account's limit refuses does not count against the address.
  for (const { key, limit } of counters)
    if (!(await store.recordFailure(key, limit, LOGIN_THROTTLE.windowMs, nowMs))) return false;
  return true;
}

/** The keyed hash of an address in the log of a failed login, 64 bits as hex: shows which belong together. */
export async function loggedAddress(store: LoginThrottleStore, email: string, random: Random): Promise<string> {
  const key = await store.addressKey(random);
  return createHmac('sha256', Buffer.from(key, 'hex')).update(emailKey(email)).digest('hex').slice(0, 16);
}

/** JSON keeps the parts apart, whatever characters they have. */
const keyOf = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Losing the race to open a window succeeds on retry; a concurrent clear can make it lose again. */
const MAX_ATTEMPTS = 4;

/** No hash: the counters of attempts have 64 characters. */
const ADDRESS_KEY = 'address-key';

export type LoginThrottleStore = ReturnType<typeof loginThrottleStore>;

/** Failed logins by key, in a window that starts with the first failure and is never moved by later ones. */
export function loginThrottleStore(database: Database) {
  let known: string | undefined;
  return {
    /** The key of the hashes of addresses in the log: 256 bits as hex, made once in the life of a table, by the first failed login. */
    async addressKey(random: Random): Promise<string> {
      const item = throttleKey(ADDRESS_KEY);
      if (known !== undefined) return known;
      let stored = await getItem(database, item);
      if (stored === undefined) {
        await putItem(database, { ...item, key: random.hex(32) }, itemIsAbsent);
        stored = await getItem(database, item);
      }
      known = text(stored ?? {}, 'key');
      return known;
    },

    /** The windows that are open, in the order of the keys. */
    windows: async (keys: readonly string[], now_ms: number) =>
      (await batchGet(database, keys.map(throttleKey), true)).map((item) => openWindow(item, now_ms)),

    /** Counts one failure unless `limit` is reached in the current window; then returns false. */
    async recordFailure(key: string, limit: number, window_ms: number, now_ms: number): Promise<boolean> {
      const windowOpen = isAbove('window_ends_ms', now_ms);
      const windowOver = isAtMost('window_ends_ms', now_ms);
      const belowLimit = isBelow('failures', limit);
      const window_ends_ms = now_ms + window_ms;
      const expires = { [TABLE.expiresAt]: Math.ceil(window_ends_ms / 1000) };
      const firstFailure = { ...throttleKey(key), failures: 1, window_ends_ms, ...expires };
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        if (await updateItem(database, throttleKey(key), { add: { failures: 1 }, when: allOf(windowOpen, belowLimit) }))
          return true;
        const current = openWindow(await getItem(database, throttleKey(key)), now_ms);
        if (current !== undefined && current.failures >= limit) return false;
        if (await putItem(database, firstFailure, anyOf(itemIsAbsent, windowOver))) return true;
      }
      throw new TemporarilyUnavailable('Too many logins for one key at the same time.');
    },

    /** Forgets the failures of a key. Returns false if simultaneous guesses have used up its limit. */
    clear(key: string, limit: number, now_ms: number): Promise<boolean> {
      const windowOver = isAtMost('window_ends_ms', now_ms);
      const belowLimit = isBelow('failures', limit);
      return deleteItem(database, throttleKey(key), anyOf(itemIsAbsent, windowOver, belowLimit));
    },
  };
}

function openWindow(item: Item | undefined, nowMs: number) {
  if (item === undefined) return undefined;
  const window = members(item, { failures: number, window_ends_ms: number });
  return window.window_ends_ms > nowMs ? window : undefined;
}
