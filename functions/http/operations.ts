/** The operations that need a caller: authorised, and kept within the caller's company. */
import { verifierOf } from '../auth/verify-token.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { authoriseMigration, authoriseSession } from './authorise.ts';
import type { ImportReader } from './authorise.ts';
import { apiHandler } from './chain.ts';
import type { DeployedHandler } from './chain.ts';
import { RequestRejected, isRendered } from './types.ts';
import type {
  ApiMiddleware,
  ApiResponse,
  Caller,
  CompanyRequest,
  IncomingRequest,
  ProtectedOperation,
  SessionOperation,
  SessionRequest,
} from './types.ts';
import type { ServicesWith } from '../services/services.ts';
import { connected, liveServices } from '../services/services.ts';
import type { ImportItem } from '../shared/model.ts';

type VerifyingServices = ServicesWith<'verifier'>;

/** The services of an operation that needs no others. */
export const verifyingServices = await connected(
  liveServices((_environment, core) => ({ verifier: verifierOf(core) })),
  ({ signingKeys }) => signingKeys.read('none'),
);

/** Any active user with an open session may call it (§5 point 2). */
export function sessionOperation<Needs extends VerifyingServices>(
  operation: SessionOperation<Needs>,
  services: () => Needs,
): DeployedHandler<Needs> {
  return apiHandler(services, (ready) => ({
    operation: (request) => operation(ofSession(request), ready),
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
  /** Responses of at least this size count towards the company's downloads of an hour; by default none do. */
  readonly countedFromBytes?: number;
}

/** Counts a response that was rendered. Beyond the quota, 429 takes its place. */
function countDownload({ stores, clock }: VerifyingServices, fromBytes: number): ApiMiddleware {
  return {
    after: async ({ event, response, internal }) => {
      if (!isRendered(response) || response.statusCode !== 200) return;
      const bytes = Math.max(Buffer.byteLength(response.body), internal.readBytes ?? 0);
      if (bytes < fromBytes) return;
      const { company_id } = ofCompany(event).caller.company;
      await withinCompany(company_id, () => stores.quotas.spend(company_id, { download_bytes: bytes }, clock.nowMs()));
    },
  };
}

/**
 * Admins of the company in the path may call it, once that company is enabled for migrations (§4.2). The operation cannot reach
 * any other company.
 */
export function migrationOperation<Needs extends VerifyingServices>(
  operation: ProtectedOperation<Needs>,
  { readImport, countedFromBytes }: MigrationOptions,
  services: () => Needs,
): DeployedHandler<Needs> {
  const scoped = inCompanyOfCaller(operation);
  const checked: typeof scoped = (request, ready) => {
    // If every response counts, a request beyond the quota is refused before anything is read for it.
    if (countedFromBytes === 0)
      ready.stores.quotas.check(request.caller.company.company_id, { download_bytes: 1 }, ready.clock.nowMs());
    return scoped(request, ready);
  };
  return apiHandler(services, (ready) => ({
    operation: async (request) => checked(ofCompany(request), ready),
    authorise: authoriseMigration(ready, readImport),
    ...(countedFromBytes !== undefined && { countDownload: countDownload(ready, countedFromBytes) }),
  }));
}

/** A migration operation on the import that the path names; `importOf` returns the import. */
export function importOperation<Needs extends VerifyingServices>(
  operation: ProtectedOperation<Needs>,
  services: () => Needs,
): DeployedHandler<Needs> {
  return migrationOperation(operation, { readImport: namedImport }, services);
}

/** An operation on an import. Responses of at least this size count towards the download quota. */
export function importDownload<Needs extends VerifyingServices>(
  operation: ProtectedOperation<Needs>,
  countedFromBytes: number,
  services: () => Needs,
): DeployedHandler<Needs> {
  return migrationOperation(operation, { readImport: namedImport, countedFromBytes }, services);
}

const namedImport: ImportReader = ({ path }) => path['import_id'];

/**
 * The import that the path names. Problems of the request itself come before a missing import (§10 point 2), so an operation calls this
 * after it has read its parameters.
 *
 * @throws RequestRejected 404 `import_not_found`
 */
export function importOf({ import: item }: Pick<CompanyRequest, 'import'>): ImportItem {
  if (item !== undefined) return item;
  throw new RequestRejected('import_not_found', 'This company has no import with this id.');
}

function ofSession(request: IncomingRequest): SessionRequest {
  const { caller } = request;
  if (caller === undefined) throw new Error('The request has no caller.');
  return { ...request, caller };
}

function ofCompany(request: IncomingRequest): CompanyRequest {
  const { caller } = request;
  if (caller === undefined || !('company' in caller)) throw new Error('The request has no caller of a company.');
  return { ...request, caller };
}
