import { creatorOf } from '../auth/creator.ts';
import { choiceFrom } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { importOf, importOperation } from '../http/operations.ts';
import { rejectFor } from '../http/types.ts';
import { retryWhileOpen } from '../imports/results.ts';
import { previewImportRevert, readImportRevert, refusalOf } from '../reverts/request.ts';
import { previewStores } from '../reverts/work.ts';
import { getRevert as route } from '../shared/routes.ts';

/** `GET …/imports/{import_id}/revert` (§4.9): the revert, or a preview of one. Errors: 409. */
export const handler = importOperation(
  route,
  (database) => ({ stores: previewStores(database) }),
  async (request, services) => {
    // One import is always previewed at once: its dry run is stored nowhere.
    checkAll(request, () => choiceFrom(request.query, 'dry_run', ['true', 'false']));
    const item = importOf(request);
    const nowMs = services.clock.nowMs();
    const known = await readImportRevert(item, services);
    if (known === undefined) rejectFor(refusalOf(item, nowMs));
    const body = known ?? (await previewImportRevert(item, creatorOf(request.caller), services));
    return { statusCode: 200, headers: retryWhileOpen(body, nowMs), body };
  },
);
