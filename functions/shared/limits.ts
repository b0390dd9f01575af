/** Limits of §8 and of this service, in one place. */
export const MAX_RECORDS_PER_IMPORT = 500;
export const MAX_EMAILS_PER_RESOLVE = 100;
export const MAX_MAPPINGS_PER_REQUEST = 500;
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
export const MAX_NESTING_LEVELS = 32;
/** A page of a list is cut short where its answer would grow beyond this. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * A chunk is what one message asks the processor to do; its plan must fit one stored item, which its bytes see to. Its records
 * are few so that an import is worked on in parallel.
 */
export const CHUNK_LIMITS = { records: 125, bytes: 192 * 1024 } as const;
