/** The shape of our middlewares: `(options) => ({ before, after, onError })` around an ApiRequest. */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { RequestErrorCode } from '../domain/codes.ts';
import type { ApiRequest, ApiResponse, Caller } from './http.ts';

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
