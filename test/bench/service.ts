/** This service as deployed: its own handlers, stores and telemetry, over metered clients and a clock of its own. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyResult, Context, SQSEvent } from 'aws-lambda';
import { OWASP_COST } from '../../functions/auth/passwords.ts';
import { openSession } from '../../functions/auth/sessions.ts';
import { getImport } from '../../functions/handlers/get-import.ts';
import { getOpenapi } from '../../functions/handlers/get-openapi.ts';
import { listCourses } from '../../functions/handlers/list-courses.ts';
import { listImportRecords } from '../../functions/handlers/list-import-records.ts';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { keyedImport, startImport } from '../../functions/handlers/start-import.ts';
import { download, importDownload, migrationOperation } from '../../functions/http/operations.ts';
import { COUNTED_REPORT_BYTES } from '../../functions/shared/limits.ts';
import { staticOperation, type ApiHandler } from '../../functions/http/chain.ts';
import { jobQueue } from '../../functions/jobs/queue.ts';
import { systemWaiting } from '../../functions/runtime/system.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { type Services, servicesOver } from '../kit/world.ts';
import { everyStore } from '../kit/services.ts';
import { apiEvent } from '../kit/api-event.ts';
import { Dice } from '../kit/dice.ts';
import { ADMIN, COMPANY_ID } from './workload.ts';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const PARTIES = { issuer: 'urn:bench:issuer', audience: 'urn:bench:audience' };
const CONTEXT = { getRemainingTimeInMillis: () => 20_000, functionName: 'bench' } as Context;

/** The engines in place of AWS. */
export interface Cloud {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly sqs: SQSClient;
  readonly queueUrl: string;
}

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- read member by member
  readonly body: any;
  readonly bytes: number;
  /** Names the copy that the caller now has. */
  readonly etag?: string | undefined;
}

export type Operations = Awaited<ReturnType<typeof operationsOf>>;

/** The requests of a client and of the queue. `copy` is the tag of the copy that the caller has. */
export async function operationsOf(services: Services) {
  const { access_token } = await openSession(services, ADMIN, services.clock.nowMs());
  const source = () => services;
  const post = migrationOperation(startImport, { readImport: keyedImport }, source);
  const poll = importDownload(getImport, COUNTED_REPORT_BYTES, source);
  const records = importDownload(listImportRecords, 0, source);
  const catalog = download(listCourses, 0, source);
  const document = staticOperation((request) => getOpenapi(request, {}), source);
  const read = (handler: ApiHandler, path: Record<string, string>, copy?: string) =>
    call(handler, { path, headers: { authorization, ...(copy !== undefined && { 'if-none-match': copy }) } });
  const rawPath = `/v1/migrations/${COMPANY_ID}/progress/imports`;
  const authorization = `Bearer ${access_token}`;

  return {
    startImport: (body: unknown, key: string) =>
      call(post, {
        method: 'POST',
        rawPath,
        path: { company_id: COMPANY_ID },
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      }),
    process: (event: SQSEvent) => processChunks(event, CONTEXT, services),
    getImport: (import_id: string, copy?: string) =>
      call(poll, {
        rawPath: `${rawPath}/${import_id}`,
        path: { company_id: COMPANY_ID, import_id },
        headers: { authorization, ...(copy !== undefined && { 'if-none-match': copy }) },
      }),
    /** The other responses of which a client may have a copy. */
    reads: {
      records: (import_id: string, copy?: string) => read(records, { company_id: COMPANY_ID, import_id }, copy),
      catalog: (_: string, copy?: string) => read(catalog, { company_id: COMPANY_ID }, copy),
      document: (_: string, copy?: string) => read(document, {}, copy),
    },
  };
}

/** Randomness is seeded, so that ids, and with them compressed sizes, repeat. */
export async function servicesOn({ client, table, sqs, queueUrl }: Cloud, startMs = NOW_MS): Promise<Services> {
  const dice = new Dice(42);
  let nowMs = startMs;
  return servicesOver({
    client,
    table,
    clock: { nowMs: () => (nowMs += 1) },
    random: dice,
    queue: jobQueue({ client: sqs, queueUrl }),
    parties: PARTIES,
    cost: OWASP_COST,
    telemetry: powertoolsTelemetry(),
    stores: everyStore({ client, table, sleep: systemWaiting.sleep, random: () => dice.next(), nowMs: () => NOW_MS }),
  });
}

async function call(handler: ApiHandler, parts: Parameters<typeof apiEvent>[0]): Promise<Answer> {
  const result: APIGatewayProxyResult = await handler(apiEvent(parts), CONTEXT);
  const text = result.body ?? '';
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const etag = result.headers?.['etag'] as string | undefined;
  return { status: result.statusCode ?? 0, body, bytes: Buffer.byteLength(text), etag };
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^[^#]*#record#/, 'identity'],
  [/^[^#]*#learner#/, 'learner-course'],
  [/#import#[^#]*\npayload#/, 'payload'],
  [/#import#[^#]*\n(plan|report)#/, 'plan'],
  [/#import#[^#]*\nimport$/, 'import'],
  [/#user#/, 'user'],
  [/#catalog#[^\n]*\n/, 'course'],
  [/#quota#/, 'quota'],
];

/** Kind of the item of a key, for the table of units. */
export function kindOfKey(pk: string, sk: string): string {
  return KINDS.find(([pattern]) => pattern.test(`${pk}\n${sk}`))?.[1] ?? 'access';
}
