/** A migration as a whole (§4.9): the real imports that were sent with one `run_id`, folded into one resource. */
import { endCancelled, markCancelled } from './cancel.ts';
import { terminalStatus } from './lifecycle.ts';
import type { ImportStore } from './import-store.ts';
import type { ImportServices } from './services.ts';
import { METRIC } from '../runtime/metric-names.ts';
import { inParallel } from '../runtime/batching.ts';
import type { ImportSummary, Run } from '../shared/model.ts';

interface ReadingServices {
  readonly stores: { readonly imports: Pick<ImportStore, 'importsOfRun'> };
}

/** The run as it is now; `undefined` if no real import of the company has this `run_id`. */
export async function readRun(
  company_id: string,
  run_id: string,
  { stores }: ReadingServices,
): Promise<Run | undefined> {
  const imports = await stores.imports.importsOfRun(company_id, run_id);
  return imports.length === 0 ? undefined : runOf(company_id, run_id, imports);
}

function runOf(company_id: string, run_id: string, imports: readonly ImportSummary[]): Run {
  const sum = (member: keyof ImportSummary['counts']) =>
    imports.reduce((total, { counts }) => total + counts[member], 0);
  const counts = {
    imports: imports.length,
    total: sum('total'),
    processed: sum('processed'),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    with_warnings: sum('with_warnings'),
  };
  const isProcessing = imports.some(({ status }) => status === 'processing');
  const created_at = imports.map((each) => each.created_at).reduce((a, b) => (a < b ? a : b));
  const completed_at = imports.map((each) => each.completed_at ?? '').reduce((a, b) => (a > b ? a : b));
  return {
    run_id,
    company_id,
    status: isProcessing ? 'processing' : terminalStatus(counts),
    counts,
    created_at,
    completed_at: isProcessing ? null : completed_at,
  };
}

const IMPORTS_AT_ONCE = 16;

/**
 * Cancels every open import of a run. All are marked before the first one is ended, so that none of them starts
 * another chunk in between. Returns the run as it was found; `undefined` if it does not exist.
 */
export async function cancelRun(
  company_id: string,
  run_id: string,
  services: ImportServices<'imports'>,
): Promise<Run | undefined> {
  const imports = await services.stores.imports.importsOfRun(company_id, run_id);
  if (imports.length === 0) return undefined;
  const open = imports.filter(({ status }) => status === 'processing');
  services.telemetry.count(METRIC.importsCancelled, open.length);
  const marked = await inParallel(open, IMPORTS_AT_ONCE, async (each) => markCancelled(each, services));
  await inParallel(marked, IMPORTS_AT_ONCE, async (each) => endCancelled(each, services));
  return runOf(company_id, run_id, imports);
}
