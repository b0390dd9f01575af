import type { RequestProblem } from './types.ts';

/**
 * The service responded with an error (§7): its status, its codes, and the request id to quote to support.
 *
 * @example
 * const errors = [{ error_code: 'import_not_found', message: 'There is no such import.' }];
 * const error = new ServiceError(404, { errors, request_id: 'r-1' });
 * error.message; // => 'import_not_found: There is no such import.'
 * error.has('import_not_found'); // => true
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly errors: readonly RequestProblem[];
  readonly request_id: string | undefined;
  /** Seconds from the `Retry-After` header, if it was sent. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: unknown, retryAfterSeconds?: number) {
    const { errors, request_id } = envelopeOf(body);
    const description = errors.map(({ error_code, message }) => `${error_code}: ${message}`).join('; ');
    super(description === '' ? `HTTP ${status}` : description);
    this.status = status;
    this.errors = errors;
    this.request_id = request_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  has(error_code: RequestProblem['error_code']): boolean {
    return this.errors.some((error) => error.error_code === error_code);
  }
}

/** The service did not respond, or not in JSON, for as long as the client keeps trying. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

/** There is no token that the service accepts: the user has to log in. */
export class NotAuthenticated extends Error {
  override readonly name = 'NotAuthenticated';
}

/** API Gateway and proxies have error formats of their own; of those only the status is used. */
function envelopeOf(body: unknown): { errors: RequestProblem[]; request_id: string | undefined } {
  const { errors, request_id }: { errors?: unknown; request_id?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  return {
    errors: Array.isArray(errors) ? errors.filter(isProblem) : [],
    request_id: typeof request_id === 'string' ? request_id : undefined,
  };
}

function isProblem(value: unknown): value is RequestProblem {
  return typeof value === 'object' && value !== null && 'error_code' in value && 'message' in value;
}
