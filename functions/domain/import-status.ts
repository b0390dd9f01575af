import type { ImportCounts, ImportItem } from './model.ts';

/** What a poll tells of an import: the counts of the chunks that are summarised. They only grow. */
export function countsOf(item: Pick<ImportItem, 'total' | 'summaries'>): ImportCounts {
  const summaries = Object.values(item.summaries);
  const succeeded = sum(summaries.map((summary) => summary.succeeded));
  const failed = sum(summaries.map((summary) => summary.failed));
  const with_warnings = sum(summaries.map((summary) => summary.with_warnings));
  return { total: item.total, processed: succeeded + failed, succeeded, failed, with_warnings };
}

/** §3: `success` where every record was applied, `error` where none was, else `partial_success`. Warnings do not matter. */
export function terminalStatus(counts: ImportCounts): 'success' | 'partial_success' | 'error' {
  if (counts.succeeded === 0) return 'error';
  return counts.succeeded === counts.total ? 'success' : 'partial_success';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
