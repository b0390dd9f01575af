/** The gate: exact figures against the committed ones. */
export interface Regression {
  readonly figure: string;
  readonly committed: number;
  readonly now: number | undefined;
}

/** What is allowed to grow before somebody has to say that it is meant. */
const TOLERANCE = 0.01;

/** Figures that are more than 1 % worse than committed, or that are no longer measured. Lower is better throughout. */
export function regressions(
  committed: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): Regression[] {
  return Object.entries(committed)
    .filter(([figure, value]) => !((now[figure] ?? Number.NaN) <= value * (1 + TOLERANCE)))
    .map(([figure, value]) => ({ figure, committed: value, now: now[figure] }));
}

/** Figures that are more than 1 % better, or new: commit them, so that they cannot be lost again. */
export function improvements(
  committed: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(now)
    .filter(([figure, value]) => !(value >= (committed[figure] ?? Number.NaN) * (1 - TOLERANCE)))
    .map(([figure]) => figure);
}
