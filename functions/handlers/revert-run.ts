import { creatorOf } from '../auth/creator.ts';
import { revertRequest } from '../http/bodies.ts';
import { bodyOf } from '../http/json-body.ts';
import { runOf, runNotFound } from '../http/parameters.ts';
import { migrationOperation } from '../http/operations.ts';
import { RequestRejected, rejectFor } from '../http/types.ts';
import { sqsJobQueue } from '../jobs/queue.ts';
import { retryAfter } from '../imports/results.ts';
import { leftOfRun, previewRunRevert, refusalOfRun, requestRunRevert, runRevert } from '../reverts/request.ts';
import { planStore } from '../plans/store.ts';
import { previewStores } from '../reverts/work.ts';
import type { Revert } from '../reverts/store.ts';
import { MAX_IMPORTS_PREVIEWED } from '../shared/limits.ts';
import { revertRun as route, getRunRevert, pathOf } from '../shared/routes.ts';

/** `POST …/runs/{run_id}/revert` (§4.9): 202, or 200 with a report. Errors: 404 `run_not_found`, 409, 400. */
export const handler = migrationOperation(
  route,
  (database, environment) => ({
    queue: sqsJobQueue(environment),
    stores: { ...previewStores(database), plans: planStore(database) },
  }),
  async (request, services) => {
    const by = creatorOf(request.caller);
    const { dry_run } = bodyOf(revertRequest, request);
    const run = runOf(request);
    const subject = { kind: 'run', ...run } as const;
    if ((await services.stores.plans.newest(run))?.status === 'applying') throw isApplying();
    const [left, known] = await Promise.all([leftOfRun(run, services.stores), services.stores.reverts.read(subject)]);
    if (left === undefined) throw runNotFound(run.run_id);
    if (known !== undefined && isRepeated(known, left.length, dry_run))
      return { statusCode: 200, body: runRevert(subject, known) };
    rejectFor(await refusalOfRun(left, services));
    if (dry_run && left.length <= MAX_IMPORTS_PREVIEWED)
      return { statusCode: 200, body: await previewRunRevert(run, left, by, services) };
    const body = await requestRunRevert(dry_run ? { kind: 'preview', ...run } : subject, left, by, services);
    const location = request.basePath + pathOf(getRunRevert, run) + (dry_run ? '?dry_run=true' : '');
    return { statusCode: 202, headers: { ...retryAfter(body, services.clock.nowMs()), location }, body };
  },
);

const isApplying = () =>
  new RequestRejected(
    'run_not_terminal',
    'The plan of this run is being applied. Wait until that has ended, or cancel the run, then revert it.',
  );

function isRepeated({ phase }: Revert, left: number, dry_run: boolean): boolean {
  const hasLeftGate = phase === 'opened' || phase === 'done';
  return hasLeftGate ? left === 0 : dry_run;
}
