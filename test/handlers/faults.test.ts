/** Every operation over services that fail: the response is as documented, and does not show the cause. */
import { describe, expect, it } from 'vitest';
import type { ApiHandler, DeployedHandler } from '../../functions/http/chain.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import type { Services, EveryStore } from '../kit/services.ts';
import { OPERATIONS } from '../../lib/openapi/operations.ts';
import type { Operation } from '../../lib/openapi/operation.ts';
import { posted, type EventParts } from '../kit/api-event.ts';
import { invokeAsDocumented } from '../kit/documented.ts';
import { createWorld } from '../kit/world.ts';

/** Respond from their own bundles: no dependency can fail. The form of a token request is sent by `over-http/clients.test.ts`. */
const OTHERS = new Set(['get-openapi', 'get-authorization-server', 'get-token']);
const SECRET = 'arn:aws:dynamodb:secret';

const failing = OPERATIONS.filter(({ name }) => !OTHERS.has(name));

function broken(error: Error): never {
  const anything: unknown = new Proxy(() => undefined, {
    get: () => anything,
    apply: () => {
      throw error;
    },
  });
  return anything as never;
}

const STORES = [
  'access',
  'directory',
  'evidenceKeys',
  'imports',
  'mappings',
  'platform',
  'progress',
  'sessions',
  'signingKeys',
  'throttle',
] as const satisfies (keyof EveryStore)[];

function failingServices(error: Error): Services {
  const failing = broken(error);
  return {
    ...createWorld().services,
    stores: Object.fromEntries(STORES.map((name) => [name, failing])) as Record<keyof EveryStore, never>,
    verifier: failing,
    passwords: failing,
    signer: failing,
    provider: failing,
    offered: failing,
    queue: failing,
  };
}

async function handlerOf({ name }: Operation, services: Services): Promise<ApiHandler> {
  const module = (await import(`../../functions/handlers/${name}.ts`)) as { handler: DeployedHandler<Services> };
  return module.handler.on(services);
}

function requestTo({ method, path, request }: Operation): EventParts {
  const headers = { authorization: 'Bearer a.b.c' };
  const rawPath = path.replace('{company_id}', 'acme').replace('{import_id}', 'x');
  const body =
    request === undefined ? undefined : 'example' in request ? request.example : { dry_run: true, records: [{}] };
  return { ...(method === 'POST' ? posted(body, headers) : { method, headers }), rawPath };
}

describe.each(failing)('$name', (spec) => {
  it.each([
    [503, 'temporarily_unavailable', new TemporarilyUnavailable(SECRET)],
    [500, 'internal_error', new TypeError(SECRET)],
  ])('a fault is %i %s as documented, without the cause', async (status, error_code, error) => {
    const response = await invokeAsDocumented(await handlerOf(spec, failingServices(error)), requestTo(spec));
    expect([response.status, response.body.errors[0].error_code]).toEqual([status, error_code]);
    expect(JSON.stringify(response)).not.toContain(SECRET);
  });
});
