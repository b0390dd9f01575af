/** Requests that no route matches. Costs milliseconds. */
import { expect, it } from 'vitest';
import { handler } from '../../functions/handlers/route-not-found.ts';
import { createWorld } from '../kit/world.ts';
import { invokeAsDocumented as invoke } from '../kit/documented.ts';

it.each([
  ['an unknown route', '/api/v1/auth/unknown'],
  ['a route of a setting that is off', '/api/v1/auth/.well-known/evidence-jwks.json'],
])('%s is a 404 in the envelope, not to be stored', async (_, rawPath) => {
  const response = await invoke(handler.on(createWorld().services), { rawPath });
  expect([response.status, response.body.errors[0].error_code]).toEqual([404, 'route_not_found']);
  expect(response.body.request_id).toBe('request-1');
  expect(response.headers['cache-control']).toBe('no-store');
});
