import { importOf, importOperation, verifyingServices } from '../http/operations.ts';
import { rejectFor } from '../http/types.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { retryAfter } from '../imports/results.ts';
import { previewImportRevert, readImportRevert } from '../reverts/request.ts';
import { refusalOf } from '../reverts/revertible.ts';

/**
 * `GET …/progress/imports/{import_id}/revert` (§4.9): the revert, or a preview of it if none was requested. Errors: 409
 * `import_not_terminal` or `report_expired`.
 */
export const getRevert: ProtectedOperation = async (request, services) => {
  const item = importOf(request);
  const nowMs = services.clock.nowMs();
  const known = await readImportRevert(item, services);
  if (known === undefined) rejectFor(refusalOf(item, nowMs));
  const body = known ?? (await previewImportRevert(item, request.caller.user.user_id, services));
  return { statusCode: 200, headers: body.status === 'processing' ? retryAfter(body, nowMs) : {}, body };
};

export const handler = importOperation(getRevert, verifyingServices);
