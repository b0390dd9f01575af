/** Exit codes of the command, as docs/cli.md lists them. */
export const EXIT = { allApplied: 0, someRejected: 1, usage: 2, service: 3, interrupted: 130 } as const;

/** Something that the user has to change: an option, a file, a mapping. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'you have no permission',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
};

/** Why the operating system refused a file, in words. */
export function fileReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? code ?? message;
}

/** A place in a file that cannot be read; nothing of the file has been sent. Lines and columns count from 1. */
export class SourceError extends UsageError {
  override readonly name = 'SourceError';

  constructor(file: string, place: { line: number; column?: number | string }, problem: string) {
    const column = place.column === undefined ? '' : `, column ${place.column}`;
    super(`${file}, line ${place.line}${column}: ${problem}`);
  }
}
