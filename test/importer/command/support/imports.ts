import type { Import } from '../../../../bin/importer/wire/types.ts';

export const countsOf = (total: number, failed = 0): Import['counts'] => ({
  total,
  processed: total,
  succeeded: total - failed,
  failed,
  with_warnings: 0,
});

/** An import as the service has it, with nothing in it but what the test needs. */
export const importOf = (import_id: string, more: Partial<Import> = {}): Import => ({
  import_id,
  company_id: 'acme',
  status: 'success',
  dry_run: false,
  created_at: '2026-01-01T00:00:00.000Z',
  created_by: 1,
  run_id: null,
  completed_at: null,
  cancelled_at: null,
  reverted_at: null,
  counts: countsOf(0),
  records: [],
  ...more,
});
