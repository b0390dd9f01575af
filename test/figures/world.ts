/** The deployed service over a table that counts units. Calls alone move its clock, so durations repeat exactly. */
import type { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OWASP_COST } from '../../functions/auth/passwords.ts';
import { openSession } from '../../functions/auth/sessions.ts';
import { handler as getImport } from '../../functions/handlers/get-import.ts';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { handler as startImport } from '../../functions/handlers/start-import.ts';
import type { ApiHandler } from '../../functions/http/chain.ts';
import { jobQueue } from '../../functions/jobs/queue.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { apiEvent, CONTEXT, type EventParts } from '../kit/api-event.ts';
import { Dice } from '../kit/dice.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { MemoryTable } from '../kit/memory-table/memory-table.ts';
import { everyStore } from '../kit/services.ts';
import { sqsEvent } from '../kit/sqs-event.ts';
import { VirtualTime } from '../kit/virtual-time.ts';
import { servicesOver } from '../kit/world.ts';
import { CountedDatabase, type Counts, noCounts } from './database.ts';
import { ADMIN, COMPANY_ID, loadPlatform } from './workload.ts';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const PARTIES = { issuer: 'urn:figures:issuer', audience: 'urn:figures:audience' };

/** Typical milliseconds of a call in a region, SDK and network included; DynamoDB promises "single-digit". */
export const latencyOf = (call: string): number => (/Batch|Statements|Query/.test(call) ? 12 : 5);

export interface Tally extends Counts {
  readonly log_bytes: number;
  /** On the clock of calls, and the longest chain of calls that wait for each other. */
  readonly ms: number;
  readonly depth: number;
}

export type World = Awaited<ReturnType<typeof figuresWorld>>;

interface WorldOptions {
  readonly learners: number;
  readonly courses: number;
  /** In place of the table in memory; nothing of it is counted. */
  readonly database?: { readonly client: DynamoDBDocumentClient; readonly table: string };
  readonly startMs?: number;
}

/** Ids, and with them compressed sizes, repeat: the randomness is seeded. */
export async function figuresWorld(data: WorldOptions) {
  const dice = new Dice(42);
  const table = new MemoryTable(1);
  const counted = new CountedDatabase(table);
  let nowMs = data.startMs ?? NOW_MS;
  let storesMs = 0;
  let time: VirtualTime | undefined;
  const timed = async <T>(call: string, run: () => T) => time?.call(latencyOf(call), async () => run()) ?? run();
  const client = clientOf((command) => {
    const { name, parts, response } = counted.plan(command);
    return timed(name, () => response(parts.map((part) => part())));
  });
  const bodies: string[] = [];
  const sqs = {
    send: ({ input }: SendMessageBatchCommand | ChangeMessageVisibilityCommand) =>
      timed('SendMessageBatch', () => {
        counted.counts.calls['SendMessageBatch'] = (counted.counts.calls['SendMessageBatch'] ?? 0) + 1;
        const sent = 'Entries' in input ? (input.Entries ?? []) : [];
        bodies.push(...sent.map(({ MessageBody = '' }) => MessageBody));
        return {};
      }),
  } as unknown as SQSClient;
  const on = data.database ?? { client, table: 'table' };
  const services = servicesOver({
    ...on,
    clock: { nowMs: () => (nowMs += 1) },
    random: dice,
    queue: jobQueue({ client: sqs, queueUrl: 'queue' }),
    parties: PARTIES,
    cost: OWASP_COST,
    telemetry: powertoolsTelemetry(),
    stores: everyStore({ ...on, sleep: async () => {}, random: () => dice.next(), nowMs: () => storesMs }),
  });
  await loadPlatform(services.stores, data);
  // Mappings that were changed in the last minute would be read strongly.
  storesMs = NOW_MS;
  const { access_token } = await openSession(services, ADMIN, services.clock.nowMs());
  const authorization = `Bearer ${access_token}`;
  const source = () => services;
  const post = startImport.on(source());
  const poll = getImport.on(source());
  const path = { company_id: COMPANY_ID };

  return {
    table,
    services,
    authorization,
    post: (body: object, key: string) =>
      call(post, {
        method: 'POST',
        path,
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      }),
    poll: (import_id: string) => call(poll, { path: { ...path, import_id }, headers: { authorization } }),

    async deliver(invoke: (run: () => Promise<unknown>) => Promise<unknown>): Promise<void> {
      for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
        const event = sqsEvent([{ messageId: '0', body }]);
        await invoke(async () => {
          const { batchItemFailures } = await processChunks(event, CONTEXT, services);
          if (batchItemFailures.length > 0) throw new Error('a message failed');
        });
      }
    },

    /** Only one measurement runs at a time. */
    async measure<T>(run: () => Promise<T>): Promise<{ tally: Tally; value: T }> {
      const clock = new VirtualTime();
      [time, counted.counts] = [clock, noCounts()];
      const logged: string[] = [];
      const restoreOutput = divertOutput((text) => void logged.push(text));
      try {
        const value = await run();
        const tally = {
          ...counted.counts,
          log_bytes: Buffer.byteLength(logged.join('')),
          ms: clock.nowMs,
          depth: clock.depth,
        };
        return { tally, value };
      } finally {
        restoreOutput();
        time = undefined;
      }
    },
  };
}

export async function call(handler: ApiHandler, parts: EventParts) {
  const { statusCode, body } = await handler(apiEvent(parts), CONTEXT);
  return { status: statusCode, body: body === '' ? {} : (JSON.parse(body) as object), bytes: Buffer.byteLength(body) };
}

/** Passes writes to standard output to a callback until the returned function is called. */
export function divertOutput(take: (text: string) => void): () => void {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (chunk: string | Uint8Array): boolean => {
    take(String(chunk));
    return true;
  };
  return () => void (stdout.write = write);
}
