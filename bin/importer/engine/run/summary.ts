import type { Import } from '../../wire/types.ts';
import type { Batch } from '../apply/batches.ts';
import { countLine, grouped } from '../ground/text.ts';

export type Summary = ReturnType<SummaryBuilder['summary']>;

interface Places {
  /** The chunk's position in the run: imports end in any order. */
  readonly position: number;
  /** Shown if the run has several files. */
  readonly file?: string | undefined;
  readonly lines: readonly number[];
}

interface Example {
  readonly position: number;
  readonly line: number;
  readonly message: string;
}

/** The records of a batch that are not sent, with their errors: repeated ids, and rows of kinds that nobody has confirmed. */
export const unsentOf = ({ repeats, unconfirmed }: Pick<Batch, 'repeats' | 'unconfirmed'>) => [
  ...repeats.map(({ entry, id, first }) => ({
    entry,
    error: {
      error_code: 'duplicate_external_record_id',
      message: `external_record_id ${JSON.stringify(id)} occurs before, in ${first.file} on line ${first.line}; only that record is imported`,
    },
  })),
  ...unconfirmed.flatMap((entry) => (entry.rejection === undefined ? [] : [{ entry, error: entry.rejection }])),
];

export class SummaryBuilder {
  /** Of the counts: a row is a record, unless rows were joined. */
  readonly #unit: 'rows' | 'records';
  #rows = 0;
  #rejected = 0;
  readonly #outcomes = { applied: 0, updated: 0, unchanged: 0 };
  /** Records by error code: one with several codes counts under each. */
  readonly #reasons = new Map<string, number>();
  /** The first message of each error code in the order of the files, with its place. */
  readonly #examples = new Map<string, Example>();
  readonly #warnings = new Map<string, number>();

  constructor(unit: 'rows' | 'records') {
    this.#unit = unit;
  }

  add({ records }: Pick<Import, 'records'>, places: Places): void {
    for (const { index, outcome, errors, warnings } of records) {
      this.#rows += 1;
      if (outcome === null) this.#rejected += 1;
      else this.#outcomes[outcome] += 1;
      for (const code of new Set(errors.map(({ error_code }) => error_code))) increment(this.#reasons, code);
      for (const { error_code, message } of errors) this.#example(error_code, message, places, index);
      for (const code of new Set(warnings.map(({ warning_code }) => warning_code))) increment(this.#warnings, code);
    }
  }

  addUnsent(unsent: ReturnType<typeof unsentOf>, { position, file }: Pick<Places, 'position' | 'file'>): void {
    this.#rows += unsent.length;
    this.#rejected += unsent.length;
    for (const { entry, error } of unsent) {
      increment(this.#reasons, error.error_code);
      this.#example(error.error_code, error.message, { position, file, lines: [entry.row.line] }, 0);
    }
  }

  #example(code: string, message: string, { position, file, lines }: Places, index: number): void {
    const line = lines[index] ?? 0;
    const known = this.#examples.get(code);
    if (known && (known.position - position || known.line - line) <= 0) return;
    const place = `${file === undefined ? '' : `${file}, `}line ${line}`;
    this.#examples.set(code, { position, line, message: `${place}: ${message}` });
  }

  /** The same for the same imports, in whichever order they ended. */
  summary() {
    const rejected_by_reason = mostFirst(this.#reasons);
    return {
      unit: this.#unit,
      rows: this.#rows,
      ...this.#outcomes,
      rejected: this.#rejected,
      rejected_by_reason,
      examples: Object.fromEntries(
        Object.keys(rejected_by_reason).flatMap((code) => {
          const example = this.#examples.get(code);
          return example === undefined ? [] : [[code, example.message]];
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

/** Of a second dry run, whether the file and the platform agree. */
function agreement(summary: Summary): string {
  const { rows, rejected, unit } = summary;
  const count = `${grouped(wouldChange(summary))} of ${grouped(rows)} ${unit} would change`;
  if (wouldChange(summary) > 0) return `${count}.`;
  return rejected === 0
    ? `${count}: the file and the platform agree.`
    : `${count}: all that is not rejected is on the platform.`;
}

/** The summary as text. @param skipped what the mapping skips, in the unit of the counts: it was not sent */
export function summaryLines(summary: Summary, dry_run: boolean, skipped = 0): string[] {
  const { unit, rows, applied, updated, unchanged, rejected } = summary;
  const would = dry_run ? 'would be ' : '';
  return [
    `${grouped(rows + skipped)} ${rows + skipped === 1 ? unit.slice(0, -1) : unit}`,
    ...counted([
      [`${would}applied`, applied],
      [`${would}updated`, updated],
      [dry_run ? 'would stay unchanged' : 'unchanged', unchanged],
      [`${would}rejected`, rejected],
      ...(skipped > 0 ? ([['left out, as the mapping says', skipped]] as const) : []),
    ]),
    ...(dry_run ? [agreement(summary)] : []),
    ...section('rejected, by reason', summary.rejected_by_reason),
    ...exampleLines(summary),
    ...section('warnings, by kind', summary.warnings_by_kind),
  ];
}

const MOST_EXAMPLES = 3;

function exampleLines({ rejected_by_reason, examples }: Summary): string[] {
  return Object.keys(rejected_by_reason)
    .slice(0, MOST_EXAMPLES)
    .flatMap((code) => examples[code] ?? [])
    .map((line) => `    ${line}`);
}

function section(title: string, counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts);
  return entries.length === 0 ? [] : [title, ...counted(entries)];
}

const counted = (entries: readonly (readonly [string, number])[]): string[] =>
  entries.map(([name, count]) => countLine(count, name));
