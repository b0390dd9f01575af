const DAY_MS = 24 * 60 * 60 * 1000;

/** The latest day that has begun anywhere on earth, as a text: a completion has no later one. */
export const latestDate = ({ now }: { readonly now?: number | undefined } = {}): string =>
  now === undefined ? '9999' : new Date(now + DAY_MS).toISOString();
