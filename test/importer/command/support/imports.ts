import type { Import, RecordResult } from '../../../../bin/importer/wire/types.ts';

export const countsOf = (total: number, failed = 0): Import['counts'] => ({
  total,
  processed: total,
  succeeded: total - failed,
  failed,
  archived: 0,
  with_warnings: 0,
});

/** The result of a record that was applied, or rejected with an error. */
export const resultOf = (
  index: number,
  external_record_id: string | null,
  error?: RecordResult['errors'][number],
): RecordResult => ({
  index,
  external_record_id,
  status: error === undefined ? 'success' : 'error',
  outcome: error === undefined ? 'applied' : null,
  errors: error === undefined ? [] : [error],
  warnings: [],
  progress: null,
});

/** An import as the service has it, with nothing in it but what the test needs. */
export const importOf = (import_id: string, more: Partial<Import> = {}): Import => ({
  import_id,
  company_id: 'acme',
  status: 'success',
  dry_run: false,
  created_at: '2026-01-01T00:00:00.000Z',
  created_by: 1,
  created_by_client: null,
  run_id: null,
  completed_at: null,
  cancelled_at: null,
  reverted_at: null,
  counts: countsOf(0),
  records: [],
  ...more,
});
