#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=65536 node --max-semi-space-size=4 --heap-growing-percent=30
import { inWords } from './advice.ts';
import { EXIT, isUsage, UsageError } from './errors.ts';
import { runProgram } from './program.ts';
import { endWhereStuck } from './stuck.ts';
import { Interrupted, ownCommand } from './terminal.ts';
import { NotAuthenticated, ServiceError, ServiceUnreachable } from '../client/index.ts';
import { shownLines } from '../engine/ground/text.ts';

/** They read files of strangers. The others start faster without a second thread. */
const READERS: readonly (string | undefined)[] = ['init-mapping', 'import', 'mcp'];
const STUCK =
  'The file gave this command more work than it can end. Export it again as CSV, with the columns that matter.';

process.once('SIGINT', () => {
  process.stderr.write('\n');
  process.exit(report(new Interrupted('Interrupted. Accepted records are safe; run the same command to resume.')));
});
// `courses | head` closes the pipe once it has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.allApplied : EXIT.service),
);
const line = process.argv.slice(2);
if (READERS.includes(line[0])) endWhereStuck(() => ended(report(new UsageError(STUCK))));
// Not awaited here: Node would warn of it where a step is interrupted.
runProgram(line).then(ended, (error: unknown) => ended(report(error)));

function ended(code: number): void {
  process.exitCode = code;
}

/** Returns the exit code. */
function report(error: unknown): number {
  const message = messageOf(error);
  const exit_code = exitCodeOf(error);
  process.stderr.write(`${shownLines(message)}\n`);
  if (line.includes('--json')) process.stdout.write(`${shownLines(JSON.stringify({ error: message, exit_code }))}\n`);
  return exit_code;
}

function exitCodeOf(error: unknown): number {
  if (isUsage(error)) return EXIT.usage;
  return error instanceof Interrupted ? EXIT.interrupted : EXIT.service;
}

function messageOf(error: unknown): string {
  if (isUsage(error) || error instanceof Interrupted) return inWords(error);
  if (error instanceof NotAuthenticated)
    return `${error.message}. Run "${ownCommand('login')}", then the same command again.`;
  if (error instanceof ServiceUnreachable)
    return `${error.message}. Run the same command again when it can; an import resumes.`;
  if (error instanceof ServiceError) {
    const id = error.request_id === undefined ? '' : ` (request ${error.request_id})`;
    return `The service responded with ${error.status}: ${error.message}${id}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
