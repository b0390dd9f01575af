import { NotAuthenticated, ServiceError, ServiceUnreachable } from '../client/index.ts';
import { EXIT, UsageFault } from './faults.ts';
import { runProgram } from './program.ts';
import { Interrupted } from './prompts.ts';

/** Runs the command and answers its exit code; whatever goes wrong is one message on stderr. */
export async function main(argv: readonly string[]): Promise<number> {
  process.once('SIGINT', () => {
    process.stderr.write('\nStopped. What was accepted stays accepted: run the same command again to go on.\n');
    process.exit(EXIT.interrupted);
  });
  // `catalog | head` has read all it wanted.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.allApplied : EXIT.service),
  );
  try {
    return await runProgram(argv);
  } catch (error) {
    process.stderr.write(`${told(error)}\n`);
    return exitCode(error);
  }
}

function exitCode(error: unknown): number {
  if (error instanceof UsageFault) return EXIT.usage;
  return error instanceof Interrupted ? EXIT.interrupted : EXIT.service;
}

const LOG_IN = 'run "course-progress-migration login", then the same command again.';

function told(error: unknown): string {
  if (error instanceof UsageFault || error instanceof Interrupted) return error.message;
  if (error instanceof NotAuthenticated) return `${error.message}: ${LOG_IN}`;
  if (error instanceof ServiceUnreachable) return `${error.message}. Run the same command again to go on.`;
  if (error instanceof ServiceError) {
    const id = error.request_id === undefined ? '' : ` (request ${error.request_id})`;
    return `The service answered ${error.status}: ${error.message}${id}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
