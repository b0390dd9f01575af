/** The deployed handlers in this process, over a world of the kit, with a guard over every key. */
import { remapped } from '../../../bin/local/http-payload.ts';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { loadData } from '../../../functions/platform/load-data.ts';
import type { Services } from '../../kit/services.ts';
import type { ApiHandler, DeployedHandler } from '../../../functions/http/chain.ts';
import { ROUTES, type Route } from '../../../functions/shared/routes.ts';
import { apiEvent, CONTEXT } from '../../kit/api-event.ts';
import { createWorld, PARTIES } from '../../kit/world.ts';
import { platformData } from './data.ts';
import type { Answered, Sent, Target } from './target.ts';
import { TenantGuard } from './tenant-guard.ts';

/** A function that is not in the list of routes, but called like one of them. */
export const NOT_FOUND: Route = {
  name: 'route-not-found' as Route['name'],
  method: 'GET',
  path: '/nowhere',
  access: 'public',
};

const HANDLERS: ReadonlyMap<string, DeployedHandler<Services>> = new Map(
  await Promise.all(
    [...ROUTES, NOT_FOUND].map(async ({ name }) => {
      const module = (await import(`../../../functions/handlers/${name}.ts`)) as { handler: DeployedHandler<Services> };
      return [name, module.handler] as const;
    }),
  ),
);

/** @param observe sees every command to the database before it is executed */
export async function createService(observe: (command: object) => void = () => {}) {
  const guard = new TenantGuard();
  const world = createWorld({
    observe(command, table) {
      guard.see(command, table);
      observe(command);
    },
  });
  const { services, stores, clock, table, client } = world;
  const writes = { count: 0 };
  table.onWrite = () => void (writes.count += 1);
  const loaded = await loadData(Buffer.from(JSON.stringify(platformData())), services);
  if (loaded.status !== 'loaded') throw new Error(`the data was ${JSON.stringify(loaded)}`);
  const target: Target = {
    stores,
    signer: services.signer,
    parties: PARTIES,
    client,
    table: 'table',
    nowMs: () => clock.now,
    send: sendingTo(services),
  };
  return { ...world, ...target, memory: table, guard, writes };
}

export type Service = Awaited<ReturnType<typeof createService>>;

/** Invokes the route's deployed handler on these services, with the event that the API would make of the request. */
export function sendingTo(services: Services): Target['send'] {
  const started = new Map<string, ApiHandler>();
  return async (sent) => {
    const { name } = sent.route;
    const handler = started.get(name) ?? HANDLERS.get(name)?.on(services);
    if (handler === undefined) throw new Error(`${name} has no handler`);
    started.set(name, handler);
    return answered(await handler(eventOf(sent), CONTEXT));
  };
}

function eventOf({ route, path = {}, query, headers = {}, body, sourceIp }: Sent) {
  const isText = typeof body === 'string';
  return apiEvent({
    method: route.method,
    rawPath: route.path,
    path,
    headers,
    ...(query && { query }),
    ...(body !== undefined && { body: isText ? body : Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined && !isText,
    ...(sourceIp !== undefined && { sourceIp }),
  });
}

function answered(result: APIGatewayProxyResult): Answered {
  const named = Object.entries(result.headers ?? {}).map(([name, value]) => [
    remapped(name.toLowerCase()),
    String(value),
  ]);
  return { status: result.statusCode ?? 0, headers: Object.fromEntries(named), text: result.body ?? '' };
}
