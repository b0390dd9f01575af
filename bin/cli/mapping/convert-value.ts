import { convertDate } from './date-format.ts';
import type { FieldKind } from './schema.ts';

/** How the values of one column are written. */
export interface Notation {
  readonly dates: string;
  readonly time_zone: string | undefined;
  readonly decimal: ',' | '.';
  /** Numbers are multiplied by it: 100 for fractions of one. */
  readonly scale: number;
}

/**
 * Converts the text of a cell to the value that the interface wants. A text that does not fit is sent unchanged: only the
 * service validates records, and its error names the field.
 */
export function convertValue(text: string, kind: FieldKind, notation: Notation): string | number {
  if (kind === 'number') return toNumber(text, notation) ?? text;
  if (kind === 'id') return /^\d{1,16}$/.test(text) ? Number(text) : text;
  if (kind === 'date') return convertDate(text, notation.dates, notation.time_zone) ?? text;
  if (kind === 'email') return text.replace(/^mailto:/i, '');
  return kind === 'status' ? toStatus(text) : text;
}

function toNumber(text: string, { decimal, scale }: Notation): number | undefined {
  const bare = text.replace(/\s*%$/, '').replaceAll(/[\s\u{a0}]/gu, '');
  const plain = decimal === ',' ? bare.replace(',', '.') : bare;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain)) return undefined;
  // Scaling must not show binary rounding: 0.07 is 7, not 7.000000000000001.
  return Number((Number(plain) * scale).toPrecision(12));
}

/** `Passed` and `Not taken` are words of the interface in another spelling. */
function toStatus(text: string): string {
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return ['passed', 'failed', 'not_taken'].includes(word) ? word : text;
}
