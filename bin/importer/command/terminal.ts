/** Prints and asks: results go to stdout, so that they can be piped, everything else to stderr. */
import { type CANCEL_SYMBOL, confirm, isCancel, multiselect, password, select, text } from '@clack/prompts';
import { EXIT } from './errors.ts';
import { shown, shownLines } from '../engine/ground/text.ts';

export interface Output {
  readonly json: boolean;
  /** There is a terminal, so that the command can ask questions. */
  readonly interactive: boolean;
  result(text: string): void;
  jsonResult(value: unknown): void;
  note(text: string): void;
}

export function standardOutput(json: boolean): Output {
  return {
    json,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    result: (text) => void process.stdout.write(`${shown(text)}\n`),
    jsonResult: (value) => void process.stdout.write(`${shownLines(JSON.stringify(value, undefined, 2))}\n`),
    note: (text) => void process.stderr.write(`${shown(text)}\n`),
  };
}

export function printResult(output: Output, value: unknown, lines: readonly string[]): void {
  if (output.json) output.jsonResult(value);
  else for (const line of lines) output.result(line);
}

const COMMAND = 'npx --no-install course-progress-migration';

/** A command line of this command, to be copied into a shell of this machine. */
export const ownCommand = (...words: readonly string[]): string =>
  [COMMAND, ...words.map((word) => (/^[\p{L}\p{N}._/:=@-]+$/u.test(word) ? word : quoted(word)))].join(' ');

const quoted = (word: string): string =>
  process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** `45 s`, `3 min 5 s`, `2 h 10 min`; a part of a second counts as one. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Columns side by side, as wide as they need to be. Numbers are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column]).length)));
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, column) => aligned(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)];
}

/** `2026-11-21 18:04`, UTC. */
export const shortDate = (instant: string | null): string => instant?.slice(0, 16).replace('T', ' ') ?? '';

const aligned = (cell: string | number, width: number): string =>
  typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);

export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const output = process.stderr;

const required = (value: string | undefined): string | undefined => (value?.trim() ? undefined : 'Enter a value.');

/** @throws Interrupted, as all questions */
export async function askText(message: string, initialValue?: string): Promise<string> {
  const initial = initialValue === undefined ? {} : { initialValue };
  return unlessCancelled(await text({ message, output, validate: required, ...initial })).trim();
}

export async function askPassword(message: string): Promise<string> {
  return unlessCancelled(await password({ message: shown(message), output }));
}

export async function askToConfirm(message: string): Promise<boolean> {
  return unlessCancelled(await confirm({ message: shown(message), output, initialValue: false }));
}

interface Step {
  /** What is said where the step is not made. */
  readonly nothing: string;
  /** How to make it without a terminal. */
  readonly unasked: string;
}

/** The error where a step needs an answer, and there is no terminal. With `--json` it is printed like any other error. */
export const unconfirmed = ({ nothing, unasked }: Step) => ({
  error: `${nothing}: cannot ask for confirmation (no terminal). ${unasked}`,
  exit_code: EXIT.usage,
});

/**
 * Whether a person agrees to a step.
 *
 * @returns the exit code if the step is not to be made
 */
export async function refusalOf(
  output: Output,
  question: string,
  { code, ...step }: Step & { readonly code: number },
): Promise<number | undefined> {
  if (!output.interactive) {
    const refused = unconfirmed(step);
    output.note(refused.error);
    printResult(output, refused, []);
    return refused.exit_code;
  }
  if (await askToConfirm(question)) return undefined;
  output.note(`${step.nothing}.`);
  return code;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export async function askChoice(message: string, options: readonly Choice[]): Promise<string> {
  return unlessCancelled(await select(selection(message, options)));
}

/** The values that were marked with the space bar: none, if nothing was. */
export async function askSome(message: string, options: readonly Choice[]): Promise<string[]> {
  return unlessCancelled(await multiselect({ ...selection(message, options), required: false }));
}

const selection = (message: string, options: readonly Choice[]) => ({
  message: shown(message),
  output,
  options: options.map(({ value, label }) => ({ value, label: shown(label) })),
  maxItems: 12,
});

function unlessCancelled<Value>(value: Value | typeof CANCEL_SYMBOL): Value {
  if (isCancel(value)) throw new Interrupted('Cancelled.');
  return value;
}
