/** The results of a run against the digests of its imports (§4.10), line by line: memory grows with the imports, not with the lines. */
import * as v from 'valibot';
import type { EvidenceEntry } from '../../wire/types.ts';
import { canonicalLine, Digest } from '../ground/digest.ts';
import type { Finding } from './words.ts';

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

const placeOf = ({ file, line }: Pick<GivenResult, 'file' | 'line'>): string => `${file}, line ${line}`;

class ImportTally {
  readonly #entry: EvidenceEntry;
  readonly #results = new Digest();
  readonly #records = new Digest();
  #first: GivenResult | undefined;
  #last: GivenResult | undefined;
  #count = 0;
  #isErased: boolean;
  /** The first line that is out of place; digests say no more than it. */
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
      this.#moved ??= this.#finding('results moved', {
        index: result.index,
        expected: this.#count,
        place: placeOf(line),
      });
    this.#count += 1;
    this.#isErased ||= result['erased'] === true;
    this.#results.update(canonicalLine(result));
    this.#records.update(canonicalLine(record ?? null));
    if (record === undefined) this.#withoutRecord ??= line;
    else this.hasRecords = true;
  }

  /** @param hasRecords some line of the run has its record, so all must have */
  findings(hasRecords: boolean): Finding[] {
    const { results_digest, records_digest, counts } = this.#entry;
    if (this.#moved !== undefined) return [this.#moved];
    if (this.#count !== counts.total)
      return [this.#finding('results counted', { count: this.#count, signed: counts.total })];
    if (results_digest === null || records_digest === null) return [this.#finding('no digest', {}, 'unchecked')];
    const found: Finding[] = [];
    if (this.#results.hex() !== results_digest) found.push(this.#differing('results'));
    if (!hasRecords) return found;
    if (this.#withoutRecord !== undefined)
      found.push({ ...this.#finding('records lacking', { place: placeOf(this.#withoutRecord) }), check: 'records' });
    else if (this.#records.hex() !== records_digest) found.push(this.#differing('records'));
    return found;
  }

  #differing(check: 'results' | 'records'): Finding {
    const finding = this.#isErased
      ? this.#finding(`${check} erased`, {}, 'changed')
      : this.#finding(`${check} differ`, {});
    return { ...finding, check };
  }

  #finding(code: Finding['code'], values: Finding['values'], status: Finding['status'] = 'differs'): Finding {
    const { import_id } = this.#entry;
    const [first, last] = [this.#first, this.#last];
    const place =
      first === undefined || last === undefined
        ? '–'
        : `${placeOf(first)}${last.line > first.line ? `–${last.line}` : ''}`;
    return { check: 'results', status, code, import_id, values: { import_id, place, ...values } };
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
  code: result === undefined ? 'results unreadable' : 'results unknown',
  values: { place: placeOf(line), import_id: result?.import_id ?? '' },
});

function holding(found: readonly Finding[], count: number, hasRecords: boolean): Finding[] {
  const without = (check: Finding['check']): boolean =>
    found.every((finding) => finding.check !== check || finding.status === 'unchecked');
  const results: Finding = { check: 'results', status: 'holds', code: 'results hold', values: { count } };
  const records: Finding = hasRecords
    ? { check: 'records', status: 'holds', code: 'records hold', values: { count } }
    : { check: 'records', status: 'unchecked', code: 'no records', values: {} };
  const isWhole = without('results');
  return [...(isWhole ? [results] : []), ...(!hasRecords || (isWhole && without('records')) ? [records] : [])];
}
