import {
  CreateTableCommand,
  DeleteTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
  type TimeToLiveSpecification,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { ClientSettings } from './endpoints.ts';
import { tableArn, type PhysicalResources, type Properties, resourcesOfType } from './template.ts';
import { StartupFault } from './lifecycle.ts';

const WAIT_SECONDS = 60;

/** Creates the tables with their indexes, unless they exist; `reset` deletes them first. @throws StartupFault if the database does not respond */
export async function createTables(
  resources: PhysicalResources,
  settings: ClientSettings,
  reset = false,
): Promise<string[]> {
  const client = new DynamoDBClient({ ...settings, maxAttempts: 3 });
  const tables = resourcesOfType(resources.template, 'AWS::DynamoDB::GlobalTable').map(
    ([id, properties]) => [id, `course-progress-migration-${id}`, properties] as const,
  );
  try {
    for (const [id, name, properties] of tables) {
      if (reset) await deleteTable(client, name);
      await createTable(client, name, properties);
      resources.set(id, { ref: name, attributes: { Arn: tableArn(name) } });
    }
  } catch (error) {
    throw new StartupFault(
      `the database at ${process.env['DYNAMODB_ENDPOINT'] ?? settings.endpoint} cannot be used (${error instanceof Error ? error.name : 'no response'}): check DYNAMODB_ENDPOINT`,
    );
  } finally {
    client.destroy();
  }
  return tables.map(([, name]) => name);
}

async function deleteTable(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName }));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return;
    throw error;
  }
  await waitUntilTableNotExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1 }, { TableName });
}

async function createTable(client: DynamoDBClient, TableName: string, properties: Properties): Promise<void> {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } =
    properties as unknown as CreateTableCommandInput;
  const input = { TableName, KeySchema, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes };
  try {
    await client.send(new CreateTableCommand(input));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1 }, { TableName });
  const expiry = properties['TimeToLiveSpecification'] as TimeToLiveSpecification | undefined;
  if (expiry) await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: expiry }));
}
