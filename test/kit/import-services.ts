/** The import operations on the table in memory, with a clock and a queue that the test drives. Costs milliseconds. */
import { beforeEach } from 'vitest';
import { handler as getImport } from '../../functions/handlers/get-import.ts';
import { type ChunkServices, processChunks } from '../../functions/handlers/process-chunk.ts';
import { handler as startImport } from '../../functions/handlers/start-import.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import type { ProtectedOperation } from '../../functions/http/types.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import type { Services } from './services.ts';
import type { ImportItem } from '../../functions/shared/model.ts';
import { COMPANY, CONTEXT, operationRequest, withBody } from './api-event.ts';
import { delivery } from './sqs-event.ts';
import { createWorld } from './world.ts';
import { planted } from './planted.ts';

export { delivery } from './sqs-event.ts';
export type ImportServices = Awaited<ReturnType<typeof importServices>>;

export function useImportServices(): () => ImportServices {
  let our: ImportServices;
  beforeEach(async () => {
    our = await importServices();
  });
  return () => our;
}

async function importServices() {
  const { clock, services, stores, telemetry, messages: sent } = createWorld();
  const { company_id } = COMPANY;
  await planted(stores.platform).putCourses(company_id, [
    { platform_course_id: 101, title: 'One', has_exam: true, classes: [] },
  ]);
  await planted(stores.platform).putUsers([
    { company_id, user_id: 7, email: 'ann@acme.test', name: 'Ann', role: 'customer', avatar: '', license: 'active' },
  ]);
  const ask = (
    operation: ProtectedOperation<Services>,
    body: object,
    item: ImportItem | undefined,
    overrides: Partial<Services>,
  ) => {
    const request = operationRequest({ attemptId: secureRandom.hex(8), ...withBody(body), import: item });
    return operation(request, { ...services, ...overrides });
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
    ) => ask(startImport.operation, { dry_run, records }, undefined, overrides),
    async poll(import_id: string) {
      const item = await stores.imports.read(company_id, import_id);
      const { body } = await ask(getImport.operation, {}, item, {});
      // Tests assert it member by member.
      // oxlint-disable-next-line typescript/no-explicit-any
      return body as any;
    },
    /** Delivers every message sent so far, in one batch. */
    deliver: (overrides: Partial<ChunkServices> = {}) =>
      processChunks(delivery(sent.splice(0)), CONTEXT, { ...services, ...overrides }),
    watch: () => watch({}, CONTEXT, services),
  };
}
