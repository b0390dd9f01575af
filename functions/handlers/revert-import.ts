import { creatorOf } from '../auth/creator.ts';
import { revertRequest } from '../http/bodies.ts';
import { bodyOf } from '../http/json-body.ts';
import { importOf, importOperation } from '../http/operations.ts';
import { rejectFor } from '../http/types.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { retryAfter } from '../imports/results.ts';
import { previewImportRevert, readImportRevert, refusalOf, requestImportRevert } from '../reverts/request.ts';
import { previewStores } from '../reverts/work.ts';
import { revertImport as route, getRevert, pathOf } from '../shared/routes.ts';

/** `POST …/imports/{import_id}/revert` (§4.9): 202, or 200 with a report. Errors: 409, 400 `invalid_request`. */
export const handler = importOperation(
  route,
  (database, environment) => ({ queue: sqsJobQueue(environment), stores: previewStores(database) }),
  async (request, services) => {
    const by = creatorOf(request.caller);
    const { dry_run } = bodyOf(revertRequest, request);
    const item = importOf(request);
    const known = await readImportRevert(item, services);
    if (known !== undefined && (dry_run || known.status === 'success')) return { statusCode: 200, body: known };
    if (known === undefined) rejectFor(refusalOf(item, services.clock.nowMs()));
    if (known === undefined && (dry_run || item.dry_run)) {
      return { statusCode: 200, body: await previewImportRevert(item, by, services) };
    }
    const body = await requestImportRevert(item, by, services);
    const headers = {
      ...retryAfter(body, services.clock.nowMs()),
      location: request.basePath + pathOf(getRevert, item),
    };
    return { statusCode: 202, headers, body };
  },
);
