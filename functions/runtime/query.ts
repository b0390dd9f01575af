/** Query parameters. Anything but a well-formed value is `invalid_request` naming the parameter (§7.2). */
import { RequestRejected } from './http.ts';

type Query = Readonly<Record<string, string>>;

/** Page size: plain digits from 1 to `max`; `fallback` where the parameter is absent. */
export function limitFrom(query: Query, range: { readonly max: number; readonly fallback: number }): number {
  const text = query['limit'];
  if (text === undefined) return range.fallback;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > range.max) {
    throw new RequestRejected('invalid_request', `limit must be a whole number from 1 to ${range.max}`, {
      field: 'limit',
    });
  }
  return limit;
}

/**
 * One of a closed set of values, or `undefined` where the parameter is absent.
 * A parameter sent twice arrives joined by a comma and is therefore no member of the set.
 */
export function choiceFrom<Value extends string>(
  query: Query,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const choice = values.find((value) => value === text);
  if (choice === undefined) {
    throw new RequestRejected('invalid_request', `${name} must be one of: ${values.join(', ')}`, { field: name });
  }
  return choice;
}
