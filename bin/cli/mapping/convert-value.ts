import { convertDate } from './date-format.ts';
import type { FieldKind } from './fields.ts';

/** How the texts of one column are written. */
export interface Notation {
  readonly dates: string;
  readonly time_zone: string | undefined;
  readonly decimal: ',' | '.';
  /** Numbers are multiplied by it: 100 for shares of one. */
  readonly scale: number;
}

/**
 * The text of a cell as the value that the interface wants. A text that does not fit is sent as it stands: the service, the
 * only judge of records, rejects that record and names the field.
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
  // Shares of one times 100 must not show the binary fraction: 0.07 is 7, not 7.000000000000001.
  return Number((Number(plain) * scale).toPrecision(12));
}

/** `Passed` and `Not taken` are the interface's own words, written otherwise. */
function toStatus(text: string): string {
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return ['passed', 'failed', 'not_taken'].includes(word) ? word : text;
}
