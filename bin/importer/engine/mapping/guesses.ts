/** Meanings that a mapping guesses: a person confirms them at a terminal; a script imports none of them by itself. */
import type { Mapping } from './schema.ts';

interface Mapped {
  readonly mapping: Mapping | undefined;
}

/** The guesses of the mappings of a run, each once. */
export const unconfirmed = ({ sources }: { readonly sources: readonly Mapped[] }): string[] => [
  ...new Set(sources.flatMap(({ mapping }) => mapping?.guesses ?? [])),
];

/** The reason for which a script imports nothing, and the next step. */
export const refusalLines = (guesses: readonly string[]): string[] => [
  `Nothing imported: the mapping guesses ${guesses.length === 1 ? 'a meaning' : `${guesses.length} meanings`} that --yes does not accept.`,
  ...guesses.map((guess) => `  - ${guess}`),
  'Confirm each at a terminal with init-mapping --force, or correct the mapping and delete its "guesses", or add --accept-guesses.',
];
