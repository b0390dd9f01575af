/**
 * Turns an operation into the Lambda handler of its route. The chain is the same everywhere: read the event, log one
 * line, render the response or the error envelope, authorise, then the operation itself.
 */
import { default as middy } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { tokenVerifier } from '../auth/verify-token.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { authoriseMigration, authoriseSession } from './authorise.ts';
import type { ImportReader } from './authorise.ts';
import { readEvent } from './request.ts';
import { logRequest, renderResponse } from './response.ts';
import { RequestRejected } from './types.ts';
import type {
  ApiMiddleware,
  ApiResponse,
  Caller,
  ChainResponse,
  CompanyRequest,
  ImportOperation,
  IncomingRequest,
  ProtectedOperation,
  PublicOperation,
  RequestState,
  SessionOperation,
  SessionRequest,
} from './types.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import { secureRandom, systemClock } from '../runtime/system.ts';
import { powertoolsTelemetry } from '../runtime/telemetry.ts';
import type { CoreServices, ServicesWith } from '../services/services.ts';
import { liveServices } from '../services/services.ts';

/** The Lambda handler of one HTTP route (HTTP API, payload format 2.0). */
export type ApiHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** What the chain itself uses; operations take what they need beyond it. */
type ChainServices = Pick<CoreServices, 'clock' | 'random' | 'telemetry'>;

interface Chain {
  readonly operation: (request: IncomingRequest) => Promise<ApiResponse>;
  /** Present on protected operations. */
  readonly authorise?: ApiMiddleware;
}

/** Early enough for the envelope to be sent before Lambda ends the invocation. */
const RESPOND_BEFORE_TIMEOUT_MS = 500;

/** Builds the chain on the first invocation, with the services of that moment, and keeps it for the next ones. */
function apiHandler<Ready extends ChainServices>(
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
  const chain = middy<IncomingRequest, ChainResponse, Error, Context, RequestState>(operation, {
    timeoutEarlyInMillis: RESPOND_BEFORE_TIMEOUT_MS,
    timeoutEarlyResponse: () => {
      throw new TemporarilyUnavailable('The operation ran out of time.');
    },
  })
    .use(readEvent(services))
    .use(logRequest(services))
    .use(renderResponse({ telemetry: services.telemetry, isProtected: authorise !== undefined }));
  if (authorise) chain.use(authorise);
  // The first middleware turns the event into an ApiRequest and the last one the response into a result.
  return chain as unknown as ApiHandler;
}

/** Anyone may call it. `services` is called on the first invocation, so nothing is read from the environment at import. */
export function publicOperation<Needs extends ChainServices>(
  operation: PublicOperation<Needs>,
  services: () => Needs,
): ApiHandler {
  return apiHandler(services, (ready) => ({ operation: (request) => operation(request, ready) }));
}

type VerifyingServices = ServicesWith<'verifier'>;
const verifyingServices = (): (() => VerifyingServices) => liveServices({ verifier: tokenVerifier });

/** Any active user with an open session may call it (§5, rule 2). */
export function sessionOperation(
  operation: SessionOperation<VerifyingServices>,
  services: () => VerifyingServices = verifyingServices(),
): ApiHandler {
  return apiHandler(services, (ready) => ({
    operation: (request) => operation(request as SessionRequest, ready),
    authorise: authoriseSession(ready),
  }));
}

/** Runs the operation in the caller's tenant scope: the stores reject the keys of any other company. */
export function inCompanyOfCaller<Request extends { readonly caller: Caller }, Needs>(
  operation: (request: Request, services: Needs) => Promise<ApiResponse>,
): (request: Request, services: Needs) => Promise<ApiResponse> {
  return (request, services) => withinCompany(request.caller.company.company_id, () => operation(request, services));
}

export interface MigrationOptions {
  /** Finds the id of the import that a request names. The import is read in the same batch as the authorisation. */
  readonly readImport?: ImportReader;
}

/**
 * Admins of the company in the path may call it, once that company is enabled for migrations (§4.2). From there on the
 * operation cannot reach any other company. An operation that needs more than a verifier names its `services`.
 */
export function migrationOperation(
  operation: ProtectedOperation<VerifyingServices>,
  options?: MigrationOptions,
): ApiHandler;
export function migrationOperation<Needs extends VerifyingServices>(
  operation: ProtectedOperation<Needs>,
  options: MigrationOptions,
  services: () => Needs,
): ApiHandler;
export function migrationOperation(
  operation: ProtectedOperation<VerifyingServices>,
  { readImport }: MigrationOptions = {},
  services: () => VerifyingServices = verifyingServices(),
): ApiHandler {
  const scoped = inCompanyOfCaller(operation);
  return apiHandler(services, (ready) => ({
    operation: (request) => scoped(request as CompanyRequest, ready),
    authorise: authoriseMigration(ready, readImport),
  }));
}

/** A migration operation on the import that the path names. Errors: 404 `import_not_found`. */
export function importOperation(
  operation: ImportOperation<VerifyingServices>,
  services: () => VerifyingServices = verifyingServices(),
): ApiHandler {
  const onImport: ProtectedOperation<VerifyingServices> = async (request, ready) => {
    const { import: item } = request;
    if (item === undefined) throw new RequestRejected('import_not_found', 'This company has no import with this id.');
    return operation({ ...request, import: item }, ready);
  };
  return migrationOperation(onImport, { readImport: ({ path }) => path['import_id'] }, services);
}

const chainServices = (): ChainServices => ({
  clock: systemClock,
  random: secureRandom,
  telemetry: powertoolsTelemetry(),
});

/** Anyone may call it, and it reads nothing: its bundle has neither the SDK nor a store. */
export function staticOperation(
  operation: () => Promise<ApiResponse>,
  services: () => ChainServices = chainServices,
): ApiHandler {
  return apiHandler(services, () => ({ operation }));
}
