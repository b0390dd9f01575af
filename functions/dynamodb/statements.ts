import type { BatchStatementError } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { inEachBatch } from './batches.ts';
import type { Database, Item } from './client.ts';
import { translated } from './errors.ts';
import { stamped } from './encoding.ts';
import type { Key } from './table.ts';
import { isTransientName } from '../runtime/faults.ts';

const STATEMENTS_PER_CALL = 25;

/** `duplicate`: an item with this key existed, and was not changed. */
type InsertOutcome = 'done' | 'duplicate';

/**
 * Creates items that do not exist yet, 25 a call, calls in parallel; outcomes in the order given. No two may have the same key.
 * Throttled statements are retried; if they stay throttled, the call throws `TemporarilyUnavailable`.
 */
export async function insertItems(database: Database, items: readonly (Key & Item)[]): Promise<InsertOutcome[]> {
  const outcomes: InsertOutcome[] = [];
  const statements = items.map((item) => insertion(database.table, stamped(item)));
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

function insertion(table: string, item: Item) {
  const attributes = Object.keys(item).map((name) => `'${name}': ?`);
  return { Statement: `INSERT INTO "${table}" VALUE {${attributes.join(', ')}}`, Parameters: Object.values(item) };
}

function outcomeOf(error: BatchStatementError | undefined): InsertOutcome | 'throttled' {
  if (error === undefined) return 'done';
  const { Code: code = 'unknown' } = error;
  if (code === 'DuplicateItem') return 'duplicate';
  if (isTransientName(code)) return 'throttled';
  throw new Error(`The database refused a statement: ${code}.`);
}
