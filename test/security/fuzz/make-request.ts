/** One request of the fuzz: a valid one with random changes of its body, headers, query, path or token. */
import { ROUTES, type Route, type RouteName } from '../../../functions/shared/routes.ts';
import { OWN } from '../support/data.ts';
import type { Dice } from '../../kit/dice.ts';
import { HOSTILE_VALUES } from '../support/hostile-values.ts';
import type { Sent } from '../support/target.ts';
import { mutatedText, mutatedValue } from './mutate.ts';
import { validBody } from './seeds.ts';

/** All routes except the logout, which would end the session of all later requests; the matrix tests it. */
/** Bodies of the fuzzer are JSON, and a token request is a form. */
export const FUZZED = ROUTES.filter(({ name }) => name !== 'logout' && name !== 'get-token');

export interface Credentials {
  readonly access: string;
  readonly refresh: string;
}

export interface Known {
  readonly import_id: string;
  readonly external_record_id: string;
  readonly cursors: readonly string[];
}

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json; charset=latin1',
  'text/json',
  'application/json, text/plain',
  'multipart/form-data; boundary=x',
  '',
];
const HEADERS = [
  'idempotency-key',
  'x-request-id',
  '__proto__',
  'constructor',
  'content-encoding',
  'x-forwarded-for',
  'content-length',
  'x-http-method-override',
  'cookie',
];
const QUERIES = [
  'limit',
  'cursor',
  'status',
  'include',
  'external_record_id',
  'email',
  'external_user_id',
  '__proto__',
  'constructor',
  'admin',
];
const QUERY_VALUES = [
  '0',
  '1',
  '2',
  '500',
  '501',
  '-1',
  '1e2',
  '１',
  '1.0',
  ' 1',
  '1,1',
  'error',
  'success',
  'record',
  'error,error',
];

function hostileText(dice: Dice): string {
  const value = dice.pick(HOSTILE_VALUES);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function makeRequest(route: Route, dice: Dice, { access, refresh }: Credentials, known: Known): Sent {
  const value = validBody(route, dice, { refresh });
  return {
    route,
    path: pathOf(route, dice, known),
    query: queryOf(route, dice, known),
    headers: headersOf(route, dice, access, value !== undefined),
    ...(value === undefined && !dice.oneIn(10) ? {} : { body: bodyOf(value ?? {}, dice) }),
    // Each request has an address of its own, so that the throttle of logins does not apply.
    sourceIp: `192.0.2.${dice.below(256)}.${dice.hex(4)}`,
  };
}

function bodyOf(value: unknown, dice: Dice): string | Uint8Array {
  const mutated = dice.oneIn(6) ? value : mutatedValue(value, dice);
  const text = JSON.stringify(mutated) ?? '';
  return dice.oneIn(3) ? mutatedText(text, dice) : text;
}

function headersOf(route: Route, dice: Dice, access: string, hasBody: boolean): Record<string, string> {
  const token = dice.oneIn(50) ? hostileText(dice) : access;
  return {
    ...(route.access === 'public' ? {} : { authorization: `Bearer ${token}` }),
    ...(hasBody ? { 'content-type': dice.oneIn(30) ? dice.pick(CONTENT_TYPES) : 'application/json' } : {}),
    ...(dice.oneIn(10) ? Object.fromEntries([[dice.pick(HEADERS), hostileText(dice)]]) : {}),
    ...(route.name === 'start-import' && dice.oneIn(5) ? { 'idempotency-key': `key-${dice.below(50)}` } : {}),
  };
}

/** Without these, a request of the route is always malformed. */
const OWN_QUERIES: Readonly<Partial<Record<RouteName, (known: Known) => Record<string, string>>>> = {
  'get-record': ({ external_record_id }) => ({ external_record_id }),
  'get-learner': () => ({ user_id: '2' }),
};

function queryOf(route: Route, dice: Dice, known: Known): Record<string, string> {
  const own = OWN_QUERIES[route.name]?.(known) ?? {};
  if (route.method === 'POST' && !dice.oneIn(20)) return own;
  const entries = Array.from({ length: dice.below(3) }, () => {
    const name = dice.pick(QUERIES);
    if (name === 'cursor') return [name, cursorOf(dice, known)] as const;
    return [name, dice.oneIn(2) ? dice.pick(QUERY_VALUES) : hostileText(dice)] as const;
  });
  return { ...own, ...Object.fromEntries(entries) };
}

/** A valid cursor of this list or another, with or without a change. */
function cursorOf(dice: Dice, { cursors }: Known): string {
  const cursor = cursors.length === 0 ? 'AAAA' : dice.pick(cursors);
  if (dice.oneIn(3)) return cursor;
  const at = dice.below(cursor.length);
  return dice.pick([
    cursor.slice(0, at),
    `${cursor.slice(0, at)}A${cursor.slice(at + 1)}`,
    `${cursor}=`,
    hostileText(dice),
  ]);
}

function pathOf(route: Route, dice: Dice, { import_id }: Known): Record<string, string> {
  if (!route.path.includes('{company_id}')) return {};
  const company_id = dice.oneIn(40) ? hostileText(dice) : OWN;
  const external = ['external_user_id', 'external_course_id'].filter((name) => route.path.includes(`{${name}}`));
  if (external.length > 0)
    return { company_id, ...Object.fromEntries(external.map((name) => [name, hostileText(dice)])) };
  if (!route.path.includes('{import_id}')) return { company_id };
  return { company_id, import_id: dice.oneIn(5) ? hostileText(dice) : import_id };
}
