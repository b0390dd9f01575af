import { expect, it } from 'vitest';
import { errorsOf } from './fixtures.ts';

/** A record and the errors (`code field`) that reject it, in order; none if it is applied. */
export type ErrorRow = [reason: string, raw: unknown, ...errors: string[]];

export function errorTable(rows: readonly ErrorRow[]): void {
  const named = rows.map(([reason, raw, ...errors]) => ({ reason, raw, errors }));
  it.each(named)('a record gets exactly its errors: $reason', ({ raw, errors }) => {
    expect(errorsOf(raw)).toEqual(errors);
  });
}
