/** The volume of a suite: a share that fits CI, or the long run. Counts are printed, so that a run shows its volume. */
export const isLongRun = process.env['SECURITY_RUN'] === 'long';

export const volume = (bounded: number, long: number): number => (isLongRun ? long : bounded);

/** One line on stdout, past the reporter. */
export function report(line: string): void {
  process.stdout.write(`[security] ${line}\n`);
}
