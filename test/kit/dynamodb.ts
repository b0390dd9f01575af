/**
 * A DynamoDB for tests: the embedded engine on a free loopback port, or the server that DYNAMODB_ENDPOINT names.
 * Every suite has a table of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CreateTableCommand, DeleteTableCommand, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { documentClient } from '../../functions/dynamodb/client.ts';
import { TABLE } from '../../functions/dynamodb/table.ts';

const ENGINE = join(import.meta.dirname, '../../node_modules/@dynoxide/linux-x64/dynoxide');
const LOOPBACK = '127.0.0.1';
const START_ATTEMPTS = 3;

export interface TestTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly endpoint: string;
}

/** Starts the database before the tests of a file and stops it after them, whatever happened in between. */
export function useDynamoDb(): () => TestTable {
  let engine: ChildProcess | undefined;
  let table: TestTable | undefined;
  beforeAll(async () => {
    const started = await startEngine();
    engine = started.engine;
    table = await createTable(started.endpoint);
  });
  afterAll(async () => {
    await table?.client.send(new DeleteTableCommand({ TableName: table.table })).catch(() => undefined);
    table?.client.destroy();
    await stopEngine(engine);
  });
  return () => {
    if (table === undefined) throw new Error('the database has not started');
    return table;
  };
}

/** A client of the test database, which tests may fit with middleware of their own. */
export function testClient(endpoint: string, options: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return documentClient({ endpoint, region: 'eu-west-1', credentials, ...options });
}

async function startEngine(): Promise<{ endpoint: string; engine?: ChildProcess }> {
  const given = process.env['DYNAMODB_ENDPOINT'];
  if (given !== undefined) return { endpoint: given };
  if (!existsSync(ENGINE)) {
    throw new Error(
      'the embedded DynamoDB runs on linux-x64 only: set DYNAMODB_ENDPOINT, for example to DynamoDB Local',
    );
  }
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const engine = spawnEngine(port);
    if (await reachable(port, engine)) return { endpoint: `http://${LOOPBACK}:${port}`, engine };
    if (attempt === START_ATTEMPTS) throw new Error('the embedded DynamoDB does not start');
  }
}

function spawnEngine(port: number): ChildProcess {
  const engine = spawn(ENGINE, ['--host', LOOPBACK, '--port', String(port)], { stdio: 'ignore' });
  const stopWithUs = () => engine.kill('SIGKILL');
  process.once('exit', stopWithUs);
  engine.once('exit', () => process.off('exit', stopWithUs));
  return engine;
}

async function stopEngine(engine: ChildProcess | undefined): Promise<void> {
  if (engine === undefined || engine.exitCode !== null) return;
  const ended = new Promise((resolve) => engine.once('exit', resolve));
  engine.kill('SIGKILL');
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** False where the engine ended, for one because somebody else took the port first. */
async function reachable(port: number, engine: ChildProcess): Promise<boolean> {
  while (engine.exitCode === null) {
    if (await accepts(port)) return engine.exitCode === null;
    await setTimeout(10);
  }
  return false;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}

async function createTable(endpoint: string): Promise<TestTable> {
  const client = testClient(endpoint);
  const table = `test-${randomBytes(8).toString('hex')}`;
  const { importsByCompany, openImports } = TABLE;
  const indexes = [importsByCompany, openImports];
  const keys = [TABLE, ...indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      KeySchema: keySchema(TABLE),
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: 'KEYS_ONLY' as const },
      })),
    }),
  );
  return { client, table, endpoint };
}

function keySchema({ partitionKey, sortKey }: { readonly partitionKey: string; readonly sortKey: string }) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
