/** When the watchdog looks at an open import, and when it gives up on missing chunks. All in milliseconds. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * After acceptance, and after a chunk that ends once the due time has come near. The watchdog may look up to a minute later,
 * and the chunk takes its time: an import whose messages were never sent still ends within two minutes.
 */
export const FIRST_DUE_MS = 50 * SECOND;

/** A due time this far ahead is left where it is: moving it costs two writes to the index of open imports. */
const FAR_ENOUGH_MS = MINUTE / 2;

/** After each re-send. Steep, because re-sending into a backlog only lengthens it. */
const RESEND_LADDER_MS = [4 * MINUTE, 16 * MINUTE, 64 * MINUTE, 4 * HOUR] as const;

/** No chunk is closed earlier than this after acceptance. */
const CLOSE_AFTER_MS = 24 * HOUR;

/** Between the announcement and the closing: longer than any processor invocation may last. */
export const CLOSING_GRACE_MS = MINUTE;

/** Where the due time moves to after a chunk that ends now; `undefined` where it stays. */
export function dueAfterChunk(standing: string | undefined, nowMs: number): string | undefined {
  const leftMs = standing === undefined ? 0 : Date.parse(standing) - nowMs;
  return leftMs >= FAR_ENOUGH_MS ? undefined : instant(nowMs + FIRST_DUE_MS);
}

/**
 * Whether missing chunks are to be closed: a day has passed, and in it every step of the ladder was tried. After an outage
 * of a day, or on a machine that was switched off, the day alone says nothing.
 */
export function isGivenUp({ created_at, resends }: { created_at: string; resends: number }, nowMs: number): boolean {
  return nowMs - Date.parse(created_at) >= CLOSE_AFTER_MS && resends >= RESEND_LADDER_MS.length;
}

export function nextDueMs(resends: number): number {
  return RESEND_LADDER_MS[Math.min(resends, RESEND_LADDER_MS.length - 1)] ?? 4 * HOUR;
}

export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
