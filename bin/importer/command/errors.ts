import { EngineError, messageOf } from '../engine/ground/errors.ts';

/** A mistake of the person at the terminal, in words. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** True for a mistake that the person at the terminal has to correct, found by the command or by the engine. */
export const isUsage = (error: unknown): boolean => error instanceof UsageError || error instanceof EngineError;

/** Exit codes of the command, as docs/cli.md lists them. */
export const EXIT = { allApplied: 0, someRejected: 1, usage: 2, service: 3, approval: 4, interrupted: 130 } as const;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'you have no permission',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota of the disk is used up',
  EFBIG: 'the file would be larger than the system allows',
};

export function fileReason(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code ?? ''] ?? code ?? messageOf(error);
}

/** `ENOENT`; `undefined` if the error is not of the operating system. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
