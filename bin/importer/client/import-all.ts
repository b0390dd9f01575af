/** Imports any number of records in one call: the engine cuts, sends and follows them; this file collects the results. */
import { batchesOf, type Repeat } from '../engine/apply/batches.ts';
import { RecordIdSet } from '../engine/ground/record-ids.ts';
import type { Entry } from '../engine/apply/record-source.ts';
import { callKey } from '../engine/run/keys.ts';
import { type ImportService, sendAll } from '../engine/run/send.ts';
import type { Import, ImportRecord, RecordResult } from '../wire/types.ts';

export interface ImportAllOptions {
  /** Validate only; nothing is imported. */
  readonly dry_run?: boolean;
  /** Names the migration that the imports are part of. */
  readonly run_id?: string;
  /** Under the same key nothing is imported twice: repeat the call after a crash. 1 to 200 visible ASCII characters. */
  readonly key?: string;
  /** Uploads at once; 4 by default. Four times as many imports may be open. */
  readonly parallel?: number;
  /** Called for each import that has ended, in any order. */
  readonly onImport?: (ended: Import) => void;
}

export interface ImportedAll {
  readonly counts: Import['counts'];
  readonly import_ids: readonly string[];
  /** One for each record, in their order; `index` is the position in the call. */
  readonly records: readonly RecordResult[];
}

/**
 * Imports all records. An `external_record_id` that occurred before in the call is not sent: its result is the error
 * `duplicate_external_record_id`, as it would be within one import.
 *
 * @throws the errors of the service; imports that were accepted by then run to their end, and repeating the call resumes
 * @example
 * const startImport = async ({ records }, key) => ({
 *   import: { import_id: key, counts: {}, records: records.map((_, index) => ({ index, status: 'success', warnings: [] })) },
 * }); // in place of a client
 * const records = ['r-1', 'r-2', 'r-1'].map((external_record_id) => ({ external_record_id }));
 * const { import_ids, records: results } = await importAll({ startImport }, records, { key: 'history-2024' });
 * import_ids; // => ['history-2024-7LVmPRqfhfdp1_jwCnP0xdkCTqOG1OblK2hY87iG']
 * results.map(({ status }) => status); // => ['success', 'success', 'error']
 */
export async function importAll(
  service: ImportService,
  records: Iterable<ImportRecord> | AsyncIterable<ImportRecord>,
  options: ImportAllOptions = {},
): Promise<ImportedAll> {
  const { dry_run = false, run_id = null, key = 'import-all', parallel = 4, onImport } = options;
  const results: RecordResult[] = [];
  const import_ids: string[] = [];
  const onRepeat = (repeat: Repeat): void => void (results[repeat.entry.row.line] = resultOf(repeat));
  const ended = sendAll({
    service,
    batches: batchesOf(entriesOf(records), { file: '', position: 0, ids: new RecordIdSet(), onRepeat }),
    dry_run,
    run_id,
    // A dry run under the key of an earlier one would only repeat its report.
    keyOf: ({ digest, position }) => (dry_run ? crypto.randomUUID() : callKey(key, digest, position, run_id)),
    parallel,
  });
  for await (const { position, lines, import: each } of ended) {
    import_ids[position] = each.import_id;
    for (const result of each.records) {
      const index = lines[result.index] ?? result.index;
      results[index] = { ...result, index };
    }
    onImport?.(each);
  }
  return { counts: countsOf(results), import_ids, records: results };
}

/** The line of a record is its position in the call. */
async function* entriesOf(records: Iterable<ImportRecord> | AsyncIterable<ImportRecord>): AsyncGenerator<[Entry]> {
  let line = 0;
  for await (const record of records) {
    yield [{ record, row: { line } }];
    line += 1;
  }
}

const resultOf = ({ entry, id, first }: Repeat): RecordResult => ({
  index: entry.row.line,
  external_record_id: id,
  status: 'error',
  outcome: null,
  errors: [
    {
      error_code: 'duplicate_external_record_id',
      message: `external_record_id is the same as that of record ${first.line}.`,
      field: 'external_record_id',
    },
  ],
  warnings: [],
  progress: null,
});

function countsOf(results: readonly RecordResult[]): Import['counts'] {
  const succeeded = results.filter(({ status }) => status === 'success').length;
  const with_warnings = results.filter(({ warnings }) => warnings.length > 0).length;
  return {
    total: results.length,
    processed: results.length,
    succeeded,
    failed: results.length - succeeded,
    archived: results.filter(({ archived }) => archived === true).length,
    with_warnings,
  };
}
