export const constants = { BROTLI_PARAM_QUALITY: 0, BROTLI_PARAM_SIZE_HINT: 0 };
export const brotliCompressSync = (text: Buffer): Buffer => text;
export const brotliDecompressSync = (text: Uint8Array): Buffer =>
  Buffer.from(text.buffer, text.byteOffset, text.byteLength);
