/** Tells a dependency that struggles from a fault of ours, for the clients that the runtime owns. */

/** A dependency throttles or is down: nothing is known to be lost and the call is safe to repeat. */
export class TemporarilyUnavailable extends Error {
  override readonly name = 'TemporarilyUnavailable';
}

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly $retryable?: object;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const STRUGGLING =
  /Throttl|TooManyRequests|LimitExceeded|Timeout|ServiceUnavailable|Unavailable|InternalError|InternalException/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST)/;

/** Throttling, time-outs, broken connections and 5xx answers as `TemporarilyUnavailable`; anything else as it is. */
export function dependencyFault(error: unknown, dependency: string): unknown {
  return isStruggling(error as SdkError)
    ? new TemporarilyUnavailable(`${dependency} is struggling.`, { cause: error })
    : error;
}

function isStruggling({ name = '', code = '', $retryable, $metadata }: SdkError): boolean {
  const serverFault = ($metadata?.httpStatusCode ?? 0) >= 500;
  return serverFault || $retryable !== undefined || STRUGGLING.test(name) || NETWORK.test(code);
}
