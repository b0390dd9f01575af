import { tokenVerifier } from '../auth/verify-token.ts';
import { migrationOperation } from '../http/operations.ts';
import { booleanMember, resultsExpired, runIdOfPath, runNotFound } from '../http/request.ts';
import { RequestRejected } from '../http/types.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { sqsChunkQueue } from '../imports/chunk-queue.ts';
import { hasExpired, retryAfter } from '../imports/results.ts';
import { previewRunRevert, readRunRevert, requestRunRevert } from '../imports/revert.ts';
import { inParallel } from '../runtime/batching.ts';
import { liveServices } from '../services/services.ts';
import type { CoreServices, ServicesWith } from '../services/services.ts';
import type { ImportSummary } from '../shared/model.ts';
import { routePath } from '../shared/routes.ts';

/**
 * `POST …/progress/runs/{run_id}/revert` (§4.9): reverts every real import of the run, as one. Imports that came after it was
 * reverted are reverted by the next request. Errors: 404 `run_not_found`, 409 `import_not_terminal` or `report_expired`, 400 `invalid_request`.
 */
export const revert: ProtectedOperation<ServicesWith<'verifier' | 'queue'>> = async (request, services) => {
  const { company_id } = request.caller.company;
  const { user_id } = request.caller.user;
  const run = { company_id, run_id: runIdOfPath(request.path) };
  const dry_run = booleanMember(request.json(), 'dry_run');
  const [imports, known] = await Promise.all([
    services.stores.imports.importsOfRun(company_id, run.run_id),
    readRunRevert(run, services),
  ]);
  if (imports.length === 0) throw runNotFound();
  const left = imports.filter(({ reverted_at }) => reverted_at === null);
  if (known?.status === 'success' && left.length === 0) return { statusCode: 200, body: known };
  if (known?.status !== 'processing') {
    refuseProcessing(left);
    await refuseExpired(left, services);
    if (dry_run) return { statusCode: 200, body: await previewRunRevert(run, left, user_id, services) };
  }
  const body = await requestRunRevert(run, left, user_id, services);
  const headers = { ...retryAfter(body, services.clock.nowMs()), location: routePath('get-run-revert', run) };
  return { statusCode: 202, headers, body };
};

/** Lists do not hold when an import expires; none expires within 30 days. */
async function refuseExpired(imports: readonly ImportSummary[], { stores, clock }: CoreServices): Promise<void> {
  const nowMs = clock.nowMs();
  const old = imports.filter(({ created_at }) => nowMs - Date.parse(created_at) >= SHORTEST_RETENTION_MS);
  await inParallel(old, IMPORTS_AT_ONCE, async ({ company_id, import_id }) => {
    const item = await stores.imports.read(company_id, import_id);
    if (item !== undefined && hasExpired(item, nowMs)) throw resultsExpired(import_id);
  });
}

const SHORTEST_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;
const IMPORTS_AT_ONCE = 16;

function refuseProcessing(imports: readonly { readonly status: string; readonly import_id: string }[]): void {
  const processing = imports.find(({ status }) => status === 'processing');
  if (processing === undefined) return;
  const message = `Import ${processing.import_id} of this run is still processing. Wait until it has ended, or cancel the run, then revert it.`;
  throw new RequestRejected('import_not_terminal', message);
}

export const handler = migrationOperation(revert, {}, liveServices({ queue: sqsChunkQueue, verifier: tokenVerifier }));
