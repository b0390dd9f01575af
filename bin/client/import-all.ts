/** Any number of records as imports: cut, sent under keys, followed and collected. */
import { createHash, randomUUID } from 'node:crypto';
import { externalRecordIdOf } from '../../functions/records/identifiers.ts';
import { MAX_RECORDS_PER_IMPORT } from '../../functions/shared/limits.ts';
import { inParallel } from './in-parallel.ts';
import type { Import, ImportRecord, RecordResult } from './types.ts';

/** Below the 4 MiB of a request, which has more in it than the records. */
const MAX_BATCH_BYTES = 3.5 * 1024 * 1024;
const PARALLEL = 4;

export interface ImportAllOptions {
  /** Validate only; nothing is imported. */
  readonly dry_run?: boolean;
  /** Names the migration that the imports are part of. */
  readonly run_id?: string;
  /**
   * Sending the same records again under the same key imports nothing twice, and returns the results of the first time: repeat
   * the call after a crash. Another key imports them again. 1 to 200 visible ASCII characters.
   */
  readonly key?: string;
  /** Imports at once; 4 by default. */
  readonly parallel?: number;
  /** Called for each import that has ended, in any order. */
  readonly onImport?: (ended: Import) => void;
}

export interface ImportedAll {
  readonly counts: Import['counts'];
  /** In the order of the records. */
  readonly import_ids: readonly string[];
  /** One for each record, in their order; `index` is the position in the call. */
  readonly records: readonly RecordResult[];
}

export interface ImportBody {
  readonly dry_run: boolean;
  readonly run_id?: string;
  readonly records: readonly ImportRecord[];
}

/** Sends one import under a key, and follows it to its end. */
export type Send = (body: ImportBody, key: string) => Promise<Import>;

/**
 * Imports all records. An `external_record_id` that occurred before in the call is not sent: its result is the error
 * `duplicate_external_record_id`, as it would be within one import.
 *
 * @throws what `send` throws; imports that were accepted by then run to their end, and repeating the call resumes
 */
export async function importAll(
  send: Send,
  records: Iterable<ImportRecord> | AsyncIterable<ImportRecord>,
  options: ImportAllOptions = {},
): Promise<ImportedAll> {
  const { dry_run = false, run_id, key = 'import-all', parallel = PARALLEL, onImport } = options;
  const results: RecordResult[] = [];
  const ended: { readonly position: number; readonly import: Import }[] = [];
  const repeated = (result: RecordResult): void => void (results[result.index] = result);
  const followed = inParallel(batchesOf(records, repeated), parallel, async (batch) => ({
    batch,
    import: await send(bodyOf(batch, dry_run, run_id), keyOf(batch, dry_run, run_id, key)),
  }));
  for await (const { batch, import: each } of followed) {
    ended.push({ position: batch.position, import: each });
    for (const result of each.records) {
      const index = batch.indexes[result.index] ?? result.index;
      results[index] = { ...result, index };
    }
    onImport?.(each);
  }
  const import_ids = ended.toSorted((a, b) => a.position - b.position).map((each) => each.import.import_id);
  return { counts: countsOf(results), import_ids, records: results };
}

interface Batch {
  readonly position: number;
  readonly records: readonly ImportRecord[];
  /** Of each record in the call. */
  readonly indexes: readonly number[];
  /** SHA-256 of the records. */
  readonly digest: string;
}

const bodyOf = ({ records }: Batch, dry_run: boolean, run_id: string | undefined): ImportBody => ({
  dry_run,
  records,
  ...(run_id === undefined ? {} : { run_id }),
});

/** A dry run under the key of an earlier one would only repeat its report. */
const keyOf = ({ digest, position }: Batch, dry_run: boolean, run_id: string | undefined, key: string): string =>
  dry_run ? randomUUID() : `${key}-${digestOf([digest, String(position), run_id ?? ''])}`;

async function* batchesOf(
  records: Iterable<ImportRecord> | AsyncIterable<ImportRecord>,
  onRepeat: (result: RecordResult) => void,
): AsyncGenerator<Batch> {
  const firsts = new Map<string, number>();
  let filling = new BatchBuilder(0);
  let index = 0;
  for await (const record of records) {
    // A record without a usable id is sent, so that the service says so.
    const id = externalRecordIdOf(record);
    const first = id === null ? undefined : firsts.get(id);
    if (first === undefined) {
      if (id !== null) firsts.set(id, index);
      const text = JSON.stringify(record);
      if (!filling.hasRoomFor(text)) {
        yield filling.batch();
        filling = new BatchBuilder(filling.position + 1);
      }
      filling.add(record, index, text);
    } else onRepeat(repeat(index, record.external_record_id, first));
    index += 1;
  }
  if (filling.size > 0) yield filling.batch();
}

class BatchBuilder {
  readonly position: number;
  readonly #records: ImportRecord[] = [];
  readonly #indexes: number[] = [];
  readonly #texts = createHash('sha256');
  #bytes = 0;

  constructor(position: number) {
    this.position = position;
  }

  get size(): number {
    return this.#records.length;
  }

  hasRoomFor(text: string): boolean {
    const fits = this.size < MAX_RECORDS_PER_IMPORT && this.#bytes + Buffer.byteLength(text) < MAX_BATCH_BYTES;
    return this.size === 0 || fits;
  }

  add(record: ImportRecord, index: number, text: string): void {
    this.#records.push(record);
    this.#indexes.push(index);
    this.#texts.update(text).update('\n');
    this.#bytes += Buffer.byteLength(text) + 1;
  }

  batch(): Batch {
    return {
      position: this.position,
      records: this.#records,
      indexes: this.#indexes,
      digest: this.#texts.digest('hex'),
    };
  }
}

const digestOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 40);

const repeat = (index: number, external_record_id: string, first: number): RecordResult => ({
  index,
  external_record_id,
  status: 'error',
  outcome: null,
  errors: [
    {
      error_code: 'duplicate_external_record_id',
      message: `external_record_id is the same as that of record ${first}.`,
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
    with_warnings,
  };
}
