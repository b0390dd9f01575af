/**
 * Size of a value as JSON, in UTF-8 bytes. A value nested deeper than the engine can write has no size that fits any limit:
 * `Infinity`.
 */
export function jsonBytes(value: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length;
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
