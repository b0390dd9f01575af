import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Database } from './database.ts';

/**
 * The DynamoDB client of a function. Region, credentials and endpoint come from the SDK's own environment unless given;
 * connections are kept alive. Time-outs are short, so that a call that hangs is repeated while the invocation still runs.
 */
export function documentClient(options: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
    ...options,
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** Clock, randomness and waiting of the machine the store runs on; tests give their own. */
export const THIS_MACHINE: Pick<Database, 'sleep' | 'random' | 'nowMs'> = {
  sleep: (ms) => setTimeout(ms),
  random: () => Math.random(),
  nowMs: () => Date.now(),
};
