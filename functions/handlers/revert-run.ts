import { revertRequest } from '../http/bodies.ts';
import { jsonBody } from '../http/json-body.ts';
import { membersOf, runIdOfPath, runNotFound } from '../http/request.ts';
import { callerServices, migrationOperation } from '../http/operations.ts';
import { rejectFor } from '../http/types.ts';
import type { ChainServices, ProtectedOperation, ReadsBody } from '../http/types.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { retryAfter } from '../imports/results.ts';
import { previewRunRevert, readRunRevert, requestRunRevert } from '../reverts/request.ts';
import type { RequestingServices } from '../reverts/request.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { importStore } from '../imports/import-store.ts';
import { progressReader } from '../imports/progress-store.ts';
import { revertStore } from '../reverts/store.ts';
import { leftOfRun, refusalOfRun } from '../reverts/revertible.ts';
import { routePath } from '../shared/routes.ts';

/**
 * `POST …/progress/runs/{run_id}/revert` (§4.9): reverts every real import of the run, as one. Imports that came after it was
 * reverted are reverted by the next request. Errors: 404 `run_not_found`, 409 `import_not_terminal` or `report_expired`, 400
 * `invalid_request`.
 */
export const revert: ProtectedOperation<ChainServices & ReadsBody & RequestingServices> = async (request, services) => {
  const { company_id } = request.caller.company;
  const { user_id } = request.caller.user;
  const run = { company_id, run_id: runIdOfPath(request.path) };
  const { dry_run } = membersOf(revertRequest, request.json());
  const [left, known] = await Promise.all([leftOfRun(run, services.stores), readRunRevert(run, services)]);
  if (left === undefined) throw runNotFound();
  const isRepeated = known?.status === 'processing' ? dry_run : left.length === 0;
  if (known !== undefined && isRepeated) return { statusCode: 200, body: known };
  if (known?.status !== 'processing') {
    rejectFor(await refusalOfRun(left, services));
    if (dry_run) return { statusCode: 200, body: await previewRunRevert(run, left, user_id, services) };
  }
  const body = await requestRunRevert(run, left, user_id, services);
  const headers = {
    ...retryAfter(body, services.clock.nowMs()),
    location: request.basePath + routePath('get-run-revert', run),
  };
  return { statusCode: 202, headers, body };
};

export const handler = migrationOperation(
  revert,
  {},
  callerServices((database, environment) => ({
    readBody: jsonBody,
    queue: sqsJobQueue(environment),
    stores: {
      imports: importStore(database),
      progress: progressReader(database),
      directory: directoryStore(database),
      reverts: revertStore(database),
    },
  })),
);
