/**
 * The assumptions of the model about AWS, each with its source. Everything else is read from the template or done by the real
 * handlers.
 */

/** Units a second (docs.aws.amazon.com/amazondynamodb, "Best practices for designing partition keys"). */
export const PARTITION = { writes: 1_000, reads: 3_000 };

/** Units a second of a new on-demand table, and of each of its indexes ("DynamoDB on-demand capacity mode"). */
export const NEW_TABLE = { writes: 4_000, reads: 12_000 };

/**
 * "Up to double the previous peak", and throttling "if you exceed double your previous peak within 30 minutes" (the same page). A
 * peak is a whole minute; it counts once it is 30 minutes old.
 */
export const DOUBLES_AFTER_MINUTES = 30;

/**
 * A bucket holds the units of one second. DynamoDB may lend up to 300 seconds of unused capacity ("Burst capacity"), which it
 * neither promises nor lends beyond 1,000 and 3,000 a partition: the model lends nothing.
 */
export const BUCKET_SECONDS = 1;

/**
 * Milliseconds of a call, network and SDK included, as the cost figures of this repository use for calls in the region
 * (`test/bench/meter/latency.ts`); DynamoDB promises "single-digit milliseconds". Each takes from 0.5 to 1.5 times as long.
 */
export { latencyOf } from '../bench/meter/latency.ts';
export const SPREAD = { least: 0.5, most: 1.5 };

/** The refusal of a throttled request is quicker: it touches no storage. An assumption. */
export const REFUSAL_MS = 3;

/** From the client to the function and back, without the function. An assumption; it is no bottleneck. */
export const GATEWAY_MS = 30;

/** Memory that has one vCPU (docs.aws.amazon.com/lambda, "Configure Lambda function memory"). */
export const MB_OF_A_CPU = 1_769;

/**
 * CPU of a whole vCPU, in microseconds, measured by `npm run bench` (docs/costs.md: 166 µs a record to process, which touches
 * four items; about 60 µs to accept).
 */
export const CPU_US = { item: 166 / 4, acceptedRecord: 60, call: 200 };

/** Start of an environment, as docs/costs.md counts it. */
export const COLD_START_MS = 500;

/**
 * Concurrent batches of an event source at its start, and how many it adds a minute (docs.aws.amazon.com/lambda, "Scaling and
 * processing").
 */
export const EVENT_SOURCE = { first: 5, aMinute: 300 };
