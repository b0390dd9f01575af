/** Virtual milliseconds of a call, SDK and network included: typical in-region figures, the same for every design compared. */
const BATCH_MS = 12;
const SINGLE_MS = 5;

export function latencyOf(call: string): number {
  return call.includes('Batch') || call === 'Query' ? BATCH_MS : SINGLE_MS;
}
