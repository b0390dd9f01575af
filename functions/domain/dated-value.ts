import type { Instant } from './model.ts';

/** A date as it will be persisted, and whether nobody sent it. */
export interface DatedValue {
  readonly at: Instant | null;
  readonly isDefault: boolean;
}

/** §2.7: "a missing date defaults to the import date"; `null` was sent as such. */
export function orImportDate(sent: Instant | null | undefined, imported_at: Instant): DatedValue {
  return sent === undefined ? { at: imported_at, isDefault: true } : { at: sent, isDefault: false };
}

/** A date that has no default. */
export function asSent(sent: Instant | null | undefined): DatedValue {
  return { at: sent ?? null, isDefault: false };
}
