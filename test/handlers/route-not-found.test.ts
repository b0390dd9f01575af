/** Requests that no route matches. Costs milliseconds. */
import { expect, it } from 'vitest';
import { handler, routeNotFound } from '../../functions/handlers/route-not-found.ts';
import type { RequestRejected } from '../../functions/http/types.ts';
import * as ENV from '../../functions/runtime/variables.ts';
import { createWorld } from '../kit/world.ts';
import { invokeAsDocumented as invoke } from '../kit/documented.ts';

it('an unknown route is a 404 in the envelope, not to be stored', async () => {
  const response = await invoke(handler.on(createWorld().services), { rawPath: '/api/v1/auth/unknown' });
  expect([response.status, response.body.errors[0].error_code]).toEqual([404, 'route_not_found']);
  expect(response.body.request_id).toBe('request-1');
  expect(response.headers['cache-control']).toBe('no-store');
});

const EVIDENCE = 'v1/migrations/acme/progress/runs/spring/evidence';
const NONE = { code: 'route_not_found', allow: undefined };
const only = (...allow: string[]) => ({ code: 'method_not_allowed', allow });

it.each([
  ['a path with other methods', undefined, 'v1/migrations/acme/users/mappings', only('GET', 'POST')],
  ['the page', 'evidence,page', undefined, only('GET')],
  ['a file of the page', 'page', 'page/page-A.js', only('GET')],
  ['the page, switched off', 'evidence', undefined, NONE],
  ['a file of the page, switched off', undefined, 'page/page-A.js', NONE],
  ['evidence', 'evidence', EVIDENCE, only('GET', 'POST')],
  ['evidence, switched off', 'page', EVIDENCE, NONE],
  ['the keys of evidence, switched off', undefined, 'api/v1/auth/.well-known/evidence-jwks.json', NONE],
])('another method of %s: with the parts %s', async (_, parts, proxy, expected) => {
  const request = { path: proxy === undefined ? {} : { proxy } };
  const call = routeNotFound(request, { [ENV.apiParts]: parts });
  const refused = await call.catch(({ problem, options }: RequestRejected) => [problem.error_code, options.allow]);
  expect(refused).toEqual([expected.code, expected.allow]);
});
