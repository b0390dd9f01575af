/** Counts calls of `JSON.stringify` until the returned function is called. */
export function countJson(seen: (bytes: number) => void): () => void {
  const original = JSON.stringify;
  const counting = (...args: Parameters<typeof original>): string => {
    const text = original(...args);
    seen(Buffer.byteLength(text ?? ''));
    return text;
  };
  JSON.stringify = counting as typeof original;
  return () => {
    JSON.stringify = original;
  };
}
