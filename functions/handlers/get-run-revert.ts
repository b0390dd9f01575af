import { migrationOperation, verifyingServices } from '../http/operations.ts';
import { runIdOfPath, runNotFound } from '../http/request.ts';
import { rejectFor } from '../http/types.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { retryAfter } from '../imports/results.ts';
import { previewRunRevert, readRunRevert } from '../reverts/request.ts';
import { leftOfRun, refusalOfRun } from '../reverts/revertible.ts';
import type { CoreServices } from '../services/services.ts';
import type { RunRevert } from '../shared/model.ts';

/**
 * `GET …/progress/runs/{run_id}/revert` (§4.9): the revert, or a preview of it if none was requested. Errors: 404
 * `run_not_found`, 409 `import_not_terminal` or `report_expired`.
 */
export const getRunRevert: ProtectedOperation = async ({ caller, path }, services) => {
  const run = { company_id: caller.company.company_id, run_id: runIdOfPath(path) };
  const body = (await readRunRevert(run, services)) ?? (await preview(run, caller.user.user_id, services));
  return {
    statusCode: 200,
    headers: body.status === 'processing' ? retryAfter(body, services.clock.nowMs()) : {},
    body,
  };
};

async function preview(
  run: Pick<RunRevert, 'company_id' | 'run_id'>,
  created_by: number,
  services: CoreServices,
): Promise<RunRevert> {
  const left = await leftOfRun(run, services.stores);
  if (left === undefined) throw runNotFound();
  rejectFor(await refusalOfRun(left, services));
  return previewRunRevert(run, left, created_by, services);
}

export const handler = migrationOperation(getRunRevert, {}, verifyingServices);
