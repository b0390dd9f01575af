import type { BatchStatementError } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import type { Database, Item } from './client.ts';
import { isItemTooLarge, translated, inEachBatch } from './items.ts';
import { stamped } from './encoding.ts';
import { statementOf, type Condition } from './expressions.ts';
import type { Key } from './table.ts';
import { isTransientName } from '../runtime/faults.ts';

const STATEMENTS_PER_CALL = 25;

/** An INSERT if there is no item with its key; an UPDATE of one that exists, or a DELETE, if it meets the condition. */
export type ItemWrite =
  | { readonly insert: Key & Item }
  | { readonly update: Key; readonly set: Item; readonly when: Condition }
  | { readonly update: Key; readonly remove: string }
  | { readonly delete: Key; readonly when: Condition };

/** `refused`: the item existed, did not exist, did not meet the condition or would be too large; it was not changed. */
type WriteOutcome = 'done' | 'refused';

/** Writes items by PartiQL, 25 a call; outcomes in order. No two of the same key. Throws `TemporarilyUnavailable`. */
export async function writeItems(database: Database, writes: readonly ItemWrite[]): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = [];
  const statements = writes.map((write) => statement(database.table, write));
  await inEachBatch(database, [...statements.entries()], STATEMENTS_PER_CALL, async (open) => {
    const Statements = open.map(([, each]) => each);
    const { Responses = [] } = await translated(database.client.send(new BatchExecuteStatementCommand({ Statements })));
    return open.filter(([index], position) => {
      const outcome = outcomeOf(Responses[position]?.Error);
      if (outcome !== 'throttled') outcomes[index] = outcome;
      return outcome === 'throttled';
    });
  });
  return outcomes;
}

function statement(table: string, write: ItemWrite) {
  if ('delete' in write) return statementOf(table, write.delete, 'delete', write.when);
  if ('remove' in write) return statementOf(table, write.update, { remove: write.remove });
  if ('update' in write) return statementOf(table, write.update, { set: write.set }, write.when);
  const item = stamped(write.insert);
  const attributes = Object.keys(item).map((name) => `'${name}': ?`);
  return { Statement: `INSERT INTO "${table}" VALUE {${attributes.join(', ')}}`, Parameters: Object.values(item) };
}

function outcomeOf(error: BatchStatementError | undefined): WriteOutcome | 'throttled' {
  if (error === undefined) return 'done';
  const { Code: code = 'unknown', Message: message } = error;
  if (code === 'DuplicateItem' || code === 'ConditionalCheckFailed' || isItemTooLarge(message)) return 'refused';
  if (isTransientName(code)) return 'throttled';
  throw new Error(`The database refused a statement: ${code}.`);
}
