/** The names of the files that are written of a file: both are read with its mapping. */
export type Derivation = 'rejected' | 'unmatched';

const DERIVED = /\.(?:rejected|unmatched)(?:-\d+)?(?=(?:\.[^./\\]*)?$)/;

/** `history.rejected-2.csv` → `history.csv`; any other name stays. */
export const originalName = (name: string): string => name.replace(DERIVED, '');

/** `history.csv`, `unmatched` → `history.unmatched.csv`; a file that is derived itself counts as its original. */
export function derivedName(name: string, derivation: Derivation, extension: string): string {
  const original = originalName(name);
  return `${original.replace(/(?<=[^/\\])\.[^./\\]*$/, '')}.${derivation}${extension}`;
}
