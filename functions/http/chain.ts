/**
 * The chain of every route: read the event, admit the request, do the operation, render its response or error, log one line. It
 * imports no store, so that operations that read nothing have neither the SDK nor a store in their bundle.
 */
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { OPERATION, unknownNames } from './known-names.ts';
import { apiRequest, rejectionOf } from './request.ts';
import { errorRenderer, lineOf, render, withOrigins, type grantPreflight } from './response.ts';
import type { ApiRequest, ApiResponse, ChainServices, PublicOperation, Seen } from './types.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import { processUsage, secureRandom, systemClock, withinMs } from '../runtime/system.ts';
import { powertoolsTelemetry } from '../runtime/telemetry.ts';

export type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** `on` makes the same handler on other services. `operation` is what it does, without the chain. */
export interface DeployedHandler<Ready, Operation = unknown> extends ApiHandler {
  readonly on: (services: Ready) => ApiHandler;
  readonly operation: Operation;
}

interface Chain<Request, Ready> {
  /** Lets the request pass, or rejects it. */
  readonly admit: (request: ApiRequest, services: Ready, seen: Seen) => Promise<Request>;
  /** A 401 says how to authenticate. */
  readonly isProtected?: boolean;
  /** The query parameters of each route that has some. */
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  readonly preflight?: typeof grantPreflight | undefined;
}

/** Early enough for the envelope to be sent before Lambda ends the invocation. */
const RESPOND_BEFORE_TIMEOUT_MS = 500;
const outOfTime = () => new TemporarilyUnavailable('The operation ran out of time.');

/** Builds the services on the first invocation, and keeps them for the next ones. */
export function apiHandler<
  Ready extends ChainServices,
  Request extends ApiRequest,
  Operation extends (request: Request, services: Ready) => Promise<ApiResponse | APIGatewayProxyResult>,
>(source: () => Ready, operation: Operation, chain: Chain<Request, Ready>): DeployedHandler<Ready, Operation> {
  const usage = processUsage();
  const serve = async (request: ApiRequest, services: Ready, seen: Seen) => {
    const admitted = await chain.admit(request, services, seen);
    refuseParameters(request);
    const answer = await operation(admitted, services);
    if (typeof answer.body === 'string') return answer as APIGatewayProxyResult;
    seen.answer = answer as ApiResponse;
    const response = render(seen.answer, request.requestId);
    await seen.answer.countBytes?.(Buffer.byteLength(response.body));
    return response;
  };
  const on = (source: () => Ready): ApiHandler => {
    let known: { services: Ready; renderError: ReturnType<typeof errorRenderer> } | undefined;
    return async (event, context) => {
      if (known === undefined) {
        const services = source();
        known = { services, renderError: errorRenderer(services, chain.isProtected === true) };
      }
      const { services, renderError } = known;
      const request = apiRequest(event, services);
      if (OPERATION.test(request.route)) request.parameters = chain.parameters?.[request.route] ?? [];
      const seen: Seen = {};
      const answer = serve(request, services, seen);
      const rendered = await withinMs(
        context.getRemainingTimeInMillis() - RESPOND_BEFORE_TIMEOUT_MS,
        answer,
        outOfTime,
      ).catch((error: unknown) => renderError(error, request, seen));
      const shown = withOrigins(rendered, request.headers['origin']);
      const response = chain.preflight?.(shown, request, seen) ?? shown;
      services.telemetry.info('request', {
        ...lineOf(request, seen),
        status: response.statusCode,
        duration_ms: Math.round(services.clock.nowMs() - request.receivedAtMs),
        ...usage(),
      });
      services.telemetry.flush();
      return response;
    };
  };
  return Object.assign(on(source), { operation, on: (services: Ready) => on(() => services) });
}

/** An operation that reads parameters or a body reports unknown parameters with its other problems: `checkAll`. */
function refuseParameters({ route, query, parameters }: ApiRequest): void {
  if (parameters?.length !== 0 || !route.startsWith('GET ')) return;
  const problems = unknownNames(Object.keys(query), parameters, 'query parameter');
  if (problems.length > 0) throw rejectionOf(problems);
}

/** A public operation. `services` is called on the first invocation, so nothing is read from the environment at import. */
export function publicOperation<Needs extends ChainServices>(services: () => Needs, operation: PublicOperation<Needs>) {
  return apiHandler(services, operation, { admit: async (request) => request });
}

export const chainServices = (): ChainServices => ({
  clock: systemClock,
  random: secureRandom,
  telemetry: powertoolsTelemetry(),
});

/** A public operation that reads nothing. It may render its response itself, if that is not JSON. */
export function staticOperation(
  operation: (request: ApiRequest) => Promise<ApiResponse | APIGatewayProxyResult>,
  preflight?: typeof grantPreflight,
) {
  return apiHandler(chainServices, operation, { admit: async (request) => request, preflight });
}
