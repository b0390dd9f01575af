/** The baseline's processor: one record a message, each item read and written by itself. */
import { createHash } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unpackCourse, unpackUser } from '../../../functions/catalog/directory-store.ts';
import { courseKey, userKey } from '../../../functions/dynamodb/table.ts';
import { parseRecord, type ParsedRecord } from '../../../functions/records/parse.ts';
import { historyBefore, planRecord } from '../../../functions/records/plan.ts';
import { type References, referencesOf, resolveRecord } from '../../../functions/records/resolve.ts';
import { conflictResult } from '../../../functions/records/result.ts';
import type { LearnerCourse, RecordResult, RecordWrite } from '../../../functions/shared/model.ts';
import type { Cloud } from '../design.ts';
import {
  identityKey,
  importKey,
  learnerCourseOf,
  type ProgressItem,
  progressKey,
  resultKey,
  get,
  put,
  putIfAbsent,
} from './single-items.ts';

export interface RecordMessage {
  readonly company_id: string;
  readonly import_id: string;
  readonly imported_at: string;
  readonly total: number;
  readonly index: number;
  readonly record: unknown;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function processRecord(cloud: Cloud, message: RecordMessage): Promise<void> {
  const { company_id, import_id, imported_at, index, record } = message;
  const parsed = parseRecord(record, index);
  const resolution = resolveRecord(parsed, await readReferences(cloud, company_id, parsed));
  const { user, course } = resolution;
  const pair = user && course && { user_id: user.user_id, platform_course_id: course.platform_course_id };
  const stored = pair && (await get<ProgressItem>(cloud, progressKey(company_id, pair), true));
  const context = { import_id, imported_at, hash: sha256 };
  const learnerCourse = pair && learnerCourseOf(pair, stored);
  const { result, write } = planRecord(parsed, resolution, historyBefore(import_id, learnerCourse), context);
  const final = write === undefined ? result : await apply(cloud, company_id, write, result, stored);
  await put(cloud, { ...resultKey(company_id, import_id, index), record, result: final });
  await countRecord(cloud, message, final);
  const { status } = final;
  console.log(JSON.stringify({ level: 'INFO', message: 'record processed', company_id, import_id, index, status }));
}

async function readReferences(cloud: Cloud, company_id: string, parsed: ParsedRecord): Promise<References> {
  const { email, platform_course_id } = referencesOf(parsed);
  const user = email === undefined ? undefined : await get<Record<string, unknown>>(cloud, userKey(company_id, email));
  const course =
    platform_course_id === undefined
      ? undefined
      : await get<Record<string, unknown>>(cloud, courseKey(company_id, platform_course_id));
  return {
    user: () => user && unpackUser(user),
    course: () => course && unpackCourse(course),
    userMapping: () => undefined,
    courseMapping: () => undefined,
  };
}

async function apply(
  cloud: Cloud,
  company_id: string,
  { user_id, platform_course_id, contribution }: RecordWrite,
  result: RecordResult,
  stored: ProgressItem | undefined,
): Promise<RecordResult> {
  const pair = { user_id, platform_course_id };
  const identity = identityKey(company_id, contribution.external_record_id);
  if (!(await putIfAbsent(cloud, { ...identity, ...pair }))) {
    const heldBy = await get<LearnerCourse>(cloud, identity, true);
    if (heldBy?.user_id !== user_id || heldBy.platform_course_id !== platform_course_id)
      return conflictResult(result, heldBy ?? pair);
  }
  const contributions = [...(stored?.contributions ?? []), contribution];
  await put(cloud, { ...progressKey(company_id, pair), ...stored, contributions });
  return result;
}

/** The counter that everybody writes; whoever brings it to the total ends the import. */
async function countRecord(
  { client, table }: Cloud,
  { company_id, import_id, total }: RecordMessage,
  { status }: RecordResult,
): Promise<void> {
  const Key = importKey(company_id, import_id);
  const counter = status === 'success' ? 'succeeded' : 'failed';
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName: table,
      Key,
      UpdateExpression: 'ADD #counter :one, #processed :one',
      ExpressionAttributeNames: { '#counter': counter, '#processed': 'processed' },
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'ALL_NEW',
    }),
  );
  if (Attributes?.['processed'] !== total) return;
  const { succeeded = 0, failed = 0 } = Attributes;
  const mixed = failed === 0 ? 'success' : 'partial_success';
  const outcome = succeeded === 0 ? 'error' : mixed;
  await client.send(
    new UpdateCommand({
      TableName: table,
      Key,
      UpdateExpression: 'SET #status = :outcome',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':outcome': outcome },
    }),
  );
}
