import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Session } from '../auth/access-store.ts';
import type { Client } from '../auth/clients.ts';
import type { Clock, Random } from '../runtime/system.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { Company, ImportItem, User, Problem, RequestErrorCode } from '../shared/model.ts';

/** A request without anything of API Gateway. Values come from outside and are checked by those who read them. */
export interface ApiRequest {
  readonly requestId: string;
  /** Method and path of the route, such as `POST /api/v1/auth/login`. */
  readonly route: string;
  readonly receivedAtMs: number;
  /** Random id of this invocation, unlike the request id unknown to the caller. */
  readonly attemptId: string;
  /** The part of the sent path before the path of the route: the stage of the API, such as `/production`, or nothing. */
  readonly basePath: string;
  /** The host by which the API was called, as API Gateway names it: no header of the caller. */
  readonly host: string | undefined;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The query parameters that the operation defines; absent if it takes any. */
  parameters?: readonly string[];
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Each value that a header was sent with; `name` in lower case. */
  readonly headerValues: (name: string) => readonly string[];
  readonly sourceIp: string;
  readonly body: SentBody;
}

interface SessionCaller {
  readonly user: User;
  readonly session: Session;
}

/** A machine of a company (§5.3), with the scopes that its token and its registration both have. */
interface ClientCaller {
  readonly client: Client;
}

/** The bearer of a token: a person, or a client. */
export type Bearer = SessionCaller | ClientCaller;

/** An authorised admin or client, with the company of the path, which is the caller’s own. */
export type Caller = Bearer & { readonly company: Company };

/** A request of an active user; the company of the user may not be enabled. */
export type SessionRequest = ApiRequest & { readonly caller: SessionCaller };

/** A request of an admin, or a client, of an enabled company. `importId` is well-formed if present. */
export interface CompanyRequest extends ApiRequest {
  readonly caller: Caller;
  readonly importId?: string;
  /** That import, read in the same batch as the authorisation; absent if the company has no import with this id. */
  readonly import?: ImportItem;
}

/** The response of an operation, before it is rendered and gets the headers of every response. */
export interface ApiResponse {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent for statuses without a body: 204 and 304. */
  readonly body?: object | undefined;
  readonly subject?: LogSubject;
  /** The least size that counts as a download: more than the body shows, or 1 if the response counts whatever its size is. */
  readonly readBytes?: number;
  /** How many records or people a download shows. */
  readonly shows?: number;
}

/** The user in the log line: the bearer of a verified token or of a new session, or the address of a failed login. */
export interface LogSubject {
  readonly user_id?: number;
  readonly session_id?: string;
  readonly client_id?: string;
  readonly company_id?: string;
  readonly email_hash?: string;
}

export interface ChainServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
}

/** As API Gateway gives it; `bodyOf` reads it, after the authorisation. */
export interface SentBody {
  readonly text: string | null | undefined;
  readonly isBase64: boolean;
  readonly contentType: string | undefined;
  readonly contentEncoding?: string | undefined;
}
export type With<Stores, Others = unknown> = ChainServices & { readonly stores: Readonly<Stores> } & Others;

type OperationOn<Request, Needs> = (request: Request, services: Needs) => Promise<ApiResponse>;
export type PublicOperation<Needs = ChainServices> = OperationOn<ApiRequest, Needs>;
export type SessionOperation<Needs = ChainServices> = OperationOn<SessionRequest, Needs>;
/** An operation on the company of its caller. Its stores refuse the keys of any other company. */
export type ProtectedOperation<Needs = ChainServices> = OperationOn<CompanyRequest, Needs>;

/** State that one middleware leaves for the next; the operation does not see it. */
export type RequestState = {
  errorCode?: RequestErrorCode;
  subject?: LogSubject;
  answer?: ApiResponse;
};

/** `caller` is set once the authorising middleware has let the request pass. */
export type IncomingRequest = ApiRequest &
  Pick<CompanyRequest, 'importId' | 'import'> & { readonly caller?: SessionCaller | Caller };

export type ChainResponse = ApiResponse | APIGatewayProxyResult;

/** A rendered body is a text; the body of an operation never is. */
export function isRendered(response: ChainResponse | null): response is APIGatewayProxyResult {
  return typeof response?.body === 'string';
}

/** One step of the chain: before the operation, after it in reverse order, or on an error. */
export type ApiMiddleware = MiddlewareObj<IncomingRequest, ChainResponse, Error, Context, RequestState>;

interface RejectionOptions {
  readonly field?: string | undefined;
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allow?: readonly string[];
  readonly others?: readonly Problem<RequestErrorCode>[];
  readonly subject?: LogSubject | undefined;
}

/** Ends a request with an error envelope: thrown by operations and middlewares, rendered in one place. */
export class RequestRejected extends Error {
  override readonly name = 'RequestRejected';
  /** Decides the status. */
  readonly problem: Problem<RequestErrorCode>;
  readonly options: RejectionOptions;

  constructor(error_code: RequestErrorCode, message: string, options: RejectionOptions = {}) {
    super(message);
    this.problem = { error_code, message, ...(options.field !== undefined && { field: options.field }) };
    this.options = options;
  }
}

/** 400 `invalid_request`. The message names the rule, and quotes no secret. */
export function malformed(message: string, field?: string): RequestRejected {
  return new RequestRejected('invalid_request', message, field === undefined ? {} : { field });
}

/** Ends the request if there is a problem. @throws RequestRejected with its code and message */
export function rejectFor(problem: Problem<RequestErrorCode> | undefined): void {
  if (problem !== undefined) throw new RequestRejected(problem.error_code, problem.message);
}
