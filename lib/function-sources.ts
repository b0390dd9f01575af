import { type RouteName, ROUTES } from '../functions/shared/routes.ts';

const WITHOUT_ROUTE = [
  'route-not-found',
  'process-chunk',
  'watchdog',
  'send-notices',
  'load-sandbox-data',
  'intake',
  'check-settings',
  'serve-page',
  'canary',
  'check-fleet',
] as const;

/** A deployed function: that of a route, or one without. */
export type FunctionName = RouteName | (typeof WITHOUT_ROUTE)[number];

/** Every deployed function by name, with its source file relative to the project. The only place that knows where handlers are. */
export function functionSources(): ReadonlyMap<FunctionName, string> {
  const names: FunctionName[] = [...ROUTES.map(({ name }) => name), ...WITHOUT_ROUTE];
  const sources = new Map(names.map((name) => [name, `functions/handlers/${name}.ts`]));
  // They check a deployment, as `npm run verify` does.
  sources.set('check-fleet', 'bin/operate/verify/check-fleet.ts');
  return sources.set('canary', 'bin/operate/verify/canary.ts');
}
