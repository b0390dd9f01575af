/** The regular expressions of the code, and whether the work of one grows faster than its text. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseAst } from 'vitest/node';
import { nodeTools } from '../../kit/node-tools.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

export interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));

/** Those written as literals in the files of a folder. */
export function literalsIn(folder: string): Expression[] {
  const found: Expression[] = [];
  for (const file of sourcesIn(folder)) {
    const program = parseAst(readFileSync(join(PROJECT, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' });
    visit(program, ({ pattern, flags }) => found.push({ file, source: pattern, flags }));
  }
  return found;
}

interface Literal {
  readonly pattern: string;
  readonly flags: string;
}

function visit(node: unknown, take: (literal: Literal) => void): void {
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return;
  if ('regex' in node) take(node.regex as Literal);
  else for (const member of Object.values(node)) visit(member, take);
}

/** Those that some work makes of texts. */
export async function madeBy(file: string, work: () => Promise<void>): Promise<Expression[]> {
  const found: Expression[] = [];
  const own = globalThis.RegExp;
  globalThis.RegExp = new Proxy(own, {
    construct(target, given: ConstructorParameters<typeof RegExp>) {
      const { source, flags } = new target(...given);
      found.push({ file, source, flags });
      return new target(...given);
    },
  });
  await work().finally(() => (globalThis.RegExp = own));
  return found;
}

interface Finding {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly type: string };
  readonly attack?: { readonly pumps: readonly Readonly<Record<'prefix' | 'pump', string>>[]; readonly suffix: string };
}
type Check = (source: string, flags: string, options?: object) => Finding;

/** Looks for texts on which an expression backtracks. */
export function checker(): Check {
  const folder = nodeTools('expressions', join(PROJECT, 'test/security/expressions'));
  const { checkSync } = createRequire(import.meta.url)(join(folder, 'node_modules/recheck/lib/browser.js')) as {
    readonly checkSync: Check;
  };
  return (source, flags) => checkSync(source, flags.replaceAll(/[dv]/g, ''), { timeout: 10_000, randomSeed: 0 });
}

/** What is too fast shows no growth, and no row has a longer text. */
const LEAST_MS = 60;
const LONGEST_TEXT = 2 ** 20;
/** Four times the text costs four times as much; the square of it sixteen times. */
const MOST_GROWTH = 9;

/**
 * A text on which the work grows faster than its length; `undefined` if there is none. The checker counts the steps of an engine of its
 * own, and takes a bounded repetition for an open one at times: so its texts are measured.
 */
export function slowText(
  { source, flags }: Omit<Expression, 'file'>,
  check: Check,
  longest = LONGEST_TEXT,
): string | undefined {
  const { attack, complexity } = check(source, flags);
  if (attack === undefined) return undefined;
  const textOf = (times: number): string =>
    attack.pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + attack.suffix;
  const shown = JSON.stringify(textOf(3));
  if (complexity?.type === 'exponential') return shown;
  const expression = new RegExp(source, flags.replaceAll(/[gy]/g, ''));
  for (let times = 64; textOf(times).length <= longest; times *= 2) {
    const long = leastMs(expression, textOf(times));
    if (long >= LEAST_MS) return long > leastMs(expression, textOf(times / 4)) * MOST_GROWTH ? shown : undefined;
  }
  return undefined;
}

/** Processor time, the best of three: others use the machine, too. */
function leastMs(expression: RegExp, text: string): number {
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    expression.test(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}
