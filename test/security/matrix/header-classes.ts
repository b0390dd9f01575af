/** Authorization headers: absent, malformed, and those that differ only in form. */
import { around, header, OWN_ADMIN, type TokenClass } from './token-class.ts';

export const HEADER_CLASSES: readonly TokenClass[] = [
  header('no header', 'absent', undefined),
  header('an empty header', 'malformed', ''),
  header('the scheme alone', 'malformed', 'Bearer'),
  header('the scheme and a blank', 'malformed', 'Bearer '),
  header('another scheme', 'malformed', 'Basic YWRtaW46YWRtaW4='),
  header('a digest', 'malformed', 'Digest username="admin"'),
  around('a token without a scheme', 'malformed', (token) => token),
  around('the scheme misspelt', 'malformed', (token) => `Bearer: ${token}`),
  around('two tokens', 'malformed', (token) => `Bearer ${token}, Bearer ${token}`),
  around('two blanks', 'malformed', (token) => `Bearer  ${token}`),
  around('a tab for the blank', 'malformed', (token) => `Bearer\t${token}`),
  around('a token in quotes', 'malformed', (token) => `Bearer "${token}"`),
  around('words after the token', 'malformed', (token) => `Bearer ${token} admin`),
  around('a letter beyond ASCII', 'malformed', (token) => `Bearer ${token}é`),
  { ...around('a NUL after the token', 'malformed', (token) => `Bearer ${token}\0`), inProcessOnly: true },
  { ...around('a line break after the token', 'malformed', (token) => `Bearer ${token}\r\nx: y`), inProcessOnly: true },
  header('10 KB of one letter', 'refused', `Bearer ${'a'.repeat(10_240)}`),
  around('the scheme in other letter case', OWN_ADMIN, (token) => `bEaReR ${token}`),
];
