/** The operations that need a caller: authorised, and kept within the caller's company. */
import { accessStore } from '../auth/access-store.ts';
import { deployedQuotas, type QuotaStore } from '../auth/quotas.ts';
import { publishedKeys } from '../auth/signing-keys.ts';
import { deployedVerifier } from '../auth/verify-token.ts';
import { type Database, connected, deployed } from '../dynamodb/client.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { companyRequest, sessionRequest, type AccessServices, type ImportReader } from './authorise.ts';
import { apiHandler, chainServices } from './chain.ts';
import { QUERY_PARAMETERS } from './known-names.ts';
import { RequestRejected } from './types.ts';
import type { ChainServices, CompanyRequest, ProtectedOperation, SessionOperation, SessionRequest } from './types.ts';
import { optionalImport } from '../imports/import-item.ts';
import { quoted } from '../records/text.ts';
import type { Environment } from '../runtime/variables.ts';
import { countWithPoints } from '../runtime/metrics.ts';
import type { ImportItem } from '../shared/model.ts';

await connected((database) => publishedKeys(database).read('none'));

interface OwnServices {
  readonly stores: object;
}

type Built<Own> = (database: Database, environment: Environment) => Own;

function servicesAround<Own extends OwnServices>(own: Built<Own>, importIn?: Parameters<typeof accessStore>[1]) {
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

export function sessionOperation<Own extends OwnServices>(
  own: Built<Own>,
  operation: SessionOperation<ChainServices & Own>,
) {
  const chain = { admit: sessionRequest, isProtected: true };
  return apiHandler<Own & AccessServices, SessionRequest, typeof operation>(servicesAround(own), operation, chain);
}

interface CompanyOptions {
  readonly readImport?: ImportReader;
  readonly importIn?: typeof optionalImport;
}

/** Admins of the company in the path, once it is enabled (§4.2). The stores reject keys of any other company. */
export function migrationOperation<Own extends OwnServices>(
  own: Built<Own>,
  operation: ProtectedOperation<ChainServices & Own>,
  { readImport, importIn }: CompanyOptions = {},
) {
  const scoped: typeof operation = (request, ready) =>
    withinCompany(request.caller.company.company_id, () => operation(request, ready));
  const chain = { admit: companyRequest(readImport), isProtected: true, parameters: QUERY_PARAMETERS };
  return apiHandler<Own & AccessServices, CompanyRequest, typeof operation>(
    servicesAround(own, importIn),
    scoped,
    chain,
  );
}

/** The same, with the import that the request names: `importOf` returns it. It is read with the authorisation. */
export const importOperation = <Own extends OwnServices>(
  own: Built<Own>,
  operation: ProtectedOperation<ChainServices & Own>,
  readImport = namedImport,
) => migrationOperation(own, operation, { readImport, importIn: optionalImport });

type Counting<Own> = Own & { readonly stores: { readonly quotas: QuotaStore } };

/**
 * A migration operation whose responses of at least so many bytes count towards the company's downloads of an hour. Beyond the
 * quota, 429 takes the place of the response.
 */
export function download<Own extends OwnServices>(
  own: Built<Own>,
  operation: ProtectedOperation<ChainServices & Counting<Own>>,
  fromBytes = 0,
  options: CompanyOptions = {},
) {
  const withQuotas = (database: Database, environment: Environment): Counting<Own> => {
    const built = own(database, environment);
    return { ...built, stores: { ...built.stores, quotas: deployedQuotas(database, environment) } };
  };
  const counted: typeof operation = async (request, ready) => {
    const { clock, telemetry, stores } = ready;
    const { company_id } = request.caller.company;
    // If every response counts, a request beyond the quota is refused before anything is read for it.
    if (fromBytes === 0) stores.quotas.check(company_id, { download_bytes: 1 }, clock.nowMs());
    const response = await operation(request, ready);
    const { statusCode, readBytes = 0 } = response;
    if (statusCode !== 200) return response;
    const countBytes = async (sent: number): Promise<void> => {
      if (sent < fromBytes && readBytes === 0) return;
      countWithPoints(telemetry, 'HistoryReads');
      const use = { download_bytes: Math.max(sent, readBytes) };
      await withinCompany(company_id, () => stores.quotas.spend(company_id, use, clock.nowMs()));
    };
    return { ...response, countBytes };
  };
  return migrationOperation(withQuotas, counted, options);
}

export const importDownload = <Own extends OwnServices>(
  own: Built<Own>,
  operation: ProtectedOperation<ChainServices & Counting<Own>>,
  fromBytes?: number,
) => download(own, operation, fromBytes, { readImport: namedImport, importIn: optionalImport });

const namedImport: ImportReader = ({ path }) => path['import_id'];

/** Call it after the parameters are read: their problems come first (§10 point 2). @throws RequestRejected 404 */
export function importOf({ import: item, path }: Pick<CompanyRequest, 'import' | 'path'>): ImportItem {
  if (item !== undefined) return item;
  throw new RequestRejected('import_not_found', `This company has no import ${quoted(path['import_id'] ?? '')}.`);
}
