import { migrationOperation } from '../http/operations.ts';
import { runIdOfPath } from '../http/request.ts';
import { RequestRejected } from '../http/types.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { retryAfter } from '../imports/results.ts';
import { readRunRevert } from '../imports/revert.ts';

/** `GET …/progress/runs/{run_id}/revert` (§4.9). Errors: 404 `run_not_found` where it was never reverted. */
export const getRunRevert: ProtectedOperation = async ({ caller, path }, services) => {
  const { company_id } = caller.company;
  const body = await readRunRevert({ company_id, run_id: runIdOfPath(path) }, services);
  if (body === undefined) {
    throw new RequestRejected('run_not_found', 'No run with this id was reverted. POST to this path to revert one.');
  }
  return {
    statusCode: 200,
    headers: body.status === 'processing' ? retryAfter(body, services.clock.nowMs()) : {},
    body,
  };
};

export const handler = migrationOperation(getRunRevert);
