import { creatorOf, type StoredCreator } from '../auth/creator.ts';
import { migrationOperation } from '../http/operations.ts';
import { choiceFrom, runOf, runNotFound } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { RequestRejected, rejectFor } from '../http/types.ts';
import { retryWhileOpen } from '../imports/results.ts';
import { leftOfRun, previewRunRevert, readRunRevert, refusalOfRun, type PreviewServices } from '../reverts/request.ts';
import { previewStores } from '../reverts/work.ts';
import { MAX_IMPORTS_PREVIEWED } from '../shared/limits.ts';
import type { RunRevert } from '../shared/model.ts';
import { getRunRevert as route } from '../shared/routes.ts';

/** `GET …/runs/{run_id}/revert` (§4.9): the revert, or the last dry run, or one of now. Errors: 404, 409, 400. */
export const handler = migrationOperation(
  route,
  (database) => ({ stores: previewStores(database) }),
  async (request, services) => {
    const { caller, query } = request;
    const [dry_run] = checkAll(request, () => choiceFrom(query, 'dry_run', ['true', 'false']));
    const run = runOf(request);
    const known = dry_run === 'true' ? undefined : await readRunRevert({ kind: 'run', ...run }, services);
    const body = known ?? (await preview(run, creatorOf(caller), services));
    return { statusCode: 200, headers: retryWhileOpen(body, services.clock.nowMs()), body };
  },
);

async function preview(
  run: Pick<RunRevert, 'company_id' | 'run_id'>,
  by: StoredCreator,
  services: PreviewServices,
): Promise<RunRevert> {
  const left = await leftOfRun(run, services.stores);
  if (left === undefined) throw runNotFound(run.run_id);
  rejectFor(await refusalOfRun(left, services));
  if (left.length <= MAX_IMPORTS_PREVIEWED) return previewRunRevert(run, left, by, services);
  const known = await readRunRevert({ kind: 'preview', ...run }, services);
  if (known !== undefined) return known;
  const message = `This run has ${left.length} imports to revert, and no dry run of that was requested. Request it: POST the same path with {"dry_run": true}.`;
  throw new RequestRejected('report_not_requested', message);
}
