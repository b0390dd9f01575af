import { countsOf } from './lifecycle.ts';
import { routePath } from '../shared/routes.ts';
import type { Import, ImportItem, ImportSummary, RecordResult } from '../shared/model.ts';

/** How long a client does well to wait before it asks again. */
export const RETRY_AFTER = { 'retry-after': '1' } as const;

/** The import resource (§2.8) as every operation returns it. */
export function importResource(item: ImportItem, records: readonly RecordResult[]): Import {
  return { ...importWithoutRecords(item), records };
}

export function importWithoutRecords(item: ImportItem): ImportSummary {
  const { import_id, company_id, status, dry_run, created_at, completed_at } = item;
  return { import_id, company_id, status, dry_run, created_at, completed_at, counts: countsOf(item) };
}

export function importPath({ company_id, import_id }: ImportItem): string {
  return routePath('get-import', { company_id, import_id });
}
