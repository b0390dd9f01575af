import type { Import } from '../../client/index.ts';

/** What became of the rows, summed over all imports of a run. */
export interface Tally {
  readonly rows: number;
  readonly applied: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Records by error code; a record with several counts under each. */
  readonly rejected_by_reason: Readonly<Record<string, number>>;
  /** Records by warning code. */
  readonly warnings_by_kind: Readonly<Record<string, number>>;
}

export class TallySheet {
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
      for (const code of new Set(errors.map(({ error_code }) => error_code))) count(this.#reasons, code);
      for (const code of new Set(warnings.map(({ warning_code }) => warning_code))) count(this.#warnings, code);
    }
  }

  total(): Tally {
    return {
      rows: this.#rows,
      ...this.#outcomes,
      rejected: this.#rejected,
      rejected_by_reason: mostFirst(this.#reasons),
      warnings_by_kind: mostFirst(this.#warnings),
    };
  }
}

function count(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

const mostFirst = (counts: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
