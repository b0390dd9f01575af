/**
 * A DynamoDB for tests: the embedded engine, or the server that DYNAMODB_ENDPOINT names. Every suite has a table of its
 * own, as the template declares it. Costs a second a suite.
 */
import { randomBytes } from 'node:crypto';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { type Engine, startEngine } from '../../bin/local/engine.ts';
import { resourcesOfType } from '../../bin/local/template.ts';
import { documentClient } from '../../functions/dynamodb/client.ts';
import { templateOf } from './template.ts';

export interface TestTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly endpoint: string;
}

export function useDynamoDb(): () => TestTable {
  let engine: Engine | undefined;
  let table: TestTable | undefined;
  beforeAll(async () => {
    const given = process.env['DYNAMODB_ENDPOINT'];
    engine = given === undefined ? await startEngine() : undefined;
    table = await createTable(engine?.endpoint ?? given ?? '');
  });
  afterAll(async () => {
    await table?.client.send(new DeleteTableCommand({ TableName: table.table })).catch(() => undefined);
    table?.client.destroy();
    await engine?.stop();
  });
  return () => {
    if (table === undefined) throw new Error('the database has not started');
    return table;
  };
}

export function testClient(endpoint: string, options: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return documentClient({ endpoint, region: 'eu-west-1', credentials, ...options });
}

async function createTable(endpoint: string): Promise<TestTable> {
  const client = testClient(endpoint);
  const table = `test-${randomBytes(8).toString('hex')}`;
  const template = templateOf({ company: 'acme', stage: 'sandbox' });
  const [[, declared] = ['', {}]] = resourcesOfType(template, 'AWS::DynamoDB::GlobalTable');
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } =
    declared as Partial<CreateTableCommandInput>;
  const input = { TableName: table, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode };
  await client.send(new CreateTableCommand(input));
  return { client, table, endpoint };
}
