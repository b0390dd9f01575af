/** The concurrent executions of Lambda that the queues of a stack may use, of the quota that an account has for all its functions. */
import type { Settings } from '../settings.ts';

/** AWS's own quota of an account and region; a new account may have 10. */
export const DEFAULT_CONCURRENCY = 1000;
/** Leaves the other half of a new account's ten concurrent executions to the API and the watchdog. */
const DEFAULT_PROCESSORS = 5;
/** Writes a second that one processor makes: 2,600 records of 2.13 writes. */
const WRITES_OF_A_PROCESSOR = 5_500;
/** Of the intake, which has a queue if a platform may send to it. */
export const INTAKE_CONCURRENCY = 2;

type Sized = Pick<Settings, 'processors' | 'warm' | 'platform'>;

/** How many batches of chunks are processed at once: as the settings say, or as many as `warm` needs. */
export const processorsOf = ({ processors, warm = 0 }: Sized): number =>
  processors ?? Math.max(DEFAULT_PROCESSORS, Math.ceil(warm / WRITES_OF_A_PROCESSOR));

export const concurrencyOf = (settings: Sized): number =>
  processorsOf(settings) + (settings.platform === undefined ? 0 : INTAKE_CONCURRENCY);
