import type { Import } from '../../client/index.ts';
import { grouped } from '../progress/meter.ts';

/** What happened to the rows, summed over imports. */
export interface Summary {
  readonly rows: number;
  readonly applied: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Records by error code; a record with several codes counts under each. */
  readonly rejected_by_reason: Readonly<Record<string, number>>;
  /** Records by warning code. */
  readonly warnings_by_kind: Readonly<Record<string, number>>;
}

export class SummaryBuilder {
  #rows = 0;
  #rejected = 0;
  readonly #outcomes = { applied: 0, updated: 0, unchanged: 0 };
  readonly #reasons = new Map<string, number>();
  readonly #warnings = new Map<string, number>();

  add({ records }: Pick<Import, 'records'>): void {
    for (const { outcome, errors, warnings } of records) {
      this.#rows += 1;
      if (outcome === null) this.#rejected += 1;
      else this.#outcomes[outcome] += 1;
      for (const code of new Set(errors.map(({ error_code }) => error_code))) increment(this.#reasons, code);
      for (const code of new Set(warnings.map(({ warning_code }) => warning_code))) increment(this.#warnings, code);
    }
  }

  summary(): Summary {
    return {
      rows: this.#rows,
      ...this.#outcomes,
      rejected: this.#rejected,
      rejected_by_reason: mostFirst(this.#reasons),
      warnings_by_kind: mostFirst(this.#warnings),
    };
  }
}

function increment(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

const mostFirst = (counts: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));

/** The summary as text. */
export function summaryLines(summary: Summary, dry_run: boolean): string[] {
  const { rows, applied, updated, unchanged, rejected } = summary;
  const would = dry_run ? 'would be ' : '';
  return [
    `${grouped(rows)} rows`,
    ...counted([
      [`${would}applied`, applied],
      [`${would}updated`, updated],
      [dry_run ? 'would stay unchanged' : 'unchanged', unchanged],
      [`${would}rejected`, rejected],
    ]),
    ...section('rejected, by reason', summary.rejected_by_reason),
    ...section('warnings, by kind', summary.warnings_by_kind),
  ];
}

function section(title: string, counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts);
  return entries.length === 0 ? [] : [title, ...counted(entries)];
}

const counted = (entries: readonly (readonly [string, number])[]): string[] =>
  entries.map(([name, count]) => `  ${grouped(count).padStart(9)}  ${name}`);
