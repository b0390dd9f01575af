/** JSON text and JSON values: the members of a text before it is parsed, the size of a value, and its text in two spellings. */
import { NAMED_VALUES, excerpt } from './text.ts';

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

/** The members that well-formed JSON text names more than once in one object: how many, and the paths of the first 10. */
export function repeatedMembers(text: string): { readonly count: number; readonly paths: readonly string[] } {
  // With a number before it no name is like another, so that parsing keeps them all.
  const numbered: string[] = [];
  let from = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', endOfString(text, at) + 1)) {
    numbered.push(text.slice(from, at + 1), `${numbered.length}:`);
    from = at + 1;
  }
  const paths = repeatsIn(JSON.parse(numbered.join('') + text.slice(from)), '');
  return { count: paths.length, paths: paths.slice(0, NAMED_VALUES) };
}

function repeatsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => repeatsIn(item, `${path}${at}.`));
  if (!isObject(value)) return [];
  const times = new Map<string, number>();
  return Object.entries(value).flatMap(([numbered, member]) => {
    const name = numbered.slice(numbered.indexOf(':') + 1);
    times.set(name, (times.get(name) ?? 0) + 1);
    const at = path + excerpt(name);
    return [...(times.get(name) === 2 ? [at] : []), ...repeatsIn(member, `${at}.`)];
  });
}

/** Position of the closing quote, or of the end of the text if there is none. */
function endOfString(text: string, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
