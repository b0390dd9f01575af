/** The restore of a stack's table to an earlier point (docs/runbook.md), step by step. Every step may be repeated. */
import type { Database } from '../../../functions/dynamodb/client.ts';
import type { FactServices } from '../../../functions/platform/facts.ts';
import { endAllTokens, eraseAgain, stillErasing } from './cleanse.ts';
import type { ErasedPerson } from './cleanse.ts';

/** What is noted when a restore starts, so that the same command resumes it. */
export interface Started {
  /** `latest`, or the point to restore to, as an ISO 8601 date. */
  readonly to: string;
  readonly startedAtMs: number;
  readonly formerTable: string;
  readonly formerKey: string;
}

export interface Restoring {
  readonly started: Started;
  /** Name of the new table. */
  readonly table: string;
  readonly stack: {
    readonly table: string;
    readonly signingKey: string;
    close(): Promise<void>;
    openWorkers(): Promise<void>;
    open(): Promise<void>;
    ledger(sinceMs: number): Promise<readonly ErasedPerson[]>;
  };
  restoreTable(): Promise<void>;
  /** On the restored table. */
  readonly database: Database;
  readonly services: FactServices;
  readonly say: (line: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The latest restorable point is some minutes ago; lines of a log may arrive late. */
const MARGIN_MS = 15 * 60_000;
const LOOK_AGAIN_MS = 10_000;
const MOST_LOOKS = 90;

/**
 * Closes the stack, restores, ends all tokens and erases again who was erased since, and opens the stack once it is deployed on
 * the restored table with a new signing key. Returns `deploy` while it is not: the stack stays closed.
 */
export async function restore(restoring: Restoring): Promise<'opened' | 'deploy'> {
  const { started, stack, table, database, services, say } = restoring;
  const isDeployed = stack.table === table && stack.signingKey !== started.formerKey;
  if (!isDeployed) {
    await stack.close();
    say('The stack is closed: the API, the intake and the queues.');
  }
  await restoring.restoreTable();
  say(`The table ${table} is restored to ${started.to}, with expiry, recovery and deletion protection.`);
  say(`${await endAllTokens(database, database)} sessions and published keys were deleted.`);
  const restoredToMs = started.to === 'latest' ? started.startedAtMs : Date.parse(started.to);
  const ledger = await stack.ledger(restoredToMs - MARGIN_MS);
  await eraseAgain(ledger, services);
  say(`${ledger.length} erasures since then were asked for again.`);
  if (!isDeployed) {
    say(`Now write "table": "${table}" and the next number of "signing-key" into the deployment's file, and deploy.`);
    say('Then run this command again: the stack stays closed until then.');
    return 'deploy';
  }
  await stack.openWorkers();
  await erasuresDone(ledger, restoring);
  await stack.open();
  say('The erasures are done, and the stack is open.');
  say(`The platform sends every fact since ${started.to} again, and every erasure with the names that it knows.`);
  say('Users log in again. Companies run the imports made since then again, with the same keys.');
  return 'opened';
}

async function erasuresDone(ledger: readonly ErasedPerson[], { services, sleep }: Restoring): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if ((await stillErasing(ledger, services)).length === 0) return;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new Error('The erasures take longer than expected. Look for “The erasure failed” in the log of the processor.');
}
