/** What an operation sees of a request, and what it answers; API Gateway's event shape stays in the middleware. */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Session } from '../auth/access-store.ts';
import type { Services } from '../services/services.ts';
import type { Problem, RequestErrorCode } from '../shared/codes.ts';
import type { Company, ImportItem, User } from '../shared/model.ts';

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

/** What one middleware leaves for the next; nothing of it reaches the operation. */
export type RequestState = {
  /** Route key as API Gateway names it, such as `POST /api/v1/auth/login`. */
  route?: string;
  rawPath?: string;
  startedAtMs?: number;
  /** Code of the envelope that was answered. */
  errorCode?: RequestErrorCode;
  /** The import that the answer is about. */
  importId?: string;
};

/** `caller` stands once the authorising middleware has let the request pass. */
export type IncomingRequest = ApiRequest & { readonly caller?: Pick<Caller, 'user' | 'session'> & Partial<Caller> };

/** The operation answers an ApiResponse; rendering turns it into what API Gateway takes. */
export type Answer = ApiResponse | APIGatewayProxyStructuredResultV2;

export type ApiMiddleware = MiddlewareObj<IncomingRequest, Answer, Error, Context, RequestState>;

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
