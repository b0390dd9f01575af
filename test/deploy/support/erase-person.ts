/** Erases a learner of the sample from a local stack. Takes a minute or two: earlier invocations have to end first. */
import { setTimeout as pause } from 'node:timers/promises';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LocalStack } from '../../../bin/local/stack.ts';
import { INDEX, sessionKey, sessionsOfUserPartition } from '../../../functions/dynamodb/table.ts';
import { functionOf } from './clone-import.ts';

const COMPANY = 'acme';
const ASKED_EVERY_MS = 500;

interface FactResults {
  readonly results: readonly { readonly status: string; readonly erased_at?: string | null }[];
}

/** The learner must have logged in once, and have a mapping and progress. */
export async function erasePerson(stack: LocalStack, client: DynamoDBDocumentClient, id: number): Promise<void> {
  const { partitionKey, sortKey } = INDEX.importsByCompany;
  const entry = { [partitionKey]: sessionsOfUserPartition(COMPANY, id), [sortKey]: 'learner' };
  await client.send(new PutCommand({ TableName: stack.tableName, Item: { ...sessionKey('learner'), ...entry } }));
  const fact = { kind: 'user', version: Date.now(), company_id: COMPANY, id, erase: true };
  const sendFact = async () =>
    ((await functionOf(stack, 'Intake').attempt({ facts: [fact] })) as FactResults).results[0];
  const first = await sendFact();
  if (first?.status !== 'applied') throw new Error(`The person was not erased: ${JSON.stringify(first)}`);
  await functionOf(stack, 'Watchdog').attempt({});
  while (typeof (await sendFact())?.erased_at !== 'string') await pause(ASKED_EVERY_MS);
}
