import { callerServices, migrationOperation } from '../http/operations.ts';
import { runIdOfPath, runNotFound } from '../http/request.ts';
import { rejectFor } from '../http/types.ts';
import type { ChainServices, ProtectedOperation } from '../http/types.ts';
import { retryAfter } from '../imports/results.ts';
import { previewRunRevert, readRunRevert } from '../reverts/request.ts';
import type { PreviewServices } from '../reverts/request.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { importStore } from '../imports/import-store.ts';
import { progressReader } from '../imports/progress-store.ts';
import { revertStore } from '../reverts/store.ts';
import { leftOfRun, refusalOfRun } from '../reverts/revertible.ts';
import type { RunRevert } from '../shared/model.ts';

/**
 * `GET …/progress/runs/{run_id}/revert` (§4.9): the revert, or a preview of it if none was requested. Errors: 404
 * `run_not_found`, 409 `import_not_terminal` or `report_expired`.
 */
export const getRunRevert: ProtectedOperation<ChainServices & PreviewServices> = async ({ caller, path }, services) => {
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
  services: PreviewServices,
): Promise<RunRevert> {
  const left = await leftOfRun(run, services.stores);
  if (left === undefined) throw runNotFound();
  rejectFor(await refusalOfRun(left, services));
  return previewRunRevert(run, left, created_by, services);
}

export const handler = migrationOperation(
  getRunRevert,
  {},
  callerServices((database) => ({
    stores: {
      imports: importStore(database),
      progress: progressReader(database),
      directory: directoryStore(database),
      reverts: revertStore(database),
    },
  })),
);
