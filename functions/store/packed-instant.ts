import type { Instant } from '../domain/model.ts';

/** Most dates have no milliseconds: `2024-01-02T03:04:05.000Z` is stored as `2024-01-02T03:04:05Z`. */
export function packInstant(instant: Instant): string {
  return instant.replace(/\.000Z$/, 'Z');
}

export function unpackInstant(packed: string): Instant {
  return packed.replace(/(:\d\d)Z$/, '$1.000Z');
}
