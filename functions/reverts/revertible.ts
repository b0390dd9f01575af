/** The imports that can be reverted, and whose revert can be previewed (§4.9). */
import { hasExpired } from '../imports/results.ts';
import type { ImportStores } from '../imports/services.ts';
import { batchesOf } from '../runtime/batching.ts';
import type { Clock } from '../runtime/system.ts';
import type { Problem } from '../shared/codes.ts';
import { RETENTION_DAYS } from '../shared/limits.ts';
import type { ImportItem, ImportSummary, RunRevert } from '../shared/model.ts';

/** The reason why a revert is refused. */
type Refusal = Problem<'import_not_terminal' | 'report_expired'>;

/** A revert needs an import that has ended, and its results record by record. `undefined` if the import can be reverted. */
export function refusalOf(item: ImportItem, nowMs: number): Refusal | undefined {
  if (item.status === 'processing') {
    const message = 'This import is still processing. Wait until it has ended, or cancel it, then revert it.';
    return { error_code: 'import_not_terminal', message };
  }
  if (!hasExpired(item, nowMs)) return undefined;
  const message = `The results of import ${item.import_id} have expired, so it cannot be reverted. What it imported stays.`;
  return { error_code: 'report_expired', message };
}

/** The same for imports of a run. Lists do not hold when an import expires; none expires sooner than the shortest retention. */
export async function refusalOfRun(
  imports: readonly ImportSummary[],
  { stores, clock }: { readonly stores: Pick<ImportStores, 'imports'>; readonly clock: Clock },
): Promise<Refusal | undefined> {
  const processing = imports.find(({ status }) => status === 'processing');
  if (processing !== undefined) {
    const message = `Import ${processing.import_id} of this run is still processing. Wait until it has ended, or cancel the run, then revert it.`;
    return { error_code: 'import_not_terminal', message };
  }
  const nowMs = clock.nowMs();
  const old = imports.filter(({ created_at }) => nowMs - Date.parse(created_at) >= SHORTEST_RETENTION_MS);
  for (const some of batchesOf(old, IMPORTS_READ)) {
    const ids = some.map(({ import_id }) => import_id);
    const items = await stores.imports.readAll(some[0]?.company_id ?? '', ids);
    const refusal = items.map((item) => refusalOf(item, nowMs)).find((each) => each !== undefined);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The real imports of a run that are not reverted; `undefined` if the company has no such run. */
export async function leftOfRun(
  { company_id, run_id }: Pick<RunRevert, 'company_id' | 'run_id'>,
  { imports }: Pick<ImportStores, 'imports'>,
): Promise<ImportSummary[] | undefined> {
  const all = await imports.importsOfRun(company_id, run_id);
  return all.length === 0 ? undefined : all.filter(({ reverted_at }) => reverted_at === null);
}

const IMPORTS_READ = 500;
const SHORTEST_RETENTION_MS = RETENTION_DAYS.min * 24 * 60 * 60 * 1000;
