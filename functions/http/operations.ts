/** The operations that need a caller: authorised, and kept within the caller's company. */
import { accessStore } from '../auth/access-store.ts';
import { deployedQuotas, type QuotaStore } from '../auth/quotas.ts';
import { publishedKeys } from '../auth/signing-keys.ts';
import { deployedVerifier } from '../auth/verify-token.ts';
import { type Database, connected, deployed } from '../dynamodb/client.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { authoriseMigration, authoriseSession, type AccessServices, type ImportReader } from './authorise.ts';
import { apiHandler, chainServices } from './chain.ts';
import { RequestRejected, isRendered } from './types.ts';
import type {
  ApiMiddleware,
  ChainServices,
  CompanyRequest,
  IncomingRequest,
  ProtectedOperation,
  SessionOperation,
  SessionRequest,
  With,
} from './types.ts';
import { optionalImport } from '../imports/import-item.ts';
import { quoted } from '../records/text.ts';
import { takesPasswords, type Environment } from '../runtime/variables.ts';
import { countWithPoints } from '../runtime/metrics.ts';
import type { ImportItem } from '../shared/model.ts';
import type { CompanyRoute } from '../shared/routes.ts';

await connected((database) => publishedKeys(database).read('none'));

interface OwnServices {
  readonly stores: object;
}

type Built<Own> = (database: Database, environment: Environment) => Own;

function servicesAround<Own extends OwnServices>(own: Built<Own>, importIn?: typeof optionalImport) {
  return deployed((database, environment) => {
    const built = own(database, environment);
    return {
      ...chainServices(),
      verifier: deployedVerifier(database, environment),
      ...built,
      stores: { access: accessStore(database, { importIn, passwords: takesPasswords(environment) }), ...built.stores },
    };
  });
}

/** An operation for any active user with a session (§5): the profile and the logout. */
export function sessionOperation<Own extends OwnServices>(
  own: Built<Own>,
  operation: SessionOperation<ChainServices & Own>,
) {
  return apiHandler<Own & AccessServices, typeof operation>(servicesAround(own), operation, (ready) => ({
    operation: (request) => operation(ofSession(request), ready),
    authorise: authoriseSession(ready),
  }));
}

interface CompanyOptions<Own> {
  readonly readImport?: ImportReader;
  readonly importIn?: typeof optionalImport;
  readonly countDownload?: (services: ChainServices & Own) => ApiMiddleware;
}

/** Admins of the company in the path, once it is enabled (§4.2). The stores reject keys of any other company. */
export function migrationOperation<Own extends OwnServices>(
  { query = [], scope }: CompanyRoute,
  own: Built<Own>,
  operation: ProtectedOperation<ChainServices & Own>,
  { readImport, importIn, countDownload }: CompanyOptions<Own> = {},
) {
  const scoped: typeof operation = (request, ready) =>
    withinCompany(request.caller.company.company_id, () => operation(request, ready));
  return apiHandler<Own & AccessServices, typeof operation>(servicesAround(own, importIn), scoped, (ready) => ({
    operation: async (request) => scoped(ofCompany(request), ready),
    authorise: authoriseMigration(ready, scope, readImport),
    query,
    ...(countDownload && { countDownload: countDownload(ready) }),
  }));
}

/** The same, with the import that the request names: `importOf` returns it. It is read with the authorisation. */
export const importOperation = <Own extends OwnServices>(
  route: CompanyRoute,
  own: Built<Own>,
  operation: ProtectedOperation<ChainServices & Own>,
  readImport = namedImport,
) => migrationOperation(route, own, operation, { readImport, importIn: optionalImport });

type Counting<Own> = Own & { readonly stores: { readonly quotas: QuotaStore } };

/** A migration operation whose responses of at least so many bytes count towards the company's downloads of an hour. */
export function download<Own extends OwnServices>(
  route: CompanyRoute,
  own: Built<Own>,
  operation: ProtectedOperation<ChainServices & Counting<Own>>,
  fromBytes = 0,
  options: Omit<CompanyOptions<Counting<Own>>, 'countDownload'> = {},
) {
  const withQuotas = (database: Database, environment: Environment): Counting<Own> => {
    const built = own(database, environment);
    return { ...built, stores: { ...built.stores, quotas: deployedQuotas(database, environment) } };
  };
  const checked: typeof operation = async (request, ready) => {
    // If every response counts, a request beyond the quota is refused before anything is read for it.
    if (fromBytes === 0)
      ready.stores.quotas.check(request.caller.company.company_id, { download_bytes: 1 }, ready.clock.nowMs());
    return operation(request, ready);
  };
  return migrationOperation(route, withQuotas, checked, {
    ...options,
    countDownload: (ready) => countFrom(fromBytes, ready),
  });
}

/** A download with the import that the request names, read with the authorisation. */
export const importDownload = <Own extends OwnServices>(
  route: CompanyRoute,
  own: Built<Own>,
  operation: ProtectedOperation<ChainServices & Counting<Own>>,
  fromBytes?: number,
) => download(route, own, operation, fromBytes, { readImport: namedImport, importIn: optionalImport });

/** A page of many records is as many reads as this goes into it: an alarm counts what is sent, not calls. */
const SHOWN_PER_READ = 100;

/** Counts a response that was rendered. Beyond the quota, 429 takes its place. */
function countFrom(
  fromBytes: number,
  { stores, clock, telemetry }: With<{ readonly quotas: QuotaStore }>,
): ApiMiddleware {
  return {
    after: async ({ event, response, internal }) => {
      if (!isRendered(response) || response.statusCode !== 200) return;
      const [sent, read] = [Buffer.byteLength(response.body), internal.answer?.readBytes ?? 0];
      if (sent < fromBytes && read === 0) return;
      const shown = internal.answer?.shows ?? 1;
      countWithPoints(telemetry, 'HistoryReads', Math.max(1, Math.ceil(shown / SHOWN_PER_READ)));
      const { company_id } = ofCompany(event).caller.company;
      const headers = await withinCompany(company_id, () =>
        stores.quotas.spend(company_id, { download_bytes: Math.max(sent, read) }, clock.nowMs()),
      );
      response.headers = { ...response.headers, ...headers };
    },
  };
}

const namedImport: ImportReader = ({ path }) => path['import_id'];

/** Call it after the parameters are read: their problems come first (§10 point 2). @throws RequestRejected 404 */
export function importOf({ import: item, path }: Pick<CompanyRequest, 'import' | 'path'>): ImportItem {
  if (item !== undefined) return item;
  throw new RequestRejected('import_not_found', `This company has no import ${quoted(path['import_id'] ?? '')}.`);
}

function ofSession(request: IncomingRequest): SessionRequest {
  const { caller } = request;
  if (caller === undefined || 'client' in caller) throw new Error('The request has no caller.');
  return { ...request, caller };
}

function ofCompany(request: IncomingRequest): CompanyRequest {
  const { caller } = request;
  if (caller === undefined || !('company' in caller)) throw new Error('The request has no caller of a company.');
  return { ...request, caller };
}
