/** Lets the simulator's workers store payloads and plans as they are: brotli is a third of a run's time, and no part of the protocol. */
import { registerHooks } from 'node:module';

const STAND_IN = new URL('./stand-in-zlib.ts', import.meta.url).href;

/** For every module that is loaded from now on. */
export function storeUncompressed(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:zlib' && context.parentURL?.includes('/functions/dynamodb/') === true
        ? { url: STAND_IN, shortCircuit: true }
        : next(specifier, context),
  });
}
