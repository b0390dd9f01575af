import type { BatchStatementError } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { inEachBatch } from './batches.ts';
import type { Database } from './client.ts';
import { isItemTooLarge, translated } from './errors.ts';
import { isTransientName } from '../runtime/faults.ts';

const STATEMENTS_PER_CALL = 25;

export interface Statement {
  readonly Statement: string;
  readonly Parameters: unknown[];
}

/** `duplicate`: an INSERT met an item. `missing`: an UPDATE met none. `too_large`: the item would outgrow 400 KB. */
export type StatementOutcome = 'done' | 'duplicate' | 'missing' | 'too_large';

/**
 * Runs conditional single-item writes, 25 a call, calls in parallel; outcomes in the order given. No two statements may
 * name the same item. What is throttled is tried again; what stays throttled throws `TemporarilyUnavailable`.
 */
export async function runStatements(database: Database, statements: readonly Statement[]): Promise<StatementOutcome[]> {
  const outcomes: StatementOutcome[] = [];
  await inEachBatch(database, [...statements.entries()], STATEMENTS_PER_CALL, async (open) => {
    const Statements = open.map(([, statement]) => statement);
    const { Responses = [] } = await translated(database.client.send(new BatchExecuteStatementCommand({ Statements })));
    return open.filter(([index], position) => {
      const outcome = outcomeOf(Responses[position]?.Error);
      if (outcome !== 'throttled') outcomes[index] = outcome;
      return outcome === 'throttled';
    });
  });
  return outcomes;
}

function outcomeOf(error: BatchStatementError | undefined): StatementOutcome | 'throttled' {
  if (error === undefined) return 'done';
  const { Code: code = 'unknown', Message: message } = error;
  if (code === 'DuplicateItem') return 'duplicate';
  if (code === 'ConditionalCheckFailed') return 'missing';
  if (isTransientName(code)) return 'throttled';
  if (code === 'ValidationError' && isItemTooLarge(message)) return 'too_large';
  throw new Error(`The database refused a statement: ${code}.`);
}
