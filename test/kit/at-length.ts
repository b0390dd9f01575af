/**
 * A long proof runs whole with `npm run test:long` (AT_LENGTH=1), and with a share of its cases in `npm test`.
 * FIRST_SEED and SHARE select other cases; CI derives SHARE from the commit.
 */
export const AT_LENGTH = process.env['AT_LENGTH'] === '1';

export const FIRST_SEED = Number(process.env['FIRST_SEED'] ?? 0);

export const cases = (whole: number, share: number): number => (AT_LENGTH ? whole : share);

/** `2/3`: the second third of the cases that `someOf` has at length, and another share of them otherwise. */
const [SHARE = 1, SHARES = 1] = (process.env['SHARE'] ?? '1/1').split('/').map(Number);

/** Their share; all without SHARE. */
export const shareOf = <Case>(all: readonly Case[]): Case[] => all.filter((_, at) => at % SHARES === SHARE - 1);

/** All cases at length, or their share; every so-many-th otherwise. */
export const someOf = <Case>(all: readonly Case[], every: number): Case[] => {
  const shares = AT_LENGTH ? SHARES : every;
  return all.filter((_, at) => at % shares === (SHARE - 1) % shares);
};
