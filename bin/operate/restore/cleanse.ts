/**
 * Makes a table that was restored to an earlier point safe to serve (docs/runbook.md): what was revoked or erased since that point
 * must not live again. Every step may be repeated.
 */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { text } from '../../../functions/dynamodb/attributes.ts';
import { deleteItems } from '../../../functions/dynamodb/batches.ts';
import type { Database } from '../../../functions/dynamodb/client.ts';
import { SIGNING_KEYS_PARTITION, TABLE } from '../../../functions/dynamodb/table.ts';
import type { Key } from '../../../functions/dynamodb/table.ts';
import { applyMessage } from '../../../functions/platform/apply-facts.ts';
import type { FactServices } from '../../../functions/platform/facts.ts';

/** An erasure of the ledger: ids and a version, no name of the person. */
export interface ErasedPerson {
  readonly company_id: string;
  readonly user_id: number;
  readonly version: number;
}

/** Deletes every session and every published key, so that no token of before verifies. Returns how many items it deleted. */
export async function endAllTokens({ client, table }: Pick<Database, 'client' | 'table'>, database: Database) {
  let deleted = 0;
  let after: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: 'begins_with(#pk, :session) OR #pk = :keys',
        ProjectionExpression: '#pk, #sk',
        ExpressionAttributeNames: { '#pk': TABLE.partitionKey, '#sk': TABLE.sortKey },
        ExpressionAttributeValues: { ':session': 'session#', ':keys': SIGNING_KEYS_PARTITION },
        ConsistentRead: true,
        ...(after && { ExclusiveStartKey: after }),
      }),
    );
    const keys = (page.Items ?? []).map((item): Key => ({ pk: text(item, 'pk'), sk: text(item, 'sk') }));
    await deleteItems(database, keys);
    deleted += keys.length;
    after = page.LastEvaluatedKey;
  } while (after !== undefined);
  return deleted;
}

/**
 * Asks for each erasure of the ledger again. Each user is gone at once; the rest follows when the stack runs. An erasure that the
 * table has already stays as it is.
 */
export async function eraseAgain(ledger: readonly ErasedPerson[], services: FactServices): Promise<void> {
  for (const { company_id, user_id: id, version } of ledger) {
    const fact = { kind: 'user', company_id, id, version, erase: true, force: true };
    const result = await applyMessage({ facts: [fact] }, services);
    const [outcome] = 'results' in result ? result.results : [];
    if (outcome === undefined || outcome.status === 'rejected')
      throw new Error(`The erasure of user ${id} of ${company_id} was rejected.`);
  }
}

/** Those of the ledger whose erasure is not done yet. */
export async function stillErasing(
  ledger: readonly ErasedPerson[],
  { stores }: Pick<FactServices, 'stores'>,
): Promise<ErasedPerson[]> {
  const known = await stores.platform.knownUsers(ledger);
  return ledger.filter((_, at) => known[at]?.erasure_id !== undefined && known[at].erased_at === undefined);
}
