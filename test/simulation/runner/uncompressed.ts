/**
 * Stores payloads and plans uncompressed: brotli is a third of a run's time, and no part of the protocol. A text too
 * large for an item is still compressed, with the fastest method.
 */
import { registerHooks } from 'node:module';

const STAND_IN = `data:text/javascript,${encodeURIComponent(`
  export const constants = { BROTLI_PARAM_QUALITY: 0, BROTLI_PARAM_SIZE_HINT: 0 };
  export const { gzipSync, gunzipSync, inflateSync } = process.getBuiltinModule('node:zlib');
  const GZIP = 0x1f;
  export const brotliCompressSync = (text) => (text.byteLength < 350_000 ? text : gzipSync(text, { level: 1 }));
  export const brotliDecompressSync = (stored) =>
    stored[0] === GZIP ? gunzipSync(stored) : Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
`)}`;

/** Applies to every module that is loaded later. */
export function storeUncompressed(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:zlib' && /\/(functions\/dynamodb|test\/formats)\//.test(context.parentURL ?? '')
        ? { url: STAND_IN, shortCircuit: true }
        : next(specifier, context),
  });
}
