/** Composes the middlewares of a request around its operation. */
import { default as middy } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { TemporarilyUnavailable } from '../domain/temporarily-unavailable.ts';
import type { ApiResponse } from './http.ts';
import type { Answer, ApiMiddleware, IncomingRequest, RequestState } from './middleware.ts';
import { readEvent } from './request.ts';
import { logRequest } from './request-log.ts';
import { renderResponse } from './render-response.ts';
import type { Services } from './services.ts';

/** The Lambda handler of one HTTP route (HTTP API, payload format 2.0). */
export type ApiHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** What the chain itself uses; operations take what they need beyond it. */
export type ChainServices = Pick<Services, 'clock' | 'random' | 'telemetry'>;

export interface Chain {
  readonly operation: (request: IncomingRequest) => Promise<ApiResponse>;
  /** Present on protected operations. */
  readonly authorise?: ApiMiddleware;
}

/** Answers early enough for the envelope to be sent before Lambda ends the invocation. */
const ANSWER_BEFORE_TIMEOUT_MS = 500;

/** Builds the chain on the first invocation, with the services that stand then, and keeps it for the next ones. */
export function apiHandler<Ready extends ChainServices>(
  source: () => Ready,
  describe: (services: Ready) => Chain,
): ApiHandler {
  let handler: ApiHandler | undefined;
  return async (event, context) => {
    handler ??= compose(source, describe);
    return handler(event, context);
  };
}

function compose<Ready extends ChainServices>(source: () => Ready, describe: (services: Ready) => Chain): ApiHandler {
  const services = source();
  const { operation, authorise } = describe(services);
  const chain = middy<IncomingRequest, Answer, Error, Context, RequestState>(operation, {
    timeoutEarlyInMillis: ANSWER_BEFORE_TIMEOUT_MS,
    timeoutEarlyResponse: () => {
      throw new TemporarilyUnavailable('The operation ran out of time.');
    },
  })
    .use(readEvent(services))
    .use(logRequest(services))
    .use(renderResponse({ telemetry: services.telemetry, isProtected: authorise !== undefined }));
  if (authorise) chain.use(authorise);
  // The first middleware turns the event into an ApiRequest and the last one the answer into a result.
  return chain as unknown as ApiHandler;
}
