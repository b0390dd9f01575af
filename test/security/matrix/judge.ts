/** What is wrong with an answer, beside its verdict: headers, shape, echoes. */
import type { Route } from '../../../lib/routes.ts';
import { undocumented } from '../../kit/documented.ts';
import { type Answered, verdictOf } from '../support/target.ts';
import type { Expected } from './matrix.ts';

export function faultsOf(route: Route, answered: Answered, expected: Expected): string[] {
  return [...wrongVerdict(answered, expected), ...wrongHeaders(route, answered), ...wrongShape(route, answered)];
}

function wrongVerdict(answered: Answered, expected: Expected): string[] {
  const verdict = verdictOf(answered);
  const isRight = expected === 'passed' ? /^2\d\d$/.test(verdict) : verdict === expected;
  return isRight ? [] : [`answered ${verdict}, not ${expected}`];
}

/** Headers that every answer carries, and those that its status or its path calls for. */
export function wrongHeaders(route: Route, { status, headers }: Answered): string[] {
  const isSecret = route.path.startsWith('/api/v1/auth/') && route.name !== 'get-jwks';
  const challenged = status === 401 && route.access !== 'public';
  const rules: readonly (readonly [string, boolean])[] = [
    ['x-request-id', (headers['x-request-id'] ?? '') !== ''],
    ['strict-transport-security', /max-age=\d{8}/.test(headers['strict-transport-security'] ?? '')],
    ['x-content-type-options', headers['x-content-type-options'] === 'nosniff'],
    ['content-type', headers['content-type'] === 'application/json; charset=utf-8'],
    ['cache-control', !isSecret || headers['cache-control'] === 'no-store'],
    ['www-authenticate', (headers['www-authenticate'] === 'Bearer') === challenged],
    ['access-control-allow-origin', headers['access-control-allow-origin'] === undefined],
  ];
  return rules.filter(([, holds]) => !holds).map(([name]) => `${name}: ${headers[name] ?? 'absent'}`);
}

export function wrongShape({ method, path }: Route, { status, headers, text }: Answered): string[] {
  const seen = { status, headers: new Headers(headers), body: JSON.parse(text) as unknown };
  return undocumented(method, path, seen).map((finding) => `against the OpenAPI document: ${finding}`);
}
