/**
 * The chain of every route: read the event, log one line, render the response or error, authorise, then the operation. It imports
 * no store, so that operations that read nothing have neither the SDK nor a store in their bundle.
 */
import { default as middy } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { OPERATION, unknownNames } from './known-names.ts';
import { apiRequest, rejectionOf } from './request.ts';
import { allowOrigins, logRequest, renderResponse } from './response.ts';
import { isRendered } from './types.ts';
import type {
  ApiMiddleware,
  ApiRequest,
  ChainResponse,
  ChainServices,
  IncomingRequest,
  PublicOperation,
  RequestState,
} from './types.ts';
import * as ENV from '../runtime/variables.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import { processUsage, secureRandom, systemClock } from '../runtime/system.ts';
import { powertoolsTelemetry } from '../runtime/telemetry.ts';

/** A function of Lambda behind API Gateway. It never rejects for an error of the caller or of a dependency. */
export type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** `on` makes the same handler on other services. `operation` is what it does, without the chain. */
export interface DeployedHandler<Ready, Operation = unknown> extends ApiHandler {
  readonly on: (services: Ready) => ApiHandler;
  readonly operation: Operation;
}

interface Chain {
  readonly operation: (request: IncomingRequest) => Promise<ChainResponse>;
  readonly authorise?: ApiMiddleware;
  readonly countDownload?: ApiMiddleware;
  /** The names of its query parameters; default: none. */
  readonly query?: readonly string[];
  readonly preflight?: ApiMiddleware;
}

/** Early enough for the envelope to be sent before Lambda ends the invocation. */
const RESPOND_BEFORE_TIMEOUT_MS = 500;

/** Builds the chain on the first invocation, with the services of that time, and keeps it for the next ones. */
export function apiHandler<Ready extends ChainServices, Operation>(
  source: () => Ready,
  operation: Operation,
  describe: (services: Ready) => Chain,
): DeployedHandler<Ready, Operation> {
  const usage = processUsage();
  const on = (services: () => Ready): ApiHandler => {
    let handler: ApiHandler | undefined;
    return async (event, context) => {
      handler ??= compose(services(), describe, usage);
      return handler(event, context);
    };
  };
  return Object.assign(on(source), { operation, on: (services: Ready) => on(() => services) });
}

function compose<Ready extends ChainServices>(
  services: Ready,
  describe: (services: Ready) => Chain,
  usage: ReturnType<typeof processUsage>,
): ApiHandler {
  const { operation, authorise, countDownload, query = [], preflight } = describe(services);
  const chain = middy<IncomingRequest, ChainResponse, Error, Context, RequestState>(operation, {
    timeoutEarlyInMillis: RESPOND_BEFORE_TIMEOUT_MS,
    timeoutEarlyResponse: () => {
      throw new TemporarilyUnavailable('The operation ran out of time.');
    },
  });
  const middlewares = [
    logRequest({ ...services, usage }),
    preflight,
    allowOrigins(process.env[ENV.corsOrigins]?.split(',') ?? []),
    countDownload,
    renderResponse({ ...services, isProtected: authorise !== undefined }),
    authorise,
    refuseParameters,
  ];
  chain.use(middlewares.filter((each) => each !== undefined));
  return async (event, context) => {
    const request = apiRequest(event, services);
    if (OPERATION.test(request.route)) request.parameters = query;
    const response = await chain(request, context);
    if (isRendered(response)) return response;
    throw new Error('The response was not rendered.');
  };
}

/** An operation that reads parameters or a body reports unknown parameters with its other problems: `checkAll`. */
const refuseParameters: ApiMiddleware = {
  before: ({ event: { route, query, parameters } }) => {
    if (parameters?.length !== 0 || !route.startsWith('GET ')) return;
    const problems = unknownNames(Object.keys(query), parameters, 'query parameter');
    if (problems.length > 0) throw rejectionOf(problems);
  },
};

/** A public operation. `services` is called on the first invocation, so nothing is read from the environment at import. */
export function publicOperation<Needs extends ChainServices>(services: () => Needs, operation: PublicOperation<Needs>) {
  return apiHandler(services, operation, (ready) => ({ operation: (request) => operation(request, ready) }));
}

export const chainServices = (): ChainServices => ({
  clock: systemClock,
  random: secureRandom,
  telemetry: powertoolsTelemetry(),
});

/** A public operation that reads nothing. It may render its response itself, if that is not JSON. */
export function staticOperation(operation: (request: ApiRequest) => Promise<ChainResponse>, preflight?: ApiMiddleware) {
  return apiHandler(chainServices, operation, () => ({ operation, ...(preflight && { preflight }) }));
}
