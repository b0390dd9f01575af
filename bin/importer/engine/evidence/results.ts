/** The results of a run against the digests of its imports (§4.10), line by line: memory grows with the imports, not with the lines. */
import * as v from 'valibot';
import type { EvidenceEntry } from '../../wire/types.ts';
import { canonicalLine, Digest } from '../ground/digest.ts';
import { type Said, say } from '../ground/codes.ts';
import type { PlaceInFile } from '../ground/run-codes.ts';
import type { Finding } from './findings.ts';

/** A result as it was saved; `value` is `undefined` if the line is no JSON. */
export interface GivenResult {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly value: unknown;
}

const resultSchema = v.looseObject({ import_id: v.string(), index: v.pipe(v.number(), v.safeInteger()) });
type Result = v.InferInput<typeof resultSchema>;

/** The value itself: a schema would leave out members like `__proto__`. */
const resultOf = (value: unknown): Result | undefined => (v.is(resultSchema, value) ? value : undefined);

const placeOf = ({ file, line }: GivenResult): PlaceInFile => ({ path: file, line });

class ImportTally {
  readonly #entry: EvidenceEntry;
  readonly #results = new Digest();
  readonly #records = new Digest();
  #first: GivenResult | undefined;
  #last: GivenResult | undefined;
  #count = 0;
  #isErased: boolean;
  /** The first line that is out of place. It explains a wrong digest, which is not reported beside it. */
  #moved: Finding | undefined;
  #withoutRecord: GivenResult | undefined;
  hasRecords = false;

  constructor(entry: EvidenceEntry) {
    this.#entry = entry;
    this.#isErased = entry.erased === true;
  }

  add(line: GivenResult, { record, ...result }: Result): void {
    this.#first ??= line;
    this.#last = line;
    if (result.index !== this.#count)
      this.#moved ??= this.#finding(
        say('evidence_results_moved', {
          import_id: this.#entry.import_id,
          place: placeOf(line),
          index: result.index,
          expected: this.#count,
        }),
      );
    this.#count += 1;
    this.#isErased ||= result['erased'] === true;
    this.#results.update(canonicalLine(result));
    this.#records.update(canonicalLine(record ?? null));
    if (record === undefined) this.#withoutRecord ??= line;
    else this.hasRecords = true;
  }

  /** @param hasRecords some line of the run has its record, so all must have */
  findings(hasRecords: boolean): Finding[] {
    const { import_id, results_digest, records_digest, counts } = this.#entry;
    const signed = counts.total;
    if (this.#moved !== undefined) return [this.#moved];
    if (this.#count !== signed) {
      const counted = { import_id, place: this.#place(), count: this.#count, signed };
      return [this.#finding(say('evidence_results_counted', counted))];
    }
    if (results_digest === null || records_digest === null)
      return [this.#finding(say('evidence_no_digest', { import_id }), 'unchecked')];
    const found: Finding[] = [];
    if (this.#results.hex() !== results_digest) found.push(this.#differing('results'));
    if (!hasRecords) return found;
    if (this.#withoutRecord !== undefined) {
      const lacking = say('evidence_records_lacking', { import_id, place: placeOf(this.#withoutRecord) });
      found.push({ ...this.#finding(lacking), check: 'records' });
    } else if (this.#records.hex() !== records_digest) found.push(this.#differing('records'));
    return found;
  }

  #differing(check: 'results' | 'records'): Finding {
    const place = { import_id: this.#entry.import_id, place: this.#place() };
    const finding = this.#isErased
      ? this.#finding(say(`evidence_${check}_erased`, place), 'changed')
      : this.#finding(say(`evidence_${check}_differ`, place));
    return { ...finding, check };
  }

  /** All lines of the import; `undefined` without any. */
  #place(): PlaceInFile | undefined {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined) return undefined;
    return last.line > first.line ? { ...placeOf(first), last: last.line } : placeOf(first);
  }

  #finding(said: Said, status: Finding['status'] = 'differs'): Finding {
    return { check: 'results', status, said, import_id: this.#entry.import_id };
  }
}

type Tallies = ReadonlyMap<string, { readonly position: number; readonly tally: ImportTally }>;

/** Adds each result to its import. Within a file, imports come in the order of the list. @returns lines that are out of place */
async function tallied(
  tallies: Tallies,
  results: AsyncIterable<GivenResult>,
  onResult: ((result: unknown) => void) | undefined,
): Promise<Finding[]> {
  const misplaced: Finding[] = [];
  let at = { file: '', position: 0 };
  for await (const line of results) {
    if (at.file !== line.file) at = { file: line.file, position: 0 };
    const result = resultOf(line.value);
    const own = tallies.get(result?.import_id ?? '');
    if (result !== undefined && own !== undefined && own.position >= at.position) {
      at.position = own.position;
      own.tally.add(line, result);
      onResult?.(line.value);
    } else if (misplaced.length < MOST_LINES) misplaced.push(outOfPlace(line, result));
  }
  return misplaced;
}

/** Every result of every import of the list. @param onResult is given each result of an import of the list */
export async function checkResults(
  entries: readonly EvidenceEntry[],
  results: AsyncIterable<GivenResult>,
  onResult?: (result: unknown) => void,
): Promise<Finding[]> {
  const tallies: Tallies = new Map(
    entries.map((entry, position) => [entry.import_id, { position, tally: new ImportTally(entry) }]),
  );
  const found = await tallied(tallies, results, onResult);
  const hasRecords = [...tallies.values()].some(({ tally }) => tally.hasRecords);
  for (const { tally } of tallies.values()) found.push(...tally.findings(hasRecords));
  return [...found, ...holding(found, entries.length, hasRecords)];
}

/** What follows a line out of place is often out of place, too. */
const MOST_LINES = 20;

const outOfPlace = (line: GivenResult, result: Result | undefined): Finding => ({
  check: 'results',
  status: 'differs',
  said:
    result === undefined
      ? say('evidence_results_unreadable', { place: placeOf(line) })
      : say('evidence_results_unknown', { place: placeOf(line), import_id: result.import_id }),
});

function holding(found: readonly Finding[], count: number, hasRecords: boolean): Finding[] {
  const without = (check: Finding['check']): boolean =>
    found.every((finding) => finding.check !== check || finding.status === 'unchecked');
  const results: Finding = { check: 'results', status: 'holds', said: say('evidence_results_hold', { count }) };
  const records: Finding = hasRecords
    ? { check: 'records', status: 'holds', said: say('evidence_records_hold', { count }) }
    : { check: 'records', status: 'unchecked', said: say('evidence_no_records', {}) };
  const isWhole = without('results');
  return [...(isWhole ? [results] : []), ...(!hasRecords || (isWhole && without('records')) ? [records] : [])];
}
