import { TemporarilyUnavailable } from '../domain/temporarily-unavailable.ts';
import { TABLE } from '../runtime/environment.ts';
import type { LoginThrottleStore } from '../workflow/ports.ts';
import { batchGet } from './batch-get.ts';
import { allOf, anyOf, isAbove, isAtMost, isBelow } from './conditions.ts';
import type { Database, Item } from './database.ts';
import { throttleKey } from './keys.ts';
import { deleteItem, getItem, itemIsAbsent, putItem, updateItem } from './single-item.ts';

interface Window {
  readonly failures: number;
  readonly window_ends_ms: number;
}

/** Callers that race to open a window find it open the next time, unless it is cleared in between. */
const MAX_ATTEMPTS = 4;

/** Failed logins by key, in a window that starts with the first failure and is never moved by later ones. */
export function loginThrottleStore(database: Database): LoginThrottleStore {
  return {
    async failures(keys, now_ms) {
      const items = await batchGet(database, keys.map(throttleKey), true);
      const windows = keys.map((key, position) => [key, openWindow(items[position], now_ms)] as const);
      return new Map(
        windows.flatMap(([key, window]) =>
          window === undefined
            ? []
            : [[key, { count: window.failures, window_ends_ms: window.window_ends_ms }] as const],
        ),
      );
    },

    async recordFailure(key, limit, window_ms, now_ms) {
      const windowOpen = isAbove('window_ends_ms', now_ms);
      const windowOver = isAtMost('window_ends_ms', now_ms);
      const belowLimit = isBelow('failures', limit);
      const firstFailure = { ...throttleKey(key), ...newWindow(now_ms + window_ms) };
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        if (await updateItem(database, throttleKey(key), { add: { failures: 1 }, when: allOf(windowOpen, belowLimit) }))
          return true;
        const standing = openWindow(await getItem(database, throttleKey(key)), now_ms);
        if (standing !== undefined && standing.failures >= limit) return false;
        if (await putItem(database, firstFailure, anyOf(itemIsAbsent, windowOver))) return true;
      }
      throw new TemporarilyUnavailable('too many logins for one key at once');
    },

    clear(key, limit, now_ms) {
      const windowOver = isAtMost('window_ends_ms', now_ms);
      const belowLimit = isBelow('failures', limit);
      return deleteItem(database, throttleKey(key), anyOf(itemIsAbsent, windowOver, belowLimit));
    },
  };
}

function openWindow(item: Item | undefined, nowMs: number): Window | undefined {
  const window = item as unknown as Window | undefined;
  return window !== undefined && window.window_ends_ms > nowMs ? window : undefined;
}

function newWindow(endsMs: number): Window & Item {
  return { failures: 1, window_ends_ms: endsMs, [TABLE.expiresAt]: Math.ceil(endsMs / 1000) };
}
