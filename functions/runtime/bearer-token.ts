import { RequestRejected } from './http.ts';

/** `Bearer <token>`, the token in the characters that RFC 6750, section 2.1, allows. */
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** Token of the Authorization header (§5 point 2): 401 where there is no header, 400 where it is anything else. */
export function bearerToken(headers: Readonly<Record<string, string>>): string {
  const header = headers['authorization'];
  if (header === undefined) throw unauthorized();
  const token = BEARER.exec(header)?.[1];
  if (token === undefined)
    throw new RequestRejected('invalid_request', 'the Authorization header must be: Bearer <access_token>');
  return token;
}

/** The same answer whatever is wrong with the credentials (§7.1). */
export function unauthorized(): RequestRejected {
  return new RequestRejected('unauthorized', 'A valid access token of an active user is required.');
}
