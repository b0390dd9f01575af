/** The gate: exact figures against the committed ones. */
export interface Regression {
  readonly figure: string;
  readonly committed: number;
  readonly now: number | undefined;
}

/** Growth that the gate accepts without a commit of the new figure. */
const TOLERANCE = 0.01;
/** A bundle grows with every line of its function; only a library must not be added unnoticed. */
const BUNDLE = 'bundle bytes: ';
const BUNDLE_SLACK_BYTES = 2048;

const mostOf = (figure: string, committed: number): number =>
  Math.max(committed * (1 + TOLERANCE), figure.startsWith(BUNDLE) ? committed + BUNDLE_SLACK_BYTES : 0);

/** Figures that are more than 1 % worse than committed (a bundle: 2 KB), or no longer measured. Lower is better throughout. */
export function regressions(
  committed: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): Regression[] {
  return Object.entries(committed)
    .filter(([figure, value]) => !((now[figure] ?? Number.NaN) <= mostOf(figure, value)))
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
