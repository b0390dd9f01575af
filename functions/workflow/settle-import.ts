import { countsOf, terminalStatus } from '../domain/import-status.ts';
import type { ImportItem } from '../domain/model.ts';
import { instant } from './due-times.ts';
import type { Clock, ImportStore } from './ports.ts';

/** Chunks that have no summary yet. */
export function missingChunks(item: ImportItem): number[] {
  return item.chunks.map((_, chunk) => chunk).filter((chunk) => item.summaries[chunk] === undefined);
}

/**
 * Ends an import whose chunks all have their summary (§3). The status follows from the summaries alone, so whoever
 * comes first writes what anybody would; only the first write counts. Answers whether this call ended it.
 */
export async function settleIfComplete(
  item: ImportItem,
  services: { readonly clock: Clock; readonly imports: ImportStore },
): Promise<{ readonly item: ImportItem; readonly settled: boolean }> {
  if (item.status !== 'processing' || missingChunks(item).length > 0) return { item, settled: false };
  const status = terminalStatus(countsOf(item));
  return services.imports.settle(item.company_id, item.import_id, status, instant(services.clock.nowMs()));
}
