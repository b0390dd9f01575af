import { CHUNK_LIMITS } from '../../functions/shared/limits.ts';

const USUAL = CHUNK_LIMITS.records;

/** Lets an import of a few records have several chunks. The limit holds until it is set again. */
export function limitChunks(records: number = USUAL, limits: object = CHUNK_LIMITS): void {
  Object.assign(limits, { records });
}
