/** The operations that need a caller: authorised, and kept within the caller's company. */
import { accessStore } from '../auth/access-store.ts';
import type { QuotaStore } from '../auth/quotas.ts';
import { publishedKeys } from '../auth/signing-keys.ts';
import { deployedVerifier } from '../auth/verify-token.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { connected, deployed } from '../dynamodb/deployed.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { authoriseMigration, authoriseSession } from './authorise.ts';
import type { AccessServices, ImportReader } from './authorise.ts';
import { apiHandler, chainServices } from './chain.ts';
import { onlyKnownParameters } from './known-names.ts';
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
  With,
} from './types.ts';
import { optionalImport } from '../imports/import-item.ts';
import type { Environment } from '../runtime/environment.ts';
import { historyReads } from '../runtime/metrics.ts';
import { countWithPoints } from '../runtime/metric-names.ts';
import type { ImportItem } from '../shared/model.ts';

await connected((database) => publishedKeys(database).read('none'));

interface OwnServices {
  readonly stores: object;
}

type Built<Own> = (database: Database, environment: Environment) => Own;

/** The services that authorise a caller, and those that the operation needs beside them. */
export const callerServices = <Own extends OwnServices>(own: Built<Own>) => servicesAround(own);

/** The same for an operation that reads the import of the request with the authorisation. */
export const importCallerServices = <Own extends OwnServices>(own: Built<Own>) => servicesAround(own, optionalImport);

function servicesAround<Own extends OwnServices>(
  own: Built<Own>,
  importIn?: (item: Item | undefined) => ImportItem | undefined,
) {
  return deployed((database, environment) => {
    const built = own(database, environment);
    return {
      ...chainServices(),
      verifier: deployedVerifier(database, environment),
      ...built,
      stores: { access: accessStore(database, importIn), ...built.stores },
    };
  });
}

/** Any active user with an open session may call it (§5 point 2). */
export function sessionOperation<Needs, Ready extends Needs & AccessServices>(
  operation: SessionOperation<Needs>,
  services: () => Ready,
): DeployedHandler<Ready> {
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

export interface MigrationOptions<Needs> {
  /** Finds the id of the import that a request names. The import is read in the same batch as the authorisation. */
  readonly readImport?: ImportReader;
  /** Counts responses towards a quota. */
  readonly countDownload?: (services: Needs) => ApiMiddleware;
}

type CountingServices = AccessServices & With<{ readonly quotas: QuotaStore }>;

/** Counts a response that was rendered. Beyond the quota, 429 takes its place. */
function countFrom(fromBytes: number, { stores, clock, telemetry }: CountingServices): ApiMiddleware {
  return {
    after: async ({ event, response, internal }) => {
      if (!isRendered(response) || response.statusCode !== 200) return;
      const [sent, read] = [Buffer.byteLength(response.body), internal.readBytes ?? 0];
      if (sent < fromBytes && read === 0) return;
      countWithPoints(telemetry, historyReads);
      const { company_id } = ofCompany(event).caller.company;
      await withinCompany(company_id, () =>
        stores.quotas.spend(company_id, { download_bytes: Math.max(sent, read) }, clock.nowMs()),
      );
    },
  };
}

/**
 * Admins of the company in the path may call it, once that company is enabled for migrations (§4.2). The operation cannot reach
 * any other company.
 */
export function migrationOperation<Needs, Ready extends Needs & AccessServices>(
  operation: ProtectedOperation<Needs>,
  { readImport, countDownload }: MigrationOptions<Ready>,
  services: () => Ready,
): DeployedHandler<Ready> {
  const scoped = inCompanyOfCaller(operation);
  return apiHandler(services, (ready) => ({
    operation: async (request) => scoped(ofCompany(request), ready),
    authorise: authoriseMigration(ready, readImport),
    parameters: onlyKnownParameters,
    ...(countDownload && { countDownload: countDownload(ready) }),
  }));
}

/** A migration operation whose responses of at least this size count towards the company's downloads of an hour. */
export function download<Needs, Ready extends Needs & CountingServices>(
  operation: ProtectedOperation<Needs>,
  countedFromBytes: number,
  services: () => Ready,
  readImport?: ImportReader,
): DeployedHandler<Ready> {
  const checked: ProtectedOperation<Ready> = async (request, ready) => {
    // If every response counts, a request beyond the quota is refused before anything is read for it.
    if (countedFromBytes === 0)
      ready.stores.quotas.check(request.caller.company.company_id, { download_bytes: 1 }, ready.clock.nowMs());
    return operation(request, ready);
  };
  const countDownload = (ready: Ready) => countFrom(countedFromBytes, ready);
  return migrationOperation(checked, { ...(readImport && { readImport }), countDownload }, services);
}

/** A migration operation on the import that the path names; `importOf` returns the import. */
export function importOperation<Needs, Ready extends Needs & AccessServices>(
  operation: ProtectedOperation<Needs>,
  services: () => Ready,
): DeployedHandler<Ready> {
  return migrationOperation(operation, { readImport: namedImport }, services);
}

/** An operation on an import. Responses of at least this size count towards the download quota. */
export function importDownload<Needs, Ready extends Needs & CountingServices>(
  operation: ProtectedOperation<Needs>,
  countedFromBytes: number,
  services: () => Ready,
): DeployedHandler<Ready> {
  return download(operation, countedFromBytes, services, namedImport);
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
