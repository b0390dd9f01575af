import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  type TimeToLiveSpecification,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { clientSettings } from './endpoints.ts';
import { StartupFault } from './lifecycle.ts';
import {
  ACCOUNT,
  type PhysicalResources,
  type Properties,
  REGION,
  type Template,
  resourcesOfType,
} from './template.ts';

const WAIT_SECONDS = 60;

/**
 * Creates the template's tables with their indexes, unless they exist.
 *
 * @returns their names
 * @throws StartupFault if the database does not respond
 */
export async function createTables(
  template: Template,
  resources: PhysicalResources,
  endpoint: string,
): Promise<string[]> {
  const client = new DynamoDBClient({ ...clientSettings(endpoint), maxAttempts: 3 });
  const tables = resourcesOfType(template, 'AWS::DynamoDB::GlobalTable');
  const names = tables.map(([id]) => `course-progress-migration-${id}`);
  try {
    for (const [position, [id, properties]] of tables.entries()) {
      const name = names[position] as string;
      await createTable(client, name, properties);
      resources.set(id, { ref: name, attributes: { Arn: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}` } });
    }
  } catch (error) {
    throw new StartupFault(
      `the database at ${endpoint} cannot be used (${error instanceof Error ? error.name : 'no response'}): check DYNAMODB_ENDPOINT`,
    );
  } finally {
    client.destroy();
  }
  return names;
}

async function createTable(client: DynamoDBClient, TableName: string, properties: Properties): Promise<void> {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } =
    properties as unknown as CreateTableCommandInput;
  const definition = {
    KeySchema,
    AttributeDefinitions,
    BillingMode,
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
  };
  try {
    await client.send(new CreateTableCommand({ TableName, ...definition }));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1 }, { TableName });
  const expiry = properties['TimeToLiveSpecification'] as TimeToLiveSpecification | undefined;
  if (expiry) await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: expiry }));
}
