import { type RouteName, ROUTES } from '../functions/shared/routes.ts';

/** Functions without a route. */
export const ROUTE_NOT_FOUND = 'route-not-found';
export const PROCESS_CHUNK = 'process-chunk';
export const WATCHDOG = 'watchdog';
export const LOAD_SANDBOX_DATA = 'load-sandbox-data';
export const CHECK_SETTINGS = 'check-settings';
export const INTAKE = 'intake';
export const SERVE_PAGE = 'serve-page';
export const CANARY = 'canary';
export const CHECK_FLEET = 'check-fleet';

const WITHOUT_ROUTE = [
  ROUTE_NOT_FOUND,
  PROCESS_CHUNK,
  WATCHDOG,
  LOAD_SANDBOX_DATA,
  INTAKE,
  CHECK_SETTINGS,
  SERVE_PAGE,
  CANARY,
  CHECK_FLEET,
] as const;

export type FunctionName = RouteName | (typeof WITHOUT_ROUTE)[number];

/** Every deployed function by name, with its source file relative to the project. The only place that knows where handlers are. */
export function functionSources(): ReadonlyMap<FunctionName, string> {
  const names: FunctionName[] = [...ROUTES.map(({ name }) => name), ...WITHOUT_ROUTE];
  const sources = new Map(names.map((name) => [name, `functions/handlers/${name}.ts`]));
  // They check a deployment, as `npm run verify` does.
  sources.set(CHECK_FLEET, 'bin/operate/verify/check-fleet.ts');
  return sources.set(CANARY, 'bin/operate/verify/canary.ts');
}
