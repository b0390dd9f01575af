/**
 * Opaque list cursors: the position where the next page starts, authenticated with the company's own key over the
 * company, the list with its filters, and the position. A cursor of another list, company or filter does not open.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { RequestRejected } from './types.ts';
import { MAX_CURSOR_LENGTH, MAX_RESPONSE_BYTES } from '../shared/limits.ts';
import type { Company } from '../shared/model.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** The last item of the page where more follow, else null: what the next cursor stands on. */
  readonly last: T | null;
}

/** Cuts a page of `limit` items from candidates that hold one item more where there is one; earlier where the answer would grow too large. */
export function pageOf<T>(candidates: readonly T[], limit: number): Page<T> {
  let bytes = 0;
  const room = candidates.findIndex((item, position) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return position > 0 && bytes > MAX_RESPONSE_BYTES;
  });
  const items = candidates.slice(0, Math.min(limit, room === -1 ? limit : room));
  return { items, last: items.length < candidates.length ? (items.at(-1) ?? null) : null };
}

type CursorCompany = Pick<Company, 'company_id' | 'cursor_key'>;

const MAC_BYTES = 32;

/** `scope` names the list and every filter the page was made with, such as `imports?status=error`. */
export function sealCursor(company: CursorCompany, scope: string, position: unknown): string {
  const payload = Buffer.from(JSON.stringify(position), 'utf8');
  return Buffer.concat([mac(company, scope, payload), payload]).toString('base64url');
}

/** Position of a cursor sealed under the same company and scope; anything else is `invalid_request` at `cursor`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- authentic, so it is what was sealed under this scope
export function openCursor<Position>(company: CursorCompany, scope: string, text: string): Position {
  const payload = authenticPayload(company, scope, text);
  if (payload === undefined) {
    throw new RequestRejected(
      'invalid_request',
      'cursor must be the next_cursor of this very list, with the same filters',
      { field: 'cursor' },
    );
  }
  return JSON.parse(payload.toString('utf8')) as Position;
}

/** Position named by the query's `cursor`, or `undefined` on the first page. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- authentic, so it is what was sealed under this scope
export function cursorFrom<Position>(
  query: Readonly<Record<string, string>>,
  company: CursorCompany,
  scope: string,
): Position | undefined {
  const text = query['cursor'];
  return text === undefined ? undefined : openCursor<Position>(company, scope, text);
}

function authenticPayload(company: CursorCompany, scope: string, text: string): Buffer | undefined {
  if (text.length > MAX_CURSOR_LENGTH) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Unused bits of the last character, padding and foreign characters decode silently: only the canonical text counts.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  return timingSafeEqual(mac(company, scope, payload), bytes.subarray(0, MAC_BYTES)) ? payload : undefined;
}

function mac(company: CursorCompany, scope: string, payload: Buffer): Buffer {
  const header = JSON.stringify(['cursor.v1', company.company_id, scope]);
  return createHmac('sha256', Buffer.from(company.cursor_key, 'base64url'))
    .update(`${header}\n`)
    .update(payload)
    .digest();
}
