import { importOperation } from '../http/operations.ts';
import { RequestRejected } from '../http/types.ts';
import type { ImportOperation } from '../http/types.ts';
import { retryAfter } from '../imports/results.ts';
import { readImportRevert } from '../imports/revert.ts';

/** `GET …/progress/imports/{import_id}/revert` (§4.9). Errors: 404 `import_not_found` where it was never reverted. */
export const getRevert: ImportOperation = async ({ import: item }, services) => {
  const body = await readImportRevert(item, services);
  if (body === undefined) {
    throw new RequestRejected('import_not_found', 'This import was never reverted. POST to this path to revert it.');
  }
  return {
    statusCode: 200,
    headers: body.status === 'processing' ? retryAfter(body, services.clock.nowMs()) : {},
    body,
  };
};

export const handler = importOperation(getRevert);
