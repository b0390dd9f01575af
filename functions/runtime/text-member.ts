import { RequestRejected } from './http.ts';

/** A required string member of a request body; `invalid_request` naming it where it is missing or anything else. */
export function textMember(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof value === 'string') return value;
  throw new RequestRejected('invalid_request', `${name} must be a string`, { field: name });
}
