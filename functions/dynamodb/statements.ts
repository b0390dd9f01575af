import type { BatchStatementError } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { pauseBeforeRetry } from './batches.ts';
import type { Database } from './client.ts';
import { isItemTooLarge, translated } from './errors.ts';
import { batchesOf, inParallel } from '../runtime/parallel.ts';
import type { Deadline } from '../runtime/system.ts';

const STATEMENTS_PER_CALL = 25;
const PARALLEL_CALLS = 8;

export interface Statement {
  readonly Statement: string;
  readonly Parameters: unknown[];
}

/** `duplicate`: an INSERT met an item. `missing`: an UPDATE met none. `too_large`: the item would outgrow 400 KB. */
export type StatementOutcome = 'done' | 'duplicate' | 'missing' | 'too_large';

const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  'InternalServerError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingError',
  'TransactionConflict',
]);

/**
 * Runs conditional single-item writes, 25 a call, calls in parallel; outcomes in the order given. No two statements may
 * name the same item. What is throttled is tried again while the deadline allows, then `TemporarilyUnavailable`.
 */
export async function runStatements(
  database: Database,
  statements: readonly Statement[],
  deadline: Deadline,
): Promise<StatementOutcome[]> {
  const batches = batchesOf(statements, STATEMENTS_PER_CALL);
  return (await inParallel(batches, PARALLEL_CALLS, (batch) => runBatch(database, batch, deadline))).flat();
}

async function runBatch(
  database: Database,
  statements: readonly Statement[],
  deadline: Deadline,
): Promise<StatementOutcome[]> {
  const outcomes: StatementOutcome[] = [];
  let open = [...statements.entries()];
  for (let attempt = 1; ; attempt += 1) {
    const Statements = open.map(([, statement]) => statement);
    const { Responses = [] } = await translated(database.client.send(new BatchExecuteStatementCommand({ Statements })));
    const throttled: typeof open = [];
    for (const [answer, entry] of open.entries()) {
      const outcome = outcomeOf(Responses[answer]?.Error);
      if (outcome === 'throttled') throttled.push(entry);
      else outcomes[entry[0]] = outcome;
    }
    if (throttled.length === 0) return outcomes;
    open = throttled;
    await pauseBeforeRetry(database, attempt, deadline.remainingMs());
  }
}

function outcomeOf(error: BatchStatementError | undefined): StatementOutcome | 'throttled' {
  if (error === undefined) return 'done';
  const { Code: code = 'unknown', Message: message } = error;
  if (code === 'DuplicateItem') return 'duplicate';
  if (code === 'ConditionalCheckFailed') return 'missing';
  if (TRANSIENT_CODES.has(code)) return 'throttled';
  if (code === 'ValidationError' && isItemTooLarge(message)) return 'too_large';
  throw new Error(`the database refused a statement: ${code}`);
}
