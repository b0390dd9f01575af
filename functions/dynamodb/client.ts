import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** An item as the document client gives and takes it. */
export type Item = Readonly<Record<string, unknown>>;

/** The table, and what a retry needs: everything the store reaches the outside with. */
export interface Database {
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly table: string;
  readonly sleep: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly nowMs: () => number;
}

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
