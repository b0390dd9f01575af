/**
 * Who may pass (§5, §7.1), judged in this order: malformed header 400, token, session and user 401, role and company
 * 403, company not enabled 403. All of it, and the import asked for, is decided on one strongly consistent batch read.
 */
import { isActiveBearer } from '../auth/sessions.ts';
import type { TokenClaims } from '../auth/tokens.ts';
import type { ApiMiddleware } from './types.ts';
import { RequestRejected } from './types.ts';
import type { ApiRequest, Caller, SessionCaller } from './types.ts';
import { isImportId } from '../imports/identity.ts';
import type { Services } from '../services/services.ts';
import type { Company } from '../shared/model.ts';

/** `Bearer <token>`, the token in the characters that RFC 6750, section 2.1, allows. */
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** Token of the Authorization header (§5 point 2): 401 where there is no header, 400 where it is anything else. */
export function bearerToken(headers: Readonly<Record<string, string>>): string {
  const header = headers['authorization'];
  if (header === undefined) throw unauthorized();
  const token = BEARER.exec(header)?.[1];
  if (token === undefined)
    throw new RequestRejected('invalid_request', 'the Authorization header must be: Bearer <access_token>');
  return token;
}

/** The same answer whatever is wrong with the credentials (§7.1). */
export function unauthorized(): RequestRejected {
  return new RequestRejected('unauthorized', 'A valid access token of an active user is required.');
}

/** Names the import that a request is about, if it is about one. */
export type ImportReader = (request: ApiRequest) => string | undefined;

type AccessServices = Pick<Services, 'clock' | 'verifier'> & { readonly stores: Pick<Services['stores'], 'access'> };

/** Lets any active user with a standing session pass. */
export function authoriseSession(services: AccessServices): ApiMiddleware {
  return {
    before: async (request) => {
      const claims = await verifiedClaims(request.event, services);
      const { caller } = await standingCaller(claims, services);
      request.event = { ...request.event, caller };
    },
  };
}

/** Lets admins of the company in the path pass, if the company is enabled for migrations. */
export function authoriseMigration(services: AccessServices, readImport?: ImportReader): ApiMiddleware {
  return {
    before: async (request) => {
      const { event } = request;
      const claims = await verifiedClaims(event, services);
      // Compared before any read: every key read below begins with the token's company.
      const ownCompany = event.path['company_id'] === claims.company_id;
      const import_id = ownCompany ? wellFormed(readImport?.(event)) : undefined;
      const { caller, company, found } = await standingCaller(claims, services, import_id);
      if (!ownCompany || caller.user.role !== 'admin') throw forbidden();
      const admitted: Caller = { ...caller, company: enabled(company), ...(found ? { import: found } : {}) };
      request.event = { ...event, caller: admitted };
    },
  };
}

async function verifiedClaims(request: ApiRequest, { verifier, clock }: AccessServices): Promise<TokenClaims> {
  const claims = await verifier.verifyAccess(bearerToken(request.headers), clock.nowMs());
  if (!claims) throw unauthorized();
  return claims;
}

async function standingCaller(claims: TokenClaims, { stores }: AccessServices, import_id?: string) {
  const { session_id, company_id, email } = claims;
  const access = await stores.access.readAccess({
    session_id,
    company_id,
    email,
    ...(import_id === undefined ? {} : { import_id }),
  });
  const { session, user } = access;
  if (!session || !isActiveBearer(claims, session, user)) throw unauthorized();
  const caller: SessionCaller = { user, session };
  return { caller, company: access.company, found: access.import };
}

/** Nothing from outside reaches a storage key before its characters are checked. */
const wellFormed = (import_id: string | undefined): string | undefined =>
  import_id !== undefined && isImportId(import_id) ? import_id : undefined;

function enabled(company: Company | undefined): Company {
  if (company?.migrations_enabled) return company;
  throw new RequestRejected(
    'migrations_not_enabled',
    'Migrations are not enabled for this company; its account manager can enable them.',
  );
}

/** The same answer whether or not the company exists. */
function forbidden(): RequestRejected {
  return new RequestRejected('forbidden', 'Only an admin of this company may do this.');
}
