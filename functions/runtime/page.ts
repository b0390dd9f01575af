import { MAX_ANSWER_BYTES } from '../domain/limits.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** The last item of the page where more follow, else null: what the next cursor stands on. */
  readonly last: T | null;
}

/** Cuts a page of `limit` items from candidates that hold one item more where there is one; earlier where the answer would grow too large. */
export function pageOf<T>(candidates: readonly T[], limit: number): Page<T> {
  let bytes = 0;
  const room = candidates.findIndex((item, position) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return position > 0 && bytes > MAX_ANSWER_BYTES;
  });
  const items = candidates.slice(0, Math.min(limit, room === -1 ? limit : room));
  return { items, last: items.length < candidates.length ? (items.at(-1) ?? null) : null };
}
