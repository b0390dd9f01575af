import type { Import } from '../../wire/types.ts';
import type { Batch } from '../apply/batches.ts';
import type { Entry } from '../apply/record-source.ts';
import { type Said, say } from '../ground/codes.ts';

export type Summary = ReturnType<SummaryBuilder['summary']>;

interface Places {
  /** The chunk's position in the run: imports end in any order. */
  readonly position: number;
  /** Shown if the run has several files. */
  readonly file?: string | undefined;
  readonly lines: ArrayLike<number>;
}

/** Why a record is rejected: in the words of the service, or as a code of this program. */
export type RecordError = { readonly error_code: string; readonly field?: string | undefined } & (
  | { readonly message: string; readonly said?: undefined }
  | { readonly said: Said; readonly message?: undefined }
);

export interface Example extends Pick<Places, 'position' | 'file'> {
  readonly line: number;
  readonly error: RecordError;
}

/** The records of a batch that are not sent, with their errors: repeated ids, and rows of kinds that nobody has confirmed. */
export const unsentOf = ({
  repeats,
  unconfirmed,
}: Pick<Batch, 'repeats' | 'unconfirmed'>): { entry: Entry; error: RecordError }[] => [
  ...repeats.map(({ entry, id, first }) => ({
    entry,
    error: { error_code: 'duplicate_external_record_id', said: say('record_repeated', { id, ...first }) },
  })),
  ...unconfirmed.flatMap((entry) => (entry.rejection === undefined ? [] : [{ entry, error: entry.rejection }])),
];

/** Sums up the results of imports. */
export class SummaryBuilder {
  /** Of the counts: a row is a record, unless rows were joined. */
  readonly #unit: 'rows' | 'records';
  #rows = 0;
  #rejected = 0;
  #archived = 0;
  readonly #outcomes = { applied: 0, updated: 0, unchanged: 0 };
  /** Records by error code: one with several codes counts under each. */
  readonly #reasons = new Map<string, number>();
  /** The first record of each error code in the order of the files. */
  readonly #examples = new Map<string, Example>();
  readonly #warnings = new Map<string, number>();

  constructor(unit: 'rows' | 'records') {
    this.#unit = unit;
  }

  /** Of a builder of records that are not sent: another one that begins with them. */
  copy(): SummaryBuilder {
    const copy = new SummaryBuilder(this.#unit);
    copy.#rows = this.#rows;
    copy.#rejected = this.#rejected;
    for (const [code, count] of this.#reasons) copy.#reasons.set(code, count);
    for (const [code, example] of this.#examples) copy.#examples.set(code, example);
    return copy;
  }

  add({ records }: Pick<Import, 'records'>, places: Places): void {
    for (const { index, outcome, errors, warnings, archived } of records) {
      this.#rows += 1;
      if (outcome === null) this.#rejected += 1;
      else this.#outcomes[outcome] += 1;
      if (archived === true) this.#archived += 1;
      for (const code of new Set(errors.map(({ error_code }) => error_code))) increment(this.#reasons, code);
      for (const error of errors) this.#example(error, places, index);
      for (const code of new Set(warnings.map(({ warning_code }) => warning_code))) increment(this.#warnings, code);
    }
  }

  addUnsent(unsent: ReturnType<typeof unsentOf>, { position, file }: Pick<Places, 'position' | 'file'>): void {
    this.#rows += unsent.length;
    this.#rejected += unsent.length;
    for (const { entry, error } of unsent) {
      increment(this.#reasons, error.error_code);
      this.#example(error, { position, file, lines: [entry.row.line] }, 0);
    }
  }

  #example(error: RecordError, { position, file, lines }: Places, index: number): void {
    const line = lines[index] ?? 0;
    const known = this.#examples.get(error.error_code);
    if (known && (known.position - position || known.line - line) <= 0) return;
    this.#examples.set(error.error_code, { position, file, line, error });
  }

  /** The same for the same imports, in whichever order they ended. */
  summary() {
    const rejected_by_reason = mostFirst(this.#reasons);
    return {
      unit: this.#unit,
      rows: this.#rows,
      ...this.#outcomes,
      rejected: this.#rejected,
      /** A part of `rejected`, where the archive is asked for. */
      ...(this.#archived > 0 && { archived: this.#archived }),
      rejected_by_reason,
      examples: Object.fromEntries(
        Object.keys(rejected_by_reason).flatMap((code) => {
          const example = this.#examples.get(code);
          return example === undefined ? [] : [[code, example]];
        }),
      ),
      warnings_by_kind: mostFirst(this.#warnings),
    };
  }
}

export function increment(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

const mostFirst = (counts: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1)));

/** Records of a dry run that are not on the platform as the file says. */
export const wouldChange = ({ applied, updated }: Pick<Summary, 'applied' | 'updated'>): number => applied + updated;
