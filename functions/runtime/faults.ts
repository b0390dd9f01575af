/** Transient faults of AWS services: how they are recognised, and how long a client retries. */
import { systemWaiting } from './system.ts';

/** A dependency throttles or is down. No data is known to be lost, and the call is safe to repeat. */
export class TemporarilyUnavailable extends Error {
  override readonly name = 'TemporarilyUnavailable';
}

/** A company has used up its quota of the hour. The request had no effect. */
export class QuotaExceeded extends Error {
  override readonly name = 'QuotaExceeded';
  readonly retryAfterSeconds: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(retryAfterSeconds: number, headers: Readonly<Record<string, string>>) {
    super('This company has used up what it may send or fetch in an hour. Repeat the request in the next hour.');
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }
}

/** Names of transient errors of DynamoDB, SQS, KMS and the SDK itself, without `Exception` or `Error` at their end. */
const TRANSIENT_NAMES: ReadonlySet<string> = new Set([
  'BandwidthLimitExceeded',
  'DependencyTimeout',
  'Internal',
  'InternalFailure',
  'InternalServer',
  'KMSInternal',
  'KeyUnavailable',
  'LimitExceeded',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceeded',
  'ReplicatedWriteConflict',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'Throttled',
  'Throttling',
  'Timeout',
  'TooManyRequests',
  'TransactionConflict',
  'TransactionInProgress',
  'Unavailable',
]);

const CONNECTION_CODE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENETUNREACH)/;

/** Whether the name of an exception, or the code of one entry of a batch, is of a transient fault. */
export function isTransientName(name = ''): boolean {
  return TRANSIENT_NAMES.has(name.replace(/(Exception|Error)$/, ''));
}

interface SdkError {
  readonly code?: unknown;
  readonly $retryable?: object;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Converts throttling, time-outs, conflicts, broken connections and 5xx responses, and no others, to `TemporarilyUnavailable`. */
export function dependencyFault(error: unknown, dependency: string): unknown {
  return error instanceof Error && isTransient(error)
    ? new TemporarilyUnavailable(`${dependency} is throttling or down.`, { cause: error })
    : error;
}

function isTransient({ name, code, $retryable, $metadata }: Error & SdkError): boolean {
  const isServerFault = ($metadata?.httpStatusCode ?? 0) >= 500;
  const isConnectionFault = typeof code === 'string' && CONNECTION_CODE.test(code);
  return isServerFault || isConnectionFault || $retryable !== undefined || isTransientName(name);
}

/** Waits of 50–100 ms, 100–200 ms, … 1.6–3.2 s: more than three seconds in all, which outlasts a fail-over. */
const RETRIES = 6;
const FIRST_WAIT_MS = 100;

const tokenOf = (retries: number, delayMs: number) => ({
  getRetryCount: () => retries,
  getRetryDelay: () => delayMs,
});

/** Options of every AWS client. A call that hangs ends within the invocation, retries included. */
export const PATIENT_CLIENT = {
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  retryStrategy: {
    acquireInitialRetryToken: async () => tokenOf(0, 0),
    refreshRetryTokenForRetry: async (
      token: ReturnType<typeof tokenOf>,
      { errorType }: { readonly errorType: string },
    ) => {
      const retries = token.getRetryCount();
      if (retries >= RETRIES || errorType === 'CLIENT_ERROR') throw new Error('This call is not repeated.');
      return tokenOf(retries + 1, FIRST_WAIT_MS * 2 ** retries * (0.5 + systemWaiting.random() / 2));
    },
    recordSuccess: () => undefined,
  },
};
