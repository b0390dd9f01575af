/** What cannot be reverted, and so cannot be asked what a revert of it would do (§4.9). */
import { runNotFound } from './request.ts';
import { RequestRejected } from './types.ts';
import { hasExpired } from '../imports/results.ts';
import { inParallel } from '../runtime/batching.ts';
import type { CoreServices } from '../services/services.ts';
import type { ImportItem, ImportSummary, RunRevert } from '../shared/model.ts';

/** A revert needs that the import has ended, and what it did, record by record. Errors: 409 `import_not_terminal` or `report_expired`. */
export function mustBeRevertible(item: ImportItem, nowMs: number): void {
  if (item.status === 'processing') {
    const message = 'This import is still processing. Wait until it has ended, or cancel it, then revert it.';
    throw new RequestRejected('import_not_terminal', message);
  }
  if (hasExpired(item, nowMs)) {
    const message = `The results of import ${item.import_id} have expired, so it cannot be reverted. What it imported stays.`;
    throw new RequestRejected('report_expired', message);
  }
}

/** The same for imports of a run. Lists do not hold when an import expires; none expires within 30 days. */
export async function mustAllBeRevertible(
  imports: readonly ImportSummary[],
  { stores, clock }: Pick<CoreServices, 'stores' | 'clock'>,
): Promise<void> {
  const processing = imports.find(({ status }) => status === 'processing');
  if (processing !== undefined) {
    const message = `Import ${processing.import_id} of this run is still processing. Wait until it has ended, or cancel the run, then revert it.`;
    throw new RequestRejected('import_not_terminal', message);
  }
  const nowMs = clock.nowMs();
  const old = imports.filter(({ created_at }) => nowMs - Date.parse(created_at) >= SHORTEST_RETENTION_MS);
  await inParallel(old, IMPORTS_AT_ONCE, async ({ company_id, import_id }) => {
    const item = await stores.imports.read(company_id, import_id);
    if (item !== undefined) mustBeRevertible(item, nowMs);
  });
}

/** The real imports of a run that are not reverted. Errors: 404 `run_not_found`. */
export async function leftOfRun(
  { company_id, run_id }: Pick<RunRevert, 'company_id' | 'run_id'>,
  { stores }: Pick<CoreServices, 'stores'>,
): Promise<ImportSummary[]> {
  const imports = await stores.imports.importsOfRun(company_id, run_id);
  if (imports.length === 0) throw runNotFound();
  return imports.filter(({ reverted_at }) => reverted_at === null);
}

const SHORTEST_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;
const IMPORTS_AT_ONCE = 16;
