import { expect, it } from 'vitest';
import { errorsOf, record } from './fixtures.ts';

/** A record and the errors (`code field`) that reject it, in order; none if it is applied. */
type ErrorRow = [reason: string, raw: unknown, ...errors: string[]];

export function errorTable(rows: readonly ErrorRow[]): void {
  const named = rows.map(([reason, raw, ...errors]) => ({ reason, raw, errors }));
  it.each(named)('a record gets exactly its errors: $reason', ({ raw, errors }) => {
    expect(errorsOf(raw)).toEqual(errors);
  });
}

/** The same of a block with these members beside the usual ones. Its errors name the field within it, or none for the block. */
export function blockTable(block: string, rows: readonly [string, object, ...string[]][], usual: object = {}): void {
  const within = (error: string) => {
    const [code = '', field] = error.split(' ');
    return field === undefined ? `${code} ${block}` : `${code} ${block}.${field}`;
  };
  errorTable(
    rows.map(([reason, members, ...errors]) => [
      reason,
      record({ [block]: { ...usual, ...members } }),
      ...errors.map(within),
    ]),
  );
}
