import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PATIENT_CLIENT } from '../runtime/faults.ts';
import type { Clock, Waiting } from '../runtime/system.ts';

export type Item = Readonly<Record<string, unknown>>;

export interface Database extends Clock, Waiting {
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly table: string;
}

/**
 * The DynamoDB client of a function. Region, credentials and endpoint come from the SDK's own environment unless given;
 * connections are kept alive.
 */
export function documentClient(options: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({ ...PATIENT_CLIENT, ...options });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
