import { choiceFrom } from '../http/request.ts';
import { importCallerServices, importOf, importOperation } from '../http/operations.ts';
import { rejectFor } from '../http/types.ts';
import type { ChainServices, ProtectedOperation } from '../http/types.ts';
import { retryAfter } from '../imports/results.ts';
import { previewImportRevert, readImportRevert, refusalOf } from '../reverts/request.ts';
import type { PreviewServices } from '../reverts/request.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { importStore } from '../imports/import-store.ts';
import { progressReader } from '../imports/progress-store.ts';
import { revertStore } from '../reverts/store.ts';

/**
 * `GET …/progress/imports/{import_id}/revert` (§4.9): the revert, or a preview of it if none was requested. Errors: 409
 * `import_not_terminal` or `report_expired`.
 */
export const getRevert: ProtectedOperation<ChainServices & PreviewServices> = async (request, services) => {
  // One import is always previewed at once: its dry run is stored nowhere.
  choiceFrom(request.query, 'dry_run', ['true', 'false']);
  const item = importOf(request);
  const nowMs = services.clock.nowMs();
  const known = await readImportRevert(item, services);
  if (known === undefined) rejectFor(refusalOf(item, nowMs));
  const body = known ?? (await previewImportRevert(item, request.caller.user.user_id, services));
  return { statusCode: 200, headers: body.status === 'processing' ? retryAfter(body, nowMs) : {}, body };
};

export const handler = importOperation(
  getRevert,
  importCallerServices((database) => ({
    stores: {
      imports: importStore(database),
      progress: progressReader(database),
      directory: directoryStore(database),
      reverts: revertStore(database),
    },
  })),
);
