import { TemporarilyUnavailable } from '../runtime/faults.ts';

const TRANSIENT_NAMES: ReadonlySet<string> = new Set([
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'RequestTimeout',
  'RequestTimeoutException',
  'ServiceUnavailable',
  'SlowDown',
  'ThrottledException',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * Awaits a call to the database. Throttling, time-outs, broken connections, conflicts and the database's own faults become
 * `TemporarilyUnavailable`: the one place where SDK exceptions are told apart. Everything else is a fault of ours.
 */
export async function translated<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isTransient(error)) throw new TemporarilyUnavailable('the database is throttling or down', { cause: error });
    throw error;
  }
}

/** Whether a conditional write went through. */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await translated(write);
    return true;
  } catch (error) {
    if (isFailedCondition(error)) return false;
    throw error;
  }
}

export function isFailedCondition(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

const TOO_LARGE = /item size.* exceeded the maximum allowed size/i;

/** Whether a write was refused because the item would outgrow what the database holds (400 KB). */
export function isItemTooLarge(message: string | undefined): boolean {
  return message !== undefined && TOO_LARGE.test(message);
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as Error & {
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  return (
    TRANSIENT_NAMES.has(error.name) ||
    (typeof code === 'string' && CONNECTION_CODES.has(code)) ||
    ($metadata?.httpStatusCode ?? 0) >= 500
  );
}
