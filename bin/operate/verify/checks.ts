/** The checks that need no account and change nothing. Each returns what it saw, and throws if that is wrong. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { REQUEST_ERROR_STATUS, type RequestErrorCode } from '../../../functions/shared/codes.ts';
import { routePath } from '../../../functions/shared/routes.ts';
import { messageOf } from '../../importer/engine/ground/errors.ts';
import { ServiceError } from '../../importer/wire/errors.ts';
import type { Deployment, Reply } from './deployment.ts';

export interface Check {
  readonly name: string;
  readonly run: () => Promise<string>;
}

export const check = (name: string, run: () => Promise<string>): Check => ({ name, run });

export async function outcomeOf({ name, run }: Check) {
  try {
    return { failed: false, line: `ok     ${name} (${await run()})` };
  } catch (error) {
    return { failed: true, line: `FAILED ${name} ${messageOf(error)}` };
  }
}

export function must(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export interface Expected {
  readonly version?: string | undefined;
  /** Whether logins are sent, of which one address has few, and which the stack counts; default: yes. */
  readonly logins?: boolean;
}

const PROFILE = routePath('get-profile', {});
const LOGIN = routePath('login', {});

export function publicChecks({ send }: Deployment, { version, logins = true }: Expected): Check[] {
  const courses = routePath('list-courses', { company_id: 'verify' });
  /** Of an address that no company can have (`.invalid` is reserved), and that is not throttled for failures of an earlier run. */
  const guess = () => send('POST', LOGIN, { body: { email: `${randomUUID()}@verify.invalid`, password: 'wrong' } });
  return [
    check('The OpenAPI document is served, and names the version.', async () =>
      seenVersion(await send('GET', routePath('get-openapi', {})), version),
    ),
    check('The JWK set has public keys only.', async () => seenKeys(await send('GET', routePath('get-jwks', {})))),
    challenges('A call without a token is refused.', () => send('GET', PROFILE)),
    challenges('A malformed token is refused.', () => send('GET', courses, bearer('a.b.c'))),
    refuses('A header without a bearer token is refused.', 'invalid_request', () =>
      send('GET', PROFILE, { headers: { authorization: 'Basic dTpw' } }),
    ),
    ...(logins
      ? [
          refuses('A login of an unknown account is refused.', 'unauthorized', guess),
          refuses('A body that is not JSON is refused.', 'invalid_request', () => send('POST', LOGIN, { body: '{' })),
        ]
      : []),
    // All callers share the rate of unknown paths: a scanner of the API takes it.
    check('An unknown path is reported.', async () => {
      const reply = await send('GET', '/nowhere', { takesThrottle: true });
      return seenError(reply, reply.status === 429 ? 'too_many_requests' : 'route_not_found');
    }),
    check('Odd paths cause no fault.', async () => {
      const odd = ['/v1/migrations/a%2Fb/catalog/courses', '/v1/migrations/a%00b/catalog/courses', `${PROFILE}/`];
      const statuses = await Promise.all(
        odd.map(async (path) => (await send('GET', path, { takesThrottle: true })).status),
      );
      const seen = `%2F, %00 and a slash at the end: ${statuses.join(', ')}`;
      must(
        statuses.every((status) => status >= 400 && status < 500),
        seen,
      );
      return seen;
    }),
  ];
}

const refuses = (name: string, code: RequestErrorCode, reply: () => Promise<Reply>): Check =>
  check(name, async () => seenError(await reply(), code));

/** The response must ask for a bearer token. */
const challenges = (name: string, reply: () => Promise<Reply>): Check =>
  check(name, async () => {
    const response = await reply();
    const seen = seenError(response, 'unauthorized');
    must(
      CHALLENGES.some((each) => response.headers.has(each)),
      'WWW-Authenticate is missing.',
    );
    return seen;
  });

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** A REST API renames the header of a function's response. */
const CHALLENGES = ['www-authenticate', 'x-amzn-remapped-www-authenticate'];

export function seenError({ status, headers, body }: Reply, expected: RequestErrorCode): string {
  const { errors, request_id } = new ServiceError(status, body);
  const code = errors[0]?.error_code;
  must(status === REQUEST_ERROR_STATUS[expected], `The status is ${status}, not ${REQUEST_ERROR_STATUS[expected]}.`);
  must(code === expected, `The envelope has ${code}, not ${expected}.`);
  must(request_id !== undefined && headers.has('x-request-id'), 'The request id is missing.');
  must(headers.get('cache-control') === 'no-store', `Cache-Control is ${headers.get('cache-control')}, not no-store.`);
  return `${status} ${expected}`;
}

const DOCUMENT = v.object({ info: v.object({ version: v.string() }), paths: v.record(v.string(), v.unknown()) });

function seenVersion({ status, body }: Reply, expected: string | undefined): string {
  must(status === 200 && v.is(DOCUMENT, body), `The status is ${status}, without a document.`);
  const { info, paths } = body;
  must(expected === undefined || info.version === expected, `The version is ${info.version}, not ${expected}.`);
  return `version ${info.version}, ${Object.keys(paths).length} paths`;
}

const KEY_SET = v.object({ keys: v.array(v.record(v.string(), v.unknown())) });

function seenKeys({ status, headers, body }: Reply): string {
  must(status === 200 && v.is(KEY_SET, body), `The status is ${status}, without a key set.`);
  const { keys } = body;
  must(
    keys.every((key) => key['kty'] === 'EC' && key['crv'] === 'P-256' && 'kid' in key),
    'A key is not a P-256 key with a kid.',
  );
  must(!keys.some((key) => 'd' in key), 'A private key is published. Rotate it now.');
  must(/max-age=\d+/.test(headers.get('cache-control') ?? ''), 'The set cannot be cached.');
  return keys.length === 0 ? 'no key yet: no user has logged in' : `${keys.length} P-256`;
}
