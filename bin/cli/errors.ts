/** Exit codes of the command, as docs/cli.md lists them. */
export const EXIT = { allApplied: 0, someRejected: 1, usage: 2, service: 3, interrupted: 130 } as const;

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
