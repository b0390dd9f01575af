/** JSON values: their size, and their text in two spellings. */

/** Whether a JSON value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Size of a value as JSON, in UTF-8 bytes; `Infinity` for a value that is nested deeper than the engine can write, so that it
 * exceeds every limit.
 */
export function jsonBytes(value: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/**
 * JSON text that reads back as the same value. `JSON.stringify` writes a number that is too large for a double (`1e400`, read
 * as infinite) as `null`, which would turn a number that is out of range into one that was not sent.
 */
export function jsonText(value: unknown): string {
  return holdsOverflow(value) ? spelledOut(value) : JSON.stringify(value);
}

function holdsOverflow(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsOverflow);
  for (const name in value) if (holdsOverflow((value as Record<string, unknown>)[name])) return true;
  return false;
}

function spelledOut(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  if (Array.isArray(value)) return `[${value.map(spelledOut).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${spelledOut(member)}`).join(',')}}`;
}

/**
 * One text for one JSON value: members sorted by name, no blanks, −0 as 0. Equal values give equal texts whatever the order
 * and the spelling they were sent in. Values nest no deeper than a request may (32 levels). Members that are `undefined` are
 * left out; a number too large for a double differs from `null`.
 */
export function canonicalJson(value: unknown): string {
  return jsonText(inOrder(value));
}

/** The same value with the members of its objects in one order, so that all of it can be written at once. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  // Without a prototype, so that `__proto__` is a name like any other.
  const ordered: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).toSorted()) ordered[name] = inOrder((value as Record<string, unknown>)[name]);
  return ordered;
}
