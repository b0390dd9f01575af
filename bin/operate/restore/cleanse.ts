/** Makes a restored table safe to serve: what was revoked or erased since its point must not live again. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { text } from '../../../functions/dynamodb/attributes.ts';
import type { Database } from '../../../functions/dynamodb/client.ts';
import { isAbove, isBelow } from '../../../functions/dynamodb/expressions.ts';
import { updateItem, batchGet, deleteItems } from '../../../functions/dynamodb/items.ts';
import {
  clientKey,
  companyKey,
  factKey,
  forcedFactKey,
  learnerCourseKey,
  SIGNING_KEYS_PARTITION,
  TABLE,
} from '../../../functions/dynamodb/table.ts';
import type { Key } from '../../../functions/dynamodb/table.ts';
import { applyMessage } from '../../../functions/platform/apply-facts.ts';
import type { FactServices } from '../../../functions/platform/facts.ts';
import { NATIVE_VERSION } from '../../../functions/platform/platform-data-store.ts';
import { batchesOf } from '../../../functions/runtime/batching.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

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

/** Asks again for each erasure that the table does not have. @throws Error if a person is not being erased then */
export async function eraseAgain({ erasures }: Ledger, services: FactServices): Promise<void> {
  for (const { company_id, user_id: id, version } of erasures.values()) {
    const fact = { kind: 'user', company_id, id, version, erase: true, force: true };
    const result = await applyMessage({ facts: [fact] }, services);
    const [outcome] = 'results' in result ? result.results : [];
    if (outcome === undefined || outcome.status === 'rejected')
      throw new Error(`The erasure of user ${id} of ${company_id} was rejected.`);
  }
}

/** Whether an erasure of the ledger is not done yet. */
export async function isErasing({ erasures }: Ledger, { stores }: Pick<FactServices, 'stores'>): Promise<boolean> {
  const known = await stores.platform.knownUsers([...erasures.values()].map(userOf));
  return known.some((each) => each?.erasure_id !== undefined && each.erased_at === undefined);
}

const userOf = ({ company_id, user_id = -1 }: LedgerEntry) => ({ company_id, user_id });

/** Before the intake opens: lowers each version that a forced fact has replaced since, so that its absence shows. */
export async function reopenForced({ entries }: Ledger, database: Database): Promise<void> {
  for (const entry of entries.values()) {
    const { kind, company_id, version, forced } = entry;
    const last = forced.at(-1);
    if (last === undefined) continue;
    const ids = [entry.user_id, entry.platform_course_id, entry.client_id, entry.receipt_id].filter(
      (id) => id !== undefined,
    );
    const [marker] = await batchGet(database, [forcedFactKey(company_id, kind, ids, last)], true);
    if (marker !== undefined) continue;
    const [key, attribute] = versionOf(entry);
    await updateItem(database, key, { set: { [attribute]: version - 1 }, when: isAbove(attribute, version - 1) });
  }
}

function versionOf(entry: LedgerEntry): readonly [Key, string] {
  const { kind, company_id, user_id = -1, platform_course_id = -1, client_id = '', receipt_id = '' } = entry;
  if (kind === 'company') return [companyKey(company_id), 'version'];
  if (kind === 'user') return [factKey(company_id, kind, user_id), 'version'];
  if (kind === 'course') return [factKey(company_id, kind, platform_course_id), 'version'];
  if (kind === 'client') return [clientKey(client_id), 'version'];
  if (kind === 'person') return [factKey(company_id, kind, receipt_id), 'version'];
  return [learnerCourseKey(company_id, { user_id, platform_course_id }), NATIVE_VERSION];
}

const READ_AT_ONCE = 1000;

/** The entries whose facts the table lacks. What was deleted since, and does not exist at the point, needs no fact. */
export async function missingFacts({ entries }: Ledger, database: Database): Promise<LedgerEntry[]> {
  const missing: LedgerEntry[] = [];
  for (const batch of batchesOf([...entries.values()], READ_AT_ONCE)) {
    const some = batch.map((entry) => ({ entry, at: versionOf(entry) }));
    const items = await batchGet(
      database,
      some.map(({ at: [key] }) => key),
      true,
    );
    for (const [position, { entry, at }] of some.entries()) {
      const stored = items[position]?.[at[1]];
      const isNeeded = entry.kind === 'person' || !(entry.deleted || entry.erased);
      const isIn = typeof stored === 'number' ? stored >= entry.version : !isNeeded;
      if (!isIn) missing.push(entry);
    }
  }
  return missing;
}

/** Makes licenses of users inactive whose access changed, and removes clients that changed, until the platform's newer fact. Returns how many users. */
export async function shutOut(
  missing: readonly LedgerEntry[],
  { stores: { platform } }: FactServices,
  database: Database,
): Promise<number> {
  for (const { kind, client_id, version } of missing)
    if (kind === 'client' && client_id !== undefined)
      await updateItem(database, clientKey(client_id), { set: { deleted: true }, when: isBelow('version', version) });
  const changed = missing.filter(({ kind, changesAccess }) => kind === 'user' && changesAccess);
  for (const entry of changed) {
    for (let isSaved = false; !isSaved;) {
      const [known] = await platform.knownUsers([userOf(entry)]);
      if (known?.user === undefined || known.version >= entry.version) break;
      const next = { ...known, user: { ...known.user, license: 'inactive' } as const };
      isSaved = (await platform.saveUser(userOf(entry), known, next)) === 'saved';
    }
  }
  return changed.length;
}
