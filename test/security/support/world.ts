/** The whole service in this process: the deployed handlers and the real store on a table in memory, a clock that stands still. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyStructuredResultV2, Context, SQSEvent } from 'aws-lambda';
import { scryptPasswords } from '../../../functions/auth/passwords.ts';
import { tokenVerifier } from '../../../functions/auth/verify-token.ts';
import { processChunks } from '../../../functions/handlers/process-chunk.ts';
import type { ApiHandler } from '../../../functions/http/handler.ts';
import type { ChunkMessage } from '../../../functions/imports/chunk-queue.ts';
import { loadData } from '../../../functions/platform/load-data.ts';
import { secureRandom } from '../../../functions/runtime/system.ts';
import type { Services } from '../../../functions/services/services.ts';
import { dynamoStores } from '../../../functions/services/services.ts';
import { ROUTES, type Route } from '../../../lib/routes.ts';
import { execute } from '../../kit/memory-table/commands.ts';
import { MemoryTable } from '../../kit/memory-table/memory-table.ts';
import { localSigner } from '../../kit/local-signer.ts';
import { recordingTelemetry } from '../../kit/recording-telemetry.ts';
import { useServices } from './current-services.ts';
import { platformData } from './data.ts';
import type { Answered, Sent, Target } from './target.ts';
import { TenantGuard } from './tenant-guard.ts';

const PARTIES = { issuer: 'urn:security:issuer', audience: 'urn:security:audience' };
/** The cost is not what these suites are about; passwords.test.ts counts and compares it. */
const CHEAP = { ln: 4, r: 8, p: 1 };
const CONTEXT = { getRemainingTimeInMillis: () => 29_000 } as Context;
const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** Not in the list of routes, but called like one of them. */
export const NOT_FOUND: Route = {
  name: 'route-not-found' as Route['name'],
  method: 'GET',
  path: '/nowhere',
  access: 'public',
};

/** The deployed handler of every route, and of what no route has. */
export const HANDLERS: ReadonlyMap<string, ApiHandler> = new Map(
  await Promise.all(
    [...ROUTES, NOT_FOUND].map(async ({ name }) => {
      const { handler } = (await import(`../../../functions/handlers/${name}.ts`)) as { handler: ApiHandler };
      return [name, handler] as const;
    }),
  ),
);

export async function createWorld() {
  const table = new MemoryTable();
  const guard = new TenantGuard();
  const messages: ChunkMessage[] = [];
  const clock = { now: START_MS, nowMs: () => clock.now };
  const writes = { count: 0 };
  table.onWrite = () => void (writes.count += 1);
  const client = {
    send: async (command: object) => {
      guard.see(command, table);
      return execute(command, table);
    },
  } as unknown as DynamoDBDocumentClient;
  const stores = dynamoStores({ client, table: 'table', sleep: async () => {}, nowMs: () => clock.now });
  const telemetry = recordingTelemetry();
  const services: Services = {
    clock,
    random: secureRandom,
    stores,
    queue: { send: async (sent) => void messages.push(...sent) },
    parties: PARTIES,
    signer: await localSigner(),
    verifier: tokenVerifier({ ...PARTIES, keys: stores.signingKeys }),
    passwords: scryptPasswords(secureRandom, CHEAP),
    telemetry,
  };
  const loaded = await loadData(Buffer.from(JSON.stringify(platformData())), services);
  if (loaded.status !== 'loaded') throw new Error(`the data was ${JSON.stringify(loaded)}`);
  useServices(services);
  const target: Target = {
    stores,
    signer: services.signer,
    parties: PARTIES,
    client,
    table: 'table',
    nowMs: () => clock.now,
    send,
  };
  return {
    ...target,
    services,
    memory: table,
    guard,
    clock,
    writes,
    telemetry,
    messages,
    drain: () => drain(services, messages),
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Invokes the route's deployed handler with the event that an HTTP API would make of the request. */
async function send(sent: Sent): Promise<Answered> {
  const handler = HANDLERS.get(sent.route.name);
  if (handler === undefined) throw new Error(`${sent.route.name} has no handler`);
  const result: APIGatewayProxyStructuredResultV2 = await handler(eventOf(sent) as never, CONTEXT);
  const named = Object.entries(result.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { status: result.statusCode ?? 0, headers: Object.fromEntries(named), text: result.body ?? '' };
}

function eventOf({ route, path = {}, query, headers = {}, body, sourceIp = '192.0.2.1' }: Sent) {
  const isText = typeof body === 'string';
  return {
    version: '2.0',
    routeKey: `${route.method} ${route.path}`,
    rawPath: route.path,
    rawQueryString: '',
    headers,
    pathParameters: path,
    ...(query && { queryStringParameters: query }),
    ...(body !== undefined && { body: isText ? body : Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined && !isText,
    requestContext: { requestId: 'request-1', http: { method: route.method, path: route.path, sourceIp } },
  };
}

/** Processes what was queued, as the queue would deliver it. Answers the messages that failed. */
async function drain(services: Services, messages: ChunkMessage[]): Promise<readonly unknown[]> {
  const failed: unknown[] = [];
  for (const message of messages.splice(0)) {
    const record = { messageId: 'm', body: JSON.stringify(message), attributes: { ApproximateReceiveCount: '1' } };
    const event = { Records: [record] } as unknown as SQSEvent;
    const { batchItemFailures } = await processChunks(event, CONTEXT, services);
    if (batchItemFailures.length > 0) failed.push(message);
  }
  return failed;
}
