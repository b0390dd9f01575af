const DAY_MS = 24 * 60 * 60 * 1000;

/** What is done has a day that has come, somewhere on earth: later dates are greater, as texts. */
export const latestDate = ({ now }: { readonly now?: number | undefined } = {}): string =>
  now === undefined ? '9999' : new Date(now + DAY_MS).toISOString();
