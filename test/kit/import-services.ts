/** The import operations in-process, on a real database, with a clock and a queue that the test drives. */
import type { SQSEvent } from 'aws-lambda';
import { beforeEach } from 'vitest';
import { getImport } from '../../functions/handlers/get-import.ts';
import type { ChunkServices } from '../../functions/handlers/process-chunk.ts';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { startImport } from '../../functions/handlers/start-import.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import { inCompanyOfCaller } from '../../functions/http/handler.ts';
import type { ApiRequest, Caller, ProtectedOperation } from '../../functions/http/types.ts';
import type { ChunkMessage } from '../../functions/imports/chunk-queue.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import type { Services } from '../../functions/services/services.ts';
import { dynamoStores } from '../../functions/services/services.ts';
import { CONTEXT } from './api-event.ts';
import { COMPANY, START_MS } from './auth-services.ts';
import { freshCompany } from '../dynamodb/samples.ts';
import { type TestTable, useDynamoDb } from './dynamodb.ts';
import { recordingTelemetry } from './recording-telemetry.ts';

export type ImportServices = Awaited<ReturnType<typeof importServices>>;

/** Each test has a company of its own, on a database that the tests of a file share. */
export function useImportServices(): () => ImportServices {
  const database = useDynamoDb();
  let our: ImportServices;
  beforeEach(async () => {
    our = await importServices(database(), freshCompany());
  });
  return () => our;
}

async function importServices({ client, table }: TestTable, company_id: string) {
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
  const ask = (operation: ProtectedOperation, body: object, caller: Partial<Caller>, overrides: Partial<Services>) => {
    const path = { company_id };
    const request = { attemptId: secureRandom.hex(8), headers: {}, path, query: {}, json: () => body };
    const asked = { ...request, caller: { company, ...caller } } as unknown as ApiRequest & { caller: Caller };
    return inCompanyOfCaller(operation)(asked, { ...services, ...overrides });
  };
  return {
    company_id,
    clock,
    sent,
    services,
    stores,
    telemetry,
    start: (
      records: readonly object[],
      { dry_run = false, ...overrides }: Partial<Services> & { dry_run?: boolean } = {},
    ) => ask(startImport, { dry_run, records }, {}, overrides),
    async poll(import_id: string) {
      const item = await stores.imports.read(company_id, import_id);
      const { body } = await ask(getImport, {}, item === undefined ? {} : { import: item }, {});
      // Asserted member by member.
      // oxlint-disable-next-line typescript/no-explicit-any
      return body as any;
    },
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
