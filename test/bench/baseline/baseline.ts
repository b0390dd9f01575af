/**
 * The same service as most would first write it, to compare with: one message and one result item a record, single-item
 * reads and writes, a counter. It applies the very same record rules, and its happy path is complete. It is no straw man, but
 * it has the usual holes: a redelivered message counts twice, and two imports at once may lose a contribution.
 */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { createHash } from 'node:crypto';
import { companyKey, userKey } from '../../../functions/dynamodb/table.ts';
import type { Answer, Cloud, Design } from '../design.ts';
import { ADMIN, COMPANY_ID } from '../workload.ts';
import { importKey, kindOfKey, get, put, putIfAbsent } from './single-items.ts';
import { processRecord, type RecordMessage } from './process-record.ts';

const NOW = '2026-01-02T03:04:05.678Z';
const MESSAGES_PER_SEND = 10;
const SESSION = { pk: 'session#bench', sk: 'session' };

interface ImportItem {
  readonly import_id: string;
  readonly status: string;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
}

export async function baseline(cloud: Cloud): Promise<Design> {
  await put(cloud, { ...SESSION, user_id: ADMIN.user_id });
  return {
    name: 'plain baseline',
    batchSize: 10,
    startImport: (body, key) => startImport(cloud, body as { records: readonly unknown[] }, key),
    process: (event) => processRecords(cloud, event),
    getImport: (import_id) => getImport(cloud, import_id),
    kindOfKey,
  };
}

async function authorise(cloud: Cloud): Promise<void> {
  await get(cloud, SESSION, true);
  await get(cloud, userKey(COMPANY_ID, ADMIN.email), true);
  await get(cloud, companyKey(COMPANY_ID), true);
}

async function startImport(cloud: Cloud, { records }: { records: readonly unknown[] }, key: string): Promise<Answer> {
  await authorise(cloud);
  const import_id = createHash('sha256').update(key).digest('hex').slice(0, 26);
  const total = records.length;
  const item: ImportItem = { import_id, status: 'processing', total, succeeded: 0, failed: 0 };
  await putIfAbsent(cloud, { ...importKey(COMPANY_ID, import_id), ...item, created_at: NOW });
  const messages = records.map((record, index): RecordMessage => ({
    company_id: COMPANY_ID,
    import_id,
    imported_at: NOW,
    total,
    index,
    record,
  }));
  for (let from = 0; from < messages.length; from += MESSAGES_PER_SEND) {
    const Entries = messages
      .slice(from, from + MESSAGES_PER_SEND)
      .map((message) => ({ Id: String(message.index), MessageBody: JSON.stringify(message) }));
    await cloud.sqs.send(new SendMessageBatchCommand({ QueueUrl: cloud.queueUrl, Entries }));
  }
  return answer(202, resourceOf(item, []));
}

async function processRecords(cloud: Cloud, event: SQSEvent) {
  for (const { body } of event.Records) await processRecord(cloud, JSON.parse(body) as RecordMessage);
  return { batchItemFailures: [] };
}

async function getImport(cloud: Cloud, import_id: string): Promise<Answer> {
  await authorise(cloud);
  const item = await get<ImportItem>(cloud, importKey(COMPANY_ID, import_id), true);
  if (item === undefined) return answer(404, {});
  return answer(200, resourceOf(item, item.status === 'processing' ? [] : await resultsOf(cloud, import_id)));
}

async function resultsOf({ client, table }: Cloud, import_id: string): Promise<unknown[]> {
  const results: unknown[] = [];
  let position: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :result)',
        ExpressionAttributeValues: { ':pk': importKey(COMPANY_ID, import_id).pk, ':result': 'result#' },
        ...(position && { ExclusiveStartKey: position }),
      }),
    );
    results.push(...(page.Items ?? []).map((item) => item['result']));
    position = page.LastEvaluatedKey;
  } while (position !== undefined);
  return results;
}

function resourceOf({ import_id, status, total, succeeded, failed }: ImportItem, records: readonly unknown[]) {
  return { import_id, status, counts: { total, processed: succeeded + failed, succeeded, failed }, records };
}

function answer(status: number, body: unknown): Answer {
  return { status, body, bytes: Buffer.byteLength(JSON.stringify(body)) };
}
