import { SourceFault } from '../faults.ts';
import { jsonViolation } from './json-violation.ts';

/** A limit of the service on whole requests: a deeper record would take its neighbours down with it. */
const MAX_RECORD_LEVELS = 30;

/**
 * The value of one JSON text that begins at a line and column of a file.
 *
 * @throws SourceFault naming where it goes wrong
 */
export function parseJsonText(path: string, text: string, start: { line: number; column: number }): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SourceFault(path, placeIn(text, jsonViolation(text), start), 'this is not JSON');
  }
  if (levels(value) > MAX_RECORD_LEVELS)
    throw new SourceFault(path, start, `nested deeper than ${MAX_RECORD_LEVELS} levels`);
  return value;
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
