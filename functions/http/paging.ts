/** Pages of lists. A cursor is a position, authenticated with the company's key over company, list and filters. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { choiceFrom, limitFrom } from './parameters.ts';
import { checkAll } from './request.ts';
import { malformed, type CompanyRequest } from './types.ts';
import { RECORD_INCLUDES, RECORD_STATUSES } from '../shared/codes.ts';
import { MAX_CURSOR_LENGTH, MAX_ENCODED_RESPONSE_BYTES, MAX_RESPONSE_BYTES, PAGE_LIMITS } from '../shared/limits.ts';
import type { Company } from '../shared/model.ts';

/** How a list is read page by page. `scope` names the list and its filters: a cursor of another scope is refused. */
export interface List<Item, Position> {
  readonly scope: string;
  readonly limits: { readonly max: number; readonly fallback: number };
  /** Of a response, for its items; the rest is for something else. Absent: all of it. */
  readonly share?: number;
  /** At least `limit` items after the position, if there are so many; or what a bounded search found, and its end. */
  readonly read: (limit: number, after: Position | undefined) => Promise<readonly Item[] | FoundItems<Item, Position>>;
  readonly positionOf: (item: Item) => Position;
}

interface FoundItems<Item, Position> {
  readonly items: readonly Item[];
  readonly searchedTo?: Position;
}

/** The filters of a list of results, the scope of its cursors, and the position that the page starts after. `list` names the list. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- authentic, so it is the position sealed under this scope
export function resultsQuery<Position>(request: PagedRequest, list: string) {
  const { caller, query } = request;
  const scope = `${list}:${query['status'] ?? ''}:${query['include'] ?? ''}`;
  const [status, include, , after] = checkAll(
    request,
    () => choiceFrom(query, 'status', RECORD_STATUSES),
    () => choiceFrom(query, 'include', RECORD_INCLUDES),
    () => limitFrom(query, PAGE_LIMITS.records),
    () => cursorFrom<Position>(query, caller.company, scope),
  );
  return { scope, status, include, after };
}

type PagedRequest = Pick<CompanyRequest, 'caller' | 'query' | 'parameters'>;

/** The page that the query's `limit` and `cursor` ask for; `next_cursor` is null on the last page. */
export async function pageOf<Item, Position>(
  request: PagedRequest,
  { scope, limits, share, read, positionOf }: List<Item, Position>,
): Promise<{ items: readonly Item[]; next_cursor: string | null }> {
  const { query } = request;
  const { company } = request.caller;
  const [limit, position] = checkAll(
    request,
    () => limitFrom(query, limits),
    () => cursorFrom<Position>(query, company, scope),
  );
  const found = await read(limit + 1, position);
  const { items: candidates, searchedTo } = 'items' in found ? found : { items: found };
  const items = fitting(candidates.slice(0, limit), share);
  const last = items.at(-1);
  const next = last !== undefined && items.length < candidates.length ? positionOf(last) : searchedTo;
  return { items, next_cursor: next === undefined ? null : sealCursor(company, scope, next) };
}

/** The first items, at least one, that fit a response, or this share of one, also as Lambda counts it. */
export function fitting<Item>(items: readonly Item[], share: number = 1): readonly Item[] {
  let bytes = 0;
  let encodedBytes = 0;
  const tooMany = items.findIndex((item, position) => {
    const text = JSON.stringify(item);
    bytes += Buffer.byteLength(text) + 1;
    encodedBytes += Buffer.byteLength(JSON.stringify(text));
    const isTooLarge = bytes > share * MAX_RESPONSE_BYTES || encodedBytes > share * MAX_ENCODED_RESPONSE_BYTES;
    return position > 0 && isTooLarge;
  });
  return tooMany === -1 ? items : items.slice(0, tooMany);
}

/** Whether Lambda carries this body as one response. */
export function fitsResponse(body: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(body))) <= MAX_ENCODED_RESPONSE_BYTES;
}

type CursorCompany = Pick<Company, 'company_id' | 'cursor_key'>;

const MAC_BYTES = 32;

/** The position as a cursor that only this company can use, in this list with these filters. */
export function sealCursor(company: CursorCompany, scope: string, position: unknown): string {
  const payload = Buffer.from(JSON.stringify(position), 'utf8');
  return Buffer.concat([mac(company, scope, payload), payload]).toString('base64url');
}

/** Position of the query's cursor, sealed under the same company and scope; any other is `invalid_request` at `cursor`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- authentic, so it is the position sealed under this scope
export function cursorFrom<Position>(
  { cursor }: Readonly<Record<string, string>>,
  company: CursorCompany,
  scope: string,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const payload = authenticPayload(company, scope, cursor);
  if (payload === undefined)
    throw malformed('cursor must be the next_cursor of this list, requested with the same filters.', 'cursor');
  return JSON.parse(payload.toString('utf8')) as Position;
}

function authenticPayload(company: CursorCompany, scope: string, text: string): Buffer | undefined {
  if (text.length > MAX_CURSOR_LENGTH) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Unused bits of the last character, padding and foreign characters decode silently, so only the canonical text is valid.
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
