/** Mistakes that the owner of the files has to correct. Neither error is a fault of the service. */

export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** A place in a file that cannot be read; nothing of the file has been sent. Lines and columns count from 1. */
export class SourceError extends UsageError {
  override readonly name = 'SourceError';

  constructor(file: string, place: { line: number; column?: number | string }, problem: string) {
    const column = place.column === undefined ? '' : `, column ${place.column}`;
    super(`${file}, line ${place.line}${column}: ${problem}`);
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const noRows = (path: string): UsageError =>
  new UsageError(
    `${path} contains no rows. Export it again over the whole period and without a filter, or leave the file out.`,
  );
