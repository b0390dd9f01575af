import { importOperation } from '../http/operations.ts';
import { mustBeRevertible } from '../http/revertible.ts';
import type { ImportOperation } from '../http/types.ts';
import { retryAfter } from '../imports/results.ts';
import { previewImportRevert, readImportRevert } from '../reverts/request.ts';

/**
 * `GET …/progress/imports/{import_id}/revert` (§4.9): the revert, or where nobody requested one, what it would do. Errors: 409
 * `import_not_terminal` or `report_expired`.
 */
export const getRevert: ImportOperation = async ({ import: item, caller }, services) => {
  const nowMs = services.clock.nowMs();
  const known = await readImportRevert(item, services);
  if (known === undefined) mustBeRevertible(item, nowMs);
  const body = known ?? (await previewImportRevert(item, caller.user.user_id, services));
  return { statusCode: 200, headers: body.status === 'processing' ? retryAfter(body, nowMs) : {}, body };
};

export const handler = importOperation(getRevert);
