/** The first pass over the whole files; nothing is sent before it has ended. */
import { sha256Hex } from '../ground/digest.ts';
import { refusal } from '../ground/errors.ts';
import { Notes } from '../language/notes.ts';
import type { Repeat } from '../apply/batches.ts';
import type { RecordSet } from '../apply/record-set.ts';
import type { RowCounts } from '../apply/record-source.ts';
import type { PreviewBuilder } from './preview.ts';
import type { OnProgress } from './send.ts';

/** What the first pass over the files has counted. */
export interface Survey extends RowCounts {
  readonly records: number;
  /** Records whose id occurred before; they are not sent. */
  readonly repeats: number;
  readonly firstRepeat: Repeat | undefined;
  /** Rows of kinds that nobody has confirmed, or without a learner or course; they are not sent. */
  readonly unconfirmed: number;
  /** The digest of each batch; it must be the same when the batch is sent. */
  readonly digests: readonly string[];
  readonly notes: Notes;
}

/** `clear` drops the records of a reading that did not count. */
export type RecordTaker = Pick<PreviewBuilder, 'addRecord' | 'clear'>;

/**
 * Names tell whose addresses several people share only when all rows are read: where there are such addresses, which no mapping
 * decides about, everything is read again.
 *
 * @param preview takes each record that would be sent
 * @throws EngineError for the first place that cannot be read, and for files without records
 */
export async function surveyOf(
  set: RecordSet,
  { preview, onProgress }: { readonly preview?: RecordTaker | undefined; readonly onProgress?: OnProgress } = {},
): Promise<Survey> {
  const notes = new Notes();
  const digests: string[] = [];
  const found = { records: 0, repeats: 0, unconfirmed: 0 };
  let firstRepeat: Repeat | undefined;
  const onRow = (): void => onProgress?.({ step: 'read', records: 1, isResumed: false });
  const reading = set.read({ notes, onRow });
  for await (const { digest, entries, repeats, unconfirmed } of reading.chunks) {
    digests.push(digest);
    found.unconfirmed += unconfirmed.length;
    found.records += entries.length;
    found.repeats += repeats.length;
    firstRepeat ??= repeats[0];
    if (preview !== undefined)
      for (const { record, row, joined } of entries) preview.addRecord(record, row.line, row, joined?.length);
  }
  if (reading.isProvisional()) {
    preview?.clear();
    return surveyOf(set, { preview });
  }
  refuseBothOrders(notes);
  const counts = reading.counts();
  if (counts.rows + leftOutRows(counts) === 0) throw refusal('set_without_rows', { name: set.name });
  return { ...counts, ...found, firstRepeat, digests, notes };
}

/** Nobody has chosen day-first or month-first for the other dates. @throws EngineError */
function refuseBothOrders(notes: Notes): void {
  const [first] = notes.bothOrders();
  if (first === undefined) return;
  const [column, { either, swapped }] = first;
  throw refusal('orders_contradict', { column, swapped, either });
}

/** SHA-256 of all records: the same for the same records in the same batches. */
export const recordsHash = ({ digests }: Pick<Survey, 'digests'>): string => sha256Hex(digests.join());

export const leftOutRows = ({ leftOut }: Pick<RowCounts, 'leftOut'>): number =>
  Object.values(leftOut).reduce((sum, count) => sum + count, 0);

/** Rows that are left out; of rows that are joined to records, they are no unit of the summary. */
export const skippedOf = ({ isGrouped }: RecordSet, survey: Survey): number =>
  isGrouped ? 0 : survey.skipped + leftOutRows(survey);

/** Rows that became a record together with an earlier row. */
export const joinedRows = ({ isGrouped }: RecordSet, { rows, records, repeats, unconfirmed }: Survey): number =>
  isGrouped ? rows - unconfirmed - records - repeats : 0;

/** The sheets of the files that are not imported, and why. */
export const sheetsLeft = ({ sources }: RecordSet) =>
  sources.flatMap(({ file: { path, sheets = [] } }) =>
    sheets.flatMap(({ name, isImported, reason }) => (isImported ? [] : [{ file: path, name, reason }])),
  );
