/** The operations that need a caller: authorised, and kept within the caller's company. */
import { tokenVerifier } from '../auth/verify-token.ts';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { authoriseMigration, authoriseSession } from './authorise.ts';
import type { ImportReader } from './authorise.ts';
import { apiHandler } from './chain.ts';
import type { ApiHandler } from './chain.ts';
import { RequestRejected } from './types.ts';
import type {
  ApiMiddleware,
  ApiResponse,
  Caller,
  CompanyRequest,
  ImportOperation,
  ProtectedOperation,
  SessionOperation,
  SessionRequest,
} from './types.ts';
import type { ServicesWith } from '../services/services.ts';
import { connected, liveServices } from '../services/services.ts';

type VerifyingServices = ServicesWith<'verifier'>;
const verifyingServices = await connected(liveServices({ verifier: tokenVerifier }), ({ signingKeys }) =>
  signingKeys.read('none'),
);

/** Any active user with an open session may call it (§5, rule 2). */
export function sessionOperation(
  operation: SessionOperation<VerifyingServices>,
  services: () => VerifyingServices = verifyingServices,
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
  /** Responses from this size on count towards the company's downloads of an hour; by default none do. */
  readonly countedFromBytes?: number;
}

/** Counts a response that was rendered. Beyond the quota, 429 takes its place. */
function countDownload({ stores, clock }: VerifyingServices, fromBytes: number): ApiMiddleware {
  return {
    after: async ({ event, response, internal }) => {
      const { statusCode, body } = response as APIGatewayProxyResult;
      const bytes = Math.max(Buffer.byteLength(body), internal.readBytes ?? 0);
      const { company } = event.caller as Caller;
      if (statusCode !== 200 || bytes < fromBytes) return;
      const { company_id } = company;
      await withinCompany(company_id, () => stores.quotas.spend(company_id, { download_bytes: bytes }, clock.nowMs()));
    },
  };
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
  { readImport, countedFromBytes }: MigrationOptions = {},
  services: () => VerifyingServices = verifyingServices,
): ApiHandler {
  const scoped = inCompanyOfCaller(operation);
  const checked: typeof scoped = (request, ready) => {
    // Where every response counts, nothing is read for one that would be refused.
    if (countedFromBytes === 0)
      ready.stores.quotas.check(request.caller.company.company_id, { download_bytes: 1 }, ready.clock.nowMs());
    return scoped(request, ready);
  };
  return apiHandler(services, (ready) => ({
    operation: async (request) => checked(request as CompanyRequest, ready),
    authorise: authoriseMigration(ready, readImport),
    ...(countedFromBytes !== undefined && { countDownload: countDownload(ready, countedFromBytes) }),
  }));
}

/** A migration operation on the import that the path names. Errors: 404 `import_not_found`. */
export function importOperation(operation: ImportOperation<VerifyingServices>): ApiHandler;
export function importOperation<Needs extends VerifyingServices>(
  operation: ImportOperation<Needs>,
  services: () => Needs,
): ApiHandler;
export function importOperation(
  operation: ImportOperation<VerifyingServices>,
  services: () => VerifyingServices = verifyingServices,
): ApiHandler {
  return migrationOperation(onImport(operation), { readImport: namedImport }, services);
}

/** An operation on an import whose responses count as downloads, from a size on. */
export function importDownload(
  operation: ImportOperation<VerifyingServices>,
  countedFromBytes: number,
  services: () => VerifyingServices = verifyingServices,
): ApiHandler {
  return migrationOperation(onImport(operation), { readImport: namedImport, countedFromBytes }, services);
}

const namedImport: ImportReader = ({ path }) => path['import_id'];

/** That there is no such import is found where the operation asks for it: what is wrong with the request itself comes first (§1). */
function onImport<Needs extends VerifyingServices>(operation: ImportOperation<Needs>): ProtectedOperation<Needs> {
  return (request, ready) => {
    const item = request.import;
    return operation(
      {
        ...request,
        get import() {
          if (item !== undefined) return item;
          throw new RequestRejected('import_not_found', 'This company has no import with this id.');
        },
      },
      ready,
    );
  };
}
