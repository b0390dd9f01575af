import { ROUTES } from './routes.ts';

/** Functions without a route. */
export const ROUTE_NOT_FOUND = 'route-not-found';
export const PROCESS_CHUNK = 'process-chunk';
export const WATCHDOG = 'watchdog';
export const LOAD_SANDBOX_DATA = 'load-sandbox-data';

/** Every deployed function by name, with its source file relative to the project. The only place that knows where handlers are. */
export function functionSources(): ReadonlyMap<string, string> {
  return new Map([
    ...ROUTES.map(({ name }) => [name, `functions/handlers/${name}.ts`] as const),
    [ROUTE_NOT_FOUND, `functions/handlers/${ROUTE_NOT_FOUND}.ts`],
    [PROCESS_CHUNK, `functions/handlers/${PROCESS_CHUNK}.ts`],
    [WATCHDOG, `functions/handlers/${WATCHDOG}.ts`],
    [LOAD_SANDBOX_DATA, `functions/handlers/${LOAD_SANDBOX_DATA}.ts`],
  ]);
}
