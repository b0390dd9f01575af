import { expectNoBody } from '../http/json-body.ts';
import { importOf, importOperation } from '../http/operations.ts';
import { cancelImport } from '../imports/cancel.ts';
import { importStore } from '../imports/import-store.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { accountEventBus } from '../runtime/event-bus.ts';
import { importPath, importResource, importWithResults, retryAfter } from '../imports/results.ts';
import { cancelImport as route } from '../shared/routes.ts';

/** `POST …/imports/{import_id}/cancel` (§4.9): 202 with the import; 200 with its results if it had ended already. */
export const handler = importOperation(
  route,
  (database, environment) => ({
    queue: sqsJobQueue(environment),
    events: accountEventBus(environment),
    stores: { imports: importStore(database) },
  }),
  async (request, services) => {
    expectNoBody(request);
    const item = importOf(request);
    const nowMs = services.clock.nowMs();
    if (item.status !== 'processing') return { statusCode: 200, body: await importWithResults(item, services) };
    const cancelled = await cancelImport(item, services);
    const { cancelled_at } = cancelled;
    // The import has ended since it was read.
    if (cancelled_at === null) return { statusCode: 200, body: await importWithResults(cancelled, services) };
    services.telemetry.count('ImportsCancelled');
    const wait = retryAfter(item, nowMs);
    const headers = { ...wait, location: request.basePath + importPath(item) };
    return { statusCode: 202, headers, body: importResource({ ...item, cancelled_at }, []) };
  },
);
