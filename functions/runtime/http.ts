/** What an operation sees of a request, and what it answers; API Gateway's event shape stays in the middleware. */
import type { RequestErrorCode, Problem } from '../domain/codes.ts';
import type { Company, ImportItem, User } from '../domain/model.ts';
import type { Session } from '../workflow/ports.ts';
import type { Services } from './services.ts';

export interface ApiRequest {
  readonly requestId: string;
  /** Random id of this invocation, unlike the request id unknown to the caller. */
  readonly attemptId: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
  /** The JSON object of the body; throws `RequestRejected` (413, 400) where it is none (§ conventions). */
  readonly json: () => Readonly<Record<string, unknown>>;
  readonly remainingMs: () => number;
}

/** Set on protected operations, after authorisation. */
export interface Caller {
  readonly user: User;
  readonly company: Company;
  readonly session: Session;
  /** The import named by the request, read in the same batch as the authorisation. */
  readonly import?: ImportItem;
}

export interface ApiResponse {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Who asks, on operations that need a session but no company (§5, rule 2). */
export type SessionCaller = Pick<Caller, 'user' | 'session'>;

export type PublicOperation = (request: ApiRequest, services: Services) => Promise<ApiResponse>;
export type SessionOperation = (
  request: ApiRequest & { readonly caller: SessionCaller },
  services: Services,
) => Promise<ApiResponse>;
export type ProtectedOperation = (
  request: ApiRequest & { readonly caller: Caller },
  services: Services,
) => Promise<ApiResponse>;

/** Ends a request with an error envelope: thrown by operations and middlewares, rendered in one place. */
export class RequestRejected extends Error {
  override readonly name = 'RequestRejected';
  readonly problem: Problem<RequestErrorCode>;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    error_code: RequestErrorCode,
    message: string,
    options: { field?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.problem = { error_code, message, ...(options.field === undefined ? {} : { field: options.field }) };
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
