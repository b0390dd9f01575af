/** JSON text and JSON values: the members of a text before it is parsed, the size of a value, and its text in two spellings. */
import { excerpt } from './text.ts';

/** Whether a JSON value is an object: neither an array nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Bytes of a value as JSON, in UTF-8; `Infinity` if it nests too deep for the engine to write. */
export function jsonBytes(value: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** JSON text that reads back as the same value: `JSON.stringify` writes an infinite number (`1e400`) as `null`. */
export function jsonText(value: unknown): string {
  return holdsOverflow(value) ? written(value, false) : JSON.stringify(value);
}

function holdsOverflow(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (Array.isArray(value)) return value.some(holdsOverflow);
  if (!isObject(value)) return false;
  for (const name in value) if (holdsOverflow(value[name])) return true;
  return false;
}

/** Canonical JSON (RFC 8785): equal values have equal texts. Values nest no deeper than a request may. */
export function canonicalJson(value: unknown): string {
  return written(value, true);
}

function written(value: unknown, inOrder: boolean): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  if (Array.isArray(value)) return `[${value.map((item) => written(item, inOrder)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const ordered = inOrder ? members.toSorted(([one], [other]) => (one < other ? -1 : 1)) : members;
  return `{${ordered.map(([name, member]) => `${JSON.stringify(name)}:${written(member, inOrder)}`).join(',')}}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** How many members a JSON text names, repeats included. `undefined` if it nests deeper than `levels`. */
export function membersNamed(text: string, levels: number): number | undefined {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) members += 1;
    else if (code === BRACE || code === BRACKET) depth += 1;
    else if (code === BRACE_END || code === BRACKET_END) depth -= 1;
    if (depth > levels) return undefined;
  }
  return members;
}

/** How many members the objects of a JSON value have: as many as its text names, unless one of them is named twice. */
export function membersIn(value: unknown): number {
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += membersIn(item);
    return members;
  }
  if (!isObject(value)) return 0;
  for (const name in value) members += 1 + membersIn(value[name]);
  return members;
}

/** An object or an array that a text is in: the names of the object so far, and the place in it. */
interface Open {
  readonly names: Set<string> | undefined;
  step: string | number;
}

function nextItem(open: readonly Open[]): void {
  const own = open.at(-1);
  if (typeof own?.step === 'number') own.step += 1;
}

/** What a character of structure changes. */
const MOVES = new Map<number, (open: Open[]) => void>([
  [BRACE, (open) => void open.push({ names: new Set(), step: '' })],
  [BRACKET, (open) => void open.push({ names: undefined, step: 0 })],
  [BRACE_END, (open) => void open.pop()],
  [BRACKET_END, (open) => void open.pop()],
  [COMMA, nextItem],
]);

/** The path of the first member that well-formed JSON text names again in its object. Nothing behind it is read. */
export function repeatedMember(text: string): string | undefined {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== QUOTE) {
      MOVES.get(text.charCodeAt(at))?.(open);
      continue;
    }
    const end = endOfString(text, at);
    const own = isName(text, end) ? open.at(-1) : undefined;
    if (own?.names !== undefined && isRepeated(own.names, own, text.slice(at, end + 1)))
      return open.map(({ step }) => step).join('.');
    at = end;
  }
  return undefined;
}

function isRepeated(names: Set<string>, own: Open, quoted: string): boolean {
  const name = JSON.parse(quoted) as string;
  own.step = excerpt(name);
  return names.size === names.add(name).size;
}

/** Whether a colon is behind the string that ends here. */
function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charCodeAt(at) === COLON;
}

/** Position of the closing quote, or of the end of the text if there is none. */
function endOfString(text: string, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
