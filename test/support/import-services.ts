/** The import operations in-process, on a real database, with a clock and a queue that the test drives. */
import type { SQSEvent } from 'aws-lambda';
import { type ChunkServices, processChunks } from '../../functions/queue/process-chunk.ts';
import type { ApiRequest, Caller } from '../../functions/runtime/http.ts';
import { secureRandom } from '../../functions/runtime/live-system.ts';
import type { Services } from '../../functions/runtime/services.ts';
import { watch } from '../../functions/schedule/watchdog.ts';
import { dynamoStores } from '../../functions/store/stores.ts';
import type { ChunkMessage } from '../../functions/workflow/ports.ts';
import { CONTEXT } from './api-event.ts';
import { COMPANY, START_MS } from './auth-services.ts';
import type { TestTable } from './dynamodb.ts';
import { recordingTelemetry } from './recording-telemetry.ts';

export async function importServices({ client, table }: TestTable, company_id: string) {
  const clock = { now: START_MS, nowMs: () => clock.now };
  const stores = dynamoStores({ client, table });
  const sent: ChunkMessage[] = [];
  const telemetry = recordingTelemetry();
  const services = {
    clock,
    random: secureRandom,
    stores,
    queue: { send: async (messages: readonly ChunkMessage[]) => void sent.push(...messages) },
    telemetry,
  } as unknown as Services;
  await stores.platform.putCourses(company_id, [
    { platform_course_id: 101, title: 'One', has_exam: true, classes: [] },
  ]);
  await stores.platform.putUsers([
    { company_id, user_id: 7, email: 'ann@acme.test', name: 'Ann', role: 'customer', avatar: '', license: 'active' },
  ]);
  const company = { ...COMPANY, company_id };
  return {
    clock,
    sent,
    services,
    stores,
    telemetry,
    request: (body: Record<string, unknown>, caller: Partial<Caller> = {}) =>
      ({
        attemptId: secureRandom.hex(8),
        headers: {},
        path: { company_id },
        query: {},
        json: () => body,
        caller: { company, ...caller },
      }) as unknown as ApiRequest & { caller: Caller },
    /** Delivers every message sent so far, in one batch. */
    deliver: (overrides: Partial<ChunkServices> = {}) =>
      processChunks(delivery(sent.splice(0)), CONTEXT, { ...services, ...overrides }),
    watch: () => watch({}, services),
  };
}

export function delivery(messages: readonly unknown[], receives = 1): SQSEvent {
  const Records = messages.map((message, position) => ({
    messageId: String(position),
    body: JSON.stringify(message),
    attributes: { ApproximateReceiveCount: String(receives) },
  }));
  return { Records } as unknown as SQSEvent;
}
