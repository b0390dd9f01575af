import { refusalAt } from '../ground/errors.ts';
import { ItemCutter } from './json-items.ts';
import type { InputFile } from './bytes.ts';
import { mapped, type Pieces } from './pieces.ts';
import { decodedText, type Encoding, linesOf } from './text-file.ts';

interface JsonRow {
  /** Line of the file on which the value ends, from 1. */
  readonly line: number;
  readonly value: unknown;
  readonly around?: unknown;
}

/** The values of an NDJSON file, one on each line; empty lines are skipped. @throws EngineError for a line that is not JSON */
export function ndjsonRows(file: InputFile, encoding: Encoding): Pieces<JsonRow> {
  let line = 0;
  return mapped(linesOf(decodedText(file, encoding)), (text) => {
    line += 1;
    return text.trim() === '' ? undefined : { line, value: parseJsonText(file.name, text, { line, column: 1 }) };
  });
}

/**
 * The items of an array in a JSON file of any size and layout: only the current item is in memory.
 *
 * @param path of the array, like `data.statements`; `data.*` for all arrays of an object, whose items get the name of theirs; `data.{}` for its members
 * @throws EngineError for a file without that array, and for an item over 1 MiB
 */
export function jsonArrayRows(file: InputFile, encoding: Encoding, path?: string): Pieces<JsonRow> {
  const cutter = new ItemCutter(file.name, path);
  async function* cut() {
    for await (const piece of decodedText(file, encoding)) yield cutter.read(piece);
    cutter.end();
  }
  return mapped(cut(), ({ text, start, line }) => ({
    line,
    value: cutter.named(parseJsonText(file.name, text, start)),
    around: cutter.around,
  }));
}

/** The service limits the depth of whole requests, so one deeper record would make it refuse a whole batch. */
const MAX_RECORD_LEVELS = 30;

/** @param start the place of the text in the file. @throws EngineError naming the place of the error */
function parseJsonText(path: string, text: string, start: { line: number; column: number }): unknown {
  let value: unknown;
  try {
    value = exactJson(text);
  } catch {
    throw refusalAt(path, placeIn(text, jsonErrorOffset(text), start), 'not_json', {});
  }
  if (levels(value) > MAX_RECORD_LEVELS) throw refusalAt(path, start, 'record_too_deep', { levels: MAX_RECORD_LEVELS });
  return value;
}

/** Strings too, so that digits in a string are not taken for a number. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g;
const isRounded = (token: string) => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));

/** A whole number beyond 2^53 becomes a string of its digits: rounded, two ids could become one. */
function exactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  return JSON.parse(text.replaceAll(STRING_OR_NUMBER, (token) => (isRounded(token) ? `"${token}"` : token)));
}

function placeIn(text: string, offset: number, { line, column }: { line: number; column: number }) {
  const before = text.slice(0, offset).split('\n');
  const last = before.at(-1) ?? '';
  return before.length === 1
    ? { line, column: column + offset }
    : { line: line + before.length - 1, column: last.length + 1 };
}

function levels(value: unknown, limit = MAX_RECORD_LEVELS + 1): number {
  if (typeof value !== 'object' || value === null || limit === 0) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((member) => levels(member, limit - 1)));
}

/** A structural character, a string, or a number, `true`, `false` or `null`. Anything else is not JSON. */
const TOKEN =
  // oxlint-disable-next-line no-control-regex -- JSON requires control characters to be escaped
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\u{0}-\u{1f}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy;
const BLANKS = /[ \t\r\n]*/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end' | 'nothing';

/** Offset of the first error in a text that is not JSON. `JSON.parse` reports it only in its message, and not always. */
function jsonErrorOffset(text: string): number {
  const open: Open = [];
  let expected: Expected = 'value';
  let offset = 0;
  for (;;) {
    const start = after(BLANKS, text, offset);
    TOKEN.lastIndex = offset;
    const [, structure, string, scalar] = TOKEN.exec(text) ?? [];
    const token = structure ?? (string === undefined ? scalar && 'scalar' : 'text');
    const next: Expected | undefined = token === undefined ? undefined : FOLLOW[expected](token, open);
    if (next === undefined) return start;
    expected = next;
    offset = TOKEN.lastIndex;
  }
}

function after(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  pattern.exec(text);
  return pattern.lastIndex;
}

type Open = ('{' | '[')[];
type Follow = (token: string, open: Open) => Expected | undefined;

const key: Follow = (token) => (token === 'text' ? 'colon' : undefined);

/** The tokens that may follow a token; `undefined` if the token is not allowed here. */
const FOLLOW: Readonly<Record<Expected, Follow>> = {
  value: afterValueStart,
  'value or ]': (token, open) => (token === ']' ? closed(open) : afterValueStart(token, open)),
  key,
  'key or }': (token, open) => (token === '}' ? closed(open) : key(token, open)),
  colon: (token) => (token === ':' ? 'value' : undefined),
  'comma or end': afterValue,
  nothing: () => undefined,
};

function afterValueStart(token: string, open: Open): Expected | undefined {
  if (token === 'text' || token === 'scalar') return open.length === 0 ? 'nothing' : 'comma or end';
  if (token !== '{' && token !== '[') return undefined;
  open.push(token);
  return token === '{' ? 'key or }' : 'value or ]';
}

function afterValue(token: string, open: Open): Expected | undefined {
  const inObject = open.at(-1) === '{';
  if (token === ',') return inObject ? 'key' : 'value';
  return token === (inObject ? '}' : ']') ? closed(open) : undefined;
}

function closed(open: Open): Expected {
  open.pop();
  return open.length === 0 ? 'nothing' : 'comma or end';
}
