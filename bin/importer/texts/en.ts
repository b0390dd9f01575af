/** The codes of the engine in English. */
import type { Texts } from './texts.ts';

export const EN: Texts = {
  // Files
  file_without_rows: ({ path }) =>
    `${path} contains no rows. Export it again over the whole period and without a filter, or leave the file out.`,
};
