/** The restore of a stack's table to an earlier point (docs/runbook.md), step by step. Every step may be repeated. */
import type { Database } from '../../../functions/dynamodb/client.ts';
import type { FactServices } from '../../../functions/platform/facts.ts';
import { endAllTokens, eraseAgain, isErasing, missingFacts, reopenForced, shutOut } from './cleanse.ts';
import { type Ledger, ledger, type LedgerEntry } from './ledger.ts';
import type { DeployedStack } from './stack.ts';

export interface Restoring {
  readonly pointMs: number;
  readonly table: string;
  /** Whether the stack uses the new table, with a new signing key. */
  readonly isDeployed: boolean;
  /** Whether to open the API although facts are missing: their users stay shut out. */
  readonly withoutFacts: boolean;
  readonly stack: Omit<DeployedStack, 'table' | 'signingKey'>;
  restoreTable(): Promise<void>;
  readonly database: Database;
  readonly services: FactServices;
  /** Writes the list of what the platform has to send; returns its name. */
  readonly list: (entries: readonly LedgerEntry[]) => string;
  readonly say: (line: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

export type Outcome = 'opened' | 'deploy' | 'facts';

/** Functions and the database have clocks of their own. */
const MARGIN_MS = 60_000;
const LOOK_AGAIN_MS = 10_000;
const MOST_LOOKS = 90;

/** @returns `deploy` while the stack is not deployed on the restored table, `facts` while facts are missing */
export async function restore(restoring: Restoring): Promise<Outcome> {
  const { pointMs, stack, table, database, isDeployed, services, say } = restoring;
  if (!isDeployed) {
    await stack.close();
    say('The stack is closed: the API, the intake and the queues.');
  }
  await restoring.restoreTable();
  say(`The table ${table} is restored, with expiry, recovery, deletion protection and tags.`);
  say(`${await endAllTokens(database, database)} sessions and published keys were deleted.`);
  const since = ledger();
  for await (const line of stack.factLines(pointMs - MARGIN_MS)) since.add(line);
  if (!isDeployed) await reopenForced(since, database);
  await eraseAgain(since, services);
  say(`${since.erasures.size} erasures since then were asked for again.`);
  const lacking = await missingFacts(since, database);
  say(
    `${await shutOut(lacking, services, database)} users whose access changed since then are shut out until their facts are in.`,
  );
  if (!isDeployed) {
    say(`Now write "restored-table": "${table}" and the next number of "signing-key" into the deployment's file, and`);
    say('deploy with --import-existing-resources. Then run this command again: the stack stays closed until then.');
    return 'deploy';
  }
  await stack.openWorkers();
  await erasuresDone(since, restoring);
  await stack.openIntake();
  say('The erasures are done, and the intake is open.');
  if (!(await areFactsIn(since, restoring))) return 'facts';
  await stack.open();
  say('The stack is open.');
  say('Users log in again. Companies run the imports made since then again, with the same keys.');
  return 'opened';
}

async function erasuresDone(since: Ledger, { services, sleep }: Restoring): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (!(await isErasing(since, services))) return;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new Error('The erasures take longer than expected. Look for “The erasure failed” in the log of the processor.');
}

/** Lists what is missing. Those of its users whose access changed are shut out again: an older fact may have come meanwhile. */
async function areFactsIn(since: Ledger, restoring: Restoring): Promise<boolean> {
  const { database, services, withoutFacts, list, say } = restoring;
  const missing = await missingFacts(since, database);
  await shutOut(missing, services, database);
  const count = (wanted: string) => missing.filter(({ kind }) => kind === wanted).length;
  const name = list([...since.erasures.values(), ...missing]);
  say(`${name} lists by id what the platform has to send: the latest fact of each`);
  say(
    `(${count('company')} companies, ${count('user')} users, ${count('course')} courses, ${count('client')} clients, ${count('progress')} progress),`,
  );
  say(
    `the ${since.erasures.size} erasures of users, with the names that it knows, and ${count('person')} of people without an account.`,
  );
  // A log that cannot be read looks like one without facts: a person says that there were none.
  if (since.entries.size === 0 && !withoutFacts) {
    say(
      'The log of the intake names no fact after the point. If that is true, run this command again with --without-facts.',
    );
    return false;
  }
  if (missing.length === 0 || (withoutFacts && count('company') === 0)) return true;
  say(
    'The API stays closed until they are in: then run this command again. With --without-facts it opens before, once the',
  );
  say('companies are in: users whose access changed stay shut out until their facts come.');
  return false;
}
