/** Lets the simulator store payloads and plans as they are: brotli is a third of a run's time, and no part of the protocol. */
import { registerHooks } from 'node:module';

const STAND_IN = `data:text/javascript,${encodeURIComponent(`
  export const constants = { BROTLI_PARAM_QUALITY: 0, BROTLI_PARAM_SIZE_HINT: 0 };
  export const brotliCompressSync = (text) => text;
  export const brotliDecompressSync = (text) => Buffer.from(text.buffer, text.byteOffset, text.byteLength);
`)}`;

/** For every module that is loaded from now on. */
export function storeUncompressed(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:zlib' && context.parentURL?.includes('/functions/dynamodb/') === true
        ? { url: STAND_IN, shortCircuit: true }
        : next(specifier, context),
  });
}
