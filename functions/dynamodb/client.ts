/** The table of a function: its client, and the services that its handler composes on it. */
import * as ENV from '../runtime/variables.ts';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PATIENT_CLIENT } from '../runtime/faults.ts';
import { type Clock, type Waiting, systemClock, systemWaiting } from '../runtime/system.ts';
import { keptWithin } from './tenancy.ts';

/** An item, or a part of one, as the document client returns it. `attributes.ts` reads it with types. */
export type Item = Readonly<Record<string, unknown>>;

/** All that a store takes: the client with its limits, the name of the table, the clock and the waiting. */
export interface Database extends Clock, Waiting {
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly table: string;
}

/** Region, credentials and endpoint come from the SDK's own environment unless given; connections are kept alive. */
export function documentClient(options: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({ ...PATIENT_CLIENT, ...options });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** Every method of a store throws `TemporarilyUnavailable` when the database throttles, times out or is down. */
export function databaseOn(options: Pick<Database, 'client' | 'table'> & Partial<Database>): Database {
  return { ...systemClock, ...systemWaiting, ...options, client: keptWithin(options.client) };
}

/** One for all stores of a function, so that they share its connection. */
let database: Database | undefined;

const deployedDatabase = (): Database =>
  (database ??= databaseOn({ client: documentClient(), table: ENV.variable(process.env, ENV.table) }));

/** Builds services on their first use. A handler names those that it uses, so that no bundle carries others. */
export function deployed<Services>(
  build: (database: Database, environment: ENV.Environment) => Services,
): () => Services {
  let services: Services | undefined;
  return () => (services ??= build(deployedDatabase(), process.env));
}

/** Longest wait for a connection while the function starts; the first call then opens it. */
const CONNECTING_MS = 1_000;

/** Opens the connection while Lambda starts the function, by a `read` that finds nothing: one unit a cold start. */
export async function connected(read: (database: Database) => Promise<unknown>): Promise<void> {
  if (process.env[ENV.initializationType] === undefined) return;
  const attempt = async () => read(deployedDatabase());
  await Promise.race([attempt().catch(() => undefined), systemWaiting.sleep(CONNECTING_MS)]);
}
