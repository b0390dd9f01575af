import { RequestRejected } from './http.ts';

/**
 * The array of a batch operation, its items still unjudged: 1 to `max` of them. Throws 413 `batch_too_large` for more and
 * 400 `invalid_request` where it is missing, empty or no array (§7.2).
 */
export function batchMember(body: Readonly<Record<string, unknown>>, field: string, max: number): readonly unknown[] {
  const items = body[field];
  const message = `${field} must hold 1 to ${max} items`;
  if (!Array.isArray(items) || items.length === 0) throw new RequestRejected('invalid_request', message, { field });
  if (items.length > max) throw new RequestRejected('batch_too_large', message, { field });
  return items;
}
