/** What no answer may be, whatever was sent. */
import { wrongHeaders, wrongShape } from '../matrix/judge.ts';
import type { Answered, Sent } from '../support/target.ts';

/** Stands in hostile input; an error page never shows it. */
export const CANARY = '<script>';
const INNARDS =
  /\n\s+at |node:internal|\.ts:\d|\.mjs:\d|node_modules|Exception|dynamo|TypeError|RangeError|undefined is not/i;
const SLOW_MS = 10_000;

export function faultsOf({ route }: Sent, answered: Answered, tookMs: number): string[] {
  const { status, text } = answered;
  const isError = status >= 400;
  const rules: readonly (readonly [string, boolean])[] = [
    [`status ${status}`, status >= 500 || status < 200],
    ['shows its innards', isError && INNARDS.test(text)],
    ['echoes its input', isError && text.includes(CANARY)],
    [`took ${Math.round(tookMs)} ms`, tookMs > SLOW_MS],
  ];
  return [
    ...rules.filter(([, isBroken]) => isBroken).map(([name]) => name),
    ...wrongHeaders(route, answered),
    ...wrongShape(route, answered),
  ];
}
