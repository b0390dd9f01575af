/**
 * A long proof runs whole with `npm run test:long` (AT_LENGTH=1), and with a share of its cases in `npm test`.
 * FIRST_SEED selects other cases; CI derives it from the commit.
 */
export const AT_LENGTH = process.env['AT_LENGTH'] === '1';

export const FIRST_SEED = Number(process.env['FIRST_SEED'] ?? 0);

export const cases = (whole: number, share: number): number => (AT_LENGTH ? whole : share);

/** All cases at length, every so-many-th otherwise. */
export const someOf = <Case>(all: readonly Case[], every: number): Case[] =>
  all.filter((_, at) => AT_LENGTH || at % every === 0);
