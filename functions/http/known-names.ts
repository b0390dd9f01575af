/** A request says only what the operation defines (§1): another query parameter or member of the body is refused by its name. */
import { distance } from 'fastest-levenshtein';
import { RequestRejected } from './types.ts';
import type { ApiMiddleware, ApiRequest } from './types.ts';
import { quoted } from '../records/text.ts';
import type { Problem, RequestErrorCode } from '../shared/codes.ts';

const MIGRATIONS = '/v1/migrations/{company_id}';
const PAGE = ['limit', 'cursor'];

/** The query parameters of each route that has some. */
export const QUERY_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  [`GET ${MIGRATIONS}/catalog/courses`]: PAGE,
  [`GET ${MIGRATIONS}/catalog/mappings`]: PAGE,
  [`GET ${MIGRATIONS}/users/mappings`]: PAGE,
  [`GET ${MIGRATIONS}/progress/imports`]: [...PAGE, 'status', 'run_id', 'created_since', 'created_before'],
  [`GET ${MIGRATIONS}/progress/imports/{import_id}/records`]: [...PAGE, 'status', 'include'],
  [`GET ${MIGRATIONS}/progress/runs`]: PAGE,
  [`GET ${MIGRATIONS}/progress/records`]: ['external_record_id'],
  [`GET ${MIGRATIONS}/progress/learners`]: [...PAGE, 'email', 'user_id', 'external_user_id'],
};

/** The paths of operations; the page for people and unknown paths are none. */
const OPERATION = /^[A-Z]+ \/(?:v1|api)\//;
const MOST_NAMED = 10;

/** Refuses query parameters that the operation does not define: 400, after the authorisation. */
export const onlyKnownParameters: ApiMiddleware = {
  before: ({ event: { route, query } }) => {
    if (!OPERATION.test(route)) return;
    const problems = unknownNames(Object.keys(query), QUERY_PARAMETERS[route] ?? [], 'query parameter');
    const [first, ...others] = problems;
    if (first !== undefined) throw new RequestRejected(first.error_code, first.message, { field: first.field, others });
  },
};

/**
 * An operation without a body takes an empty one, or an object without members.
 *
 * @throws RequestRejected
 */
export function expectNoBody({ hasBody, json }: Pick<ApiRequest, 'hasBody' | 'json'>): void {
  const [first, ...others] = hasBody ? unknownNames(Object.keys(json()), [], 'member') : [];
  if (first !== undefined) throw new RequestRejected(first.error_code, first.message, { field: first.field, others });
}

/**
 * A problem for each name that is not known, which asks for the known name near it: in another case, with other separators, or
 * with one or two other letters.
 *
 * @example
 * unknownNames(['statuss'], ['status', 'limit'], 'query parameter')[0].message;
 * // => '"statuss" is no query parameter of this operation. Did you mean status?'
 */
export function unknownNames(
  sent: readonly string[],
  known: readonly string[],
  what: 'query parameter' | 'member',
): Problem<RequestErrorCode>[] {
  const unknown = sent.filter((name) => !known.includes(name)).slice(0, MOST_NAMED);
  return unknown.map((name) => {
    const near = nearest(name, known);
    const rest = known.length === 0 ? `It has none.` : `It has: ${known.join(', ')}.`;
    const advice = near === undefined ? rest : `Did you mean ${near}?`;
    const message = `${quoted(name)} is no ${what} of this operation. ${advice}`;
    return { error_code: 'invalid_request', message, field: name.slice(0, MAX_FIELD_LENGTH).toWellFormed() };
  });
}

const MAX_FIELD_LENGTH = 64;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function nearest(name: string, known: readonly string[]): string | undefined {
  const sent = plain(name.slice(0, MAX_FIELD_LENGTH));
  const [best] = known
    .map((each) => ({ each, apart: distance(sent, plain(each)) }))
    .filter(({ each, apart }) => apart <= Math.min(2, each.length / 3))
    .toSorted((one, other) => one.apart - other.apart);
  return best?.each;
}
