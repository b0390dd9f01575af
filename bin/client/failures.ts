import type { RequestProblem } from './types.ts';

/** The service answered with an error (§7): its status, its codes, and the id to quote when asking about it. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly errors: readonly RequestProblem[];
  readonly request_id: string | undefined;
  /** Seconds the service asked to wait, where it did. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, answer: unknown, retryAfterSeconds?: number) {
    const { errors, request_id } = envelopeOf(answer);
    const said = errors.map(({ error_code, message }) => `${error_code}: ${message}`).join('; ');
    super(said === '' ? `HTTP ${status}` : said);
    this.status = status;
    this.errors = errors;
    this.request_id = request_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  has(error_code: RequestProblem['error_code']): boolean {
    return this.errors.some((error) => error.error_code === error_code);
  }
}

/** No answer, or none that made sense, for as long as the client was told to be patient. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

/** No token that the service accepts is left: the user has to log in. */
export class NotAuthenticated extends Error {
  override readonly name = 'NotAuthenticated';
}

/** API Gateway and proxies answer in forms of their own: what is not our envelope tells nothing but its status. */
function envelopeOf(answer: unknown): { errors: RequestProblem[]; request_id: string | undefined } {
  if (typeof answer !== 'object' || answer === null) return { errors: [], request_id: undefined };
  const { errors, request_id } = answer as { errors?: unknown; request_id?: unknown };
  return {
    errors: Array.isArray(errors) ? errors.filter(isProblem) : [],
    request_id: typeof request_id === 'string' ? request_id : undefined,
  };
}

function isProblem(value: unknown): value is RequestProblem {
  return typeof value === 'object' && value !== null && 'error_code' in value && 'message' in value;
}
