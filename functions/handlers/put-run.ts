import { creatorOf } from '../auth/creator.ts';
import { deployedQuotas } from '../auth/quotas.ts';
import { directoryStore, type DirectoryStore } from '../catalog/directory-store.ts';
import { runRequest } from '../http/run-bodies.ts';
import { bodyOf } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { newRunOf, runNotFound } from '../http/parameters.ts';
import { rejectionOf } from '../http/request.ts';
import { RequestRejected, type CompanyRequest, type With } from '../http/types.ts';
import { runCounts } from '../imports/run-counts.ts';
import { planStore } from '../plans/store.ts';
import { hasActiveLicense } from '../records/identifiers.ts';
import { jsonBytes } from '../records/json.ts';
import { matching, saveRun } from '../runs/draft.ts';
import { withImports } from '../runs/read.ts';
import { tagOf } from '../runs/run-item.ts';
import { runStore } from '../runs/store.ts';
import type { Problem, RequestErrorCode } from '../shared/codes.ts';
import { putRun as route } from '../shared/routes.ts';

/** `PUT …/progress/runs/{run_id}` (§4.11): 200, or 201 where it makes the run. Errors: 400, 412 `version_conflict`, 413, 429. */
export const handler = migrationOperation(
  route,
  (database, environment) => ({
    stores: {
      imports: runCounts(database),
      runs: runStore(database),
      plans: planStore(database),
      directory: directoryStore(database),
      quotas: deployedQuotas(database, environment),
    },
  }),
  async (request, services) => {
    const decisions = bodyOf(runRequest, request);
    const ids = newRunOf(request);
    await checkNotified(decisions.notify ?? [], request, services);
    const { company_id } = ids;
    const use = { upload_bytes: jsonBytes(decisions) };
    const rateLimit = await services.stores.quotas.spend(company_id, use, services.clock.nowMs());
    const by = creatorOf(request.caller);
    const header = request.headers['if-match'];
    const saved = await saveRun(ids, { decisions, by, expected: matching(header) }, services);
    if (saved.kind === 'conflict') throw versionConflict(saved.run && tagOf(saved.run));
    const shown = await withImports(saved.run, services);
    if (shown === undefined) throw runNotFound(ids.run_id);
    const headers = { ...rateLimit, etag: tagOf(saved.run) };
    return { statusCode: saved.kind === 'created' ? 201 : 200, headers, body: shown.run };
  },
);

function versionConflict(tag: string | undefined): RequestRejected {
  const stored = tag === undefined ? 'There is no such run' : `The version of this run is ${tag}`;
  const message = `${stored}, so If-Match names another one. Read the run again, then decide.`;
  return new RequestRejected('version_conflict', message, { field: 'If-Match' });
}

type NotifyingStores = { readonly directory: Pick<DirectoryStore, 'userById'> };

/** Notices go to admins of the company alone. @throws RequestRejected with each user who is no admin */
async function checkNotified(
  user_ids: readonly number[],
  { caller }: CompanyRequest,
  { stores }: With<NotifyingStores>,
): Promise<void> {
  const { company_id } = caller.company;
  const users = await Promise.all(user_ids.map((user_id) => stores.directory.userById(company_id, user_id)));
  const problems = users.flatMap((user, at): Problem<RequestErrorCode>[] => {
    if (user?.role === 'admin' && hasActiveLicense(user)) return [];
    const field = `notify.${at}`;
    const message = `${field} must be the id of an active admin of this company, not ${user_ids[at]}.`;
    return [{ error_code: 'invalid_request', message, field }];
  });
  if (problems.length > 0) throw rejectionOf(problems);
}
