/** Composes the middlewares of a request around its operation. */
/**
 * Turns an operation into the Lambda handler of its route. The chain is the same everywhere: read the event, log one
 * line, render the answer or the error envelope, authorise, then the operation itself.
 */
/** Operations that read nothing: their bundles carry neither the SDK nor a store. */
import { default as middy } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { tokenVerifier } from '../auth/verify-token.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { authoriseMigration, authoriseSession } from './authorise.ts';
import type { ImportReader } from './authorise.ts';
import { logRequest } from './request-log.ts';
import { readEvent } from './request.ts';
import { renderResponse } from './response.ts';
import type {
  Answer,
  ApiMiddleware,
  ApiRequest,
  ApiResponse,
  IncomingRequest,
  ProtectedOperation,
  PublicOperation,
  RequestState,
  SessionOperation,
} from './types.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import { secureRandom, systemClock } from '../runtime/system.ts';
import { powertoolsTelemetry } from '../runtime/telemetry.ts';
import type { Services, ServicesSource } from '../services/services.ts';
import { liveServices } from '../services/services.ts';

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

/** Anyone may call it. `services` is asked on the first invocation, so nothing is read from the environment at import. */
export function publicOperation(operation: PublicOperation, services: ServicesSource = liveServices()): ApiHandler {
  return apiHandler(services, (ready) => ({ operation: (request) => operation(request, ready) }));
}

/** Any active user with a standing session may call it (§5, rule 2). */
export function sessionOperation(
  operation: SessionOperation,
  services: ServicesSource = liveServices({ verifier: tokenVerifier }),
): ApiHandler {
  return apiHandler(services, (ready) => ({
    operation: (request) => operation(request as Parameters<SessionOperation>[0], ready),
    authorise: authoriseSession(ready),
  }));
}

/** The operation, unable to reach a key of any company but its caller's: it fails rather than touch one. */
export function inCompanyOfCaller(operation: ProtectedOperation): ProtectedOperation {
  return (request, services) => withinCompany(request.caller.company.company_id, () => operation(request, services));
}

export interface MigrationOptions {
  /**
   * The import this request is about, read in the same batch as the authorisation and handed over as `caller.import`:
   * named by the path, or derived from the request (by a function that answers `undefined` and never throws where it
   * cannot tell). A malformed id is no import at all.
   */
  readonly readImport?: 'path' | ImportReader;
}

/**
 * Admins of the company in the path may call it, once that company is enabled for migrations (§4.2). From there on the
 * operation cannot reach any other company.
 */
export function migrationOperation(
  operation: ProtectedOperation,
  options: MigrationOptions = {},
  services: ServicesSource = liveServices({ verifier: tokenVerifier }),
): ApiHandler {
  const readImport =
    options.readImport === 'path'
      ? (request: { path: Readonly<Record<string, string>> }) => request.path['import_id']
      : options.readImport;
  const kept = inCompanyOfCaller(operation);
  return apiHandler(services, (ready) => ({
    operation: (request) => kept(request as Parameters<ProtectedOperation>[0], ready),
    authorise: authoriseMigration(ready, readImport),
  }));
}

const chainServices = (): ChainServices => ({
  clock: systemClock,
  random: secureRandom,
  telemetry: powertoolsTelemetry(),
});

/** Anyone may call it; it answers from what it was built with. */
export function staticOperation(
  operation: (request: ApiRequest) => Promise<ApiResponse>,
  services: () => ChainServices = chainServices,
): ApiHandler {
  return apiHandler(services, () => ({ operation }));
}
