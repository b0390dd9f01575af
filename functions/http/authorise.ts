/**
 * The authorisation of a request (§5, §7.1), checked in this order: malformed header 400, token, session and user 401, role and
 * company 403, company not enabled 403. One strongly consistent batch read is enough, and includes the import of the request.
 */
import type { AccessStore } from '../auth/access-store.ts';
import { isActiveBearer, type TokenVerifier } from '../auth/verify-token.ts';
import type { TokenClaims } from '../auth/tokens.ts';
import { RequestRejected, malformed } from './types.ts';
import type { ApiMiddleware, ApiRequest, LogSubject, With } from './types.ts';
import { isCompanyId, isImportId } from '../records/identifiers.ts';
import { quoted } from '../records/text.ts';
import type { Company } from '../shared/model.ts';

/** `Bearer <token>`, the token in the characters that RFC 6750, section 2.1, allows. */
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** Token of the Authorization header (§5 point 2): 401 without a header, 400 for a malformed one. */
export function bearerToken(headers: Readonly<Record<string, string>>): string {
  const header = headers['authorization'];
  if (header === undefined) throw unauthorized();
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) throw malformed('The Authorization header must be: Bearer <access_token>.');
  return token;
}

function unauthorized(): RequestRejected {
  return new RequestRejected('unauthorized', 'A valid access token of an active user is required.');
}

/** Id of the import that a request names, also a malformed one. It never throws: it runs before the authorisation. */
export type ImportReader = (request: ApiRequest) => string | undefined;

export type AccessServices = With<
  { access: Pick<AccessStore, 'readAccess'> },
  { readonly verifier: Pick<TokenVerifier, 'verifyAccess'> }
>;

/** Admits any active user with an open session, and leaves the caller in the request. @throws RequestRejected 400 or 401 */
export function authoriseSession(services: AccessServices): ApiMiddleware {
  return {
    before: async (request) => {
      const claims = await verifiedClaims(request, services);
      const { caller } = await activeCaller(claims, services);
      request.event = { ...request.event, caller };
    },
  };
}

/** Admits admins of the company in the path, if it is enabled. @throws RequestRejected 400, 401 or 403 */
export function authoriseMigration(services: AccessServices, readImport?: ImportReader): ApiMiddleware {
  return {
    before: async (request) => {
      const { event } = request;
      const claims = await verifiedClaims(request, services);
      // Compared before any read: every key read below begins with the token's company.
      const ownCompany = event.path['company_id'] === claims.company_id;
      const importId = ownCompany ? wellFormed(readImport?.(event)) : undefined;
      const { caller, access } = await activeCaller(claims, services, importId);
      if (!ownCompany || caller.user.role !== 'admin') throw forbidden(event.path['company_id']);
      const admitted = { ...caller, company: enabled(access.company) };
      request.event = {
        ...event,
        caller: admitted,
        ...(importId !== undefined && { importId }),
        ...(access.import && { import: access.import }),
      };
    },
  };
}

/** The members of verified claims that a log line may have: ids alone. */
export const subjectOf = ({ user_id, session_id, company_id }: TokenClaims): LogSubject => ({
  user_id,
  session_id,
  company_id,
});

/** The claims of an authentic token are logged, whether or not its bearer may pass. */
async function verifiedClaims(
  { event, internal }: Parameters<NonNullable<ApiMiddleware['before']>>[0],
  { verifier, clock }: AccessServices,
): Promise<TokenClaims> {
  const claims = await verifier.verifyAccess(bearerToken(event.headers), clock.nowMs());
  if (!claims) throw unauthorized();
  internal.subject = subjectOf(claims);
  return claims;
}

async function activeCaller(claims: TokenClaims, { stores, clock }: AccessServices, import_id?: string) {
  const { session_id, company_id, email } = claims;
  const key = { session_id, company_id, email };
  const access = await stores.access.readAccess(import_id === undefined ? key : { ...key, import_id });
  const { session, user } = access;
  if (!session || !isActiveBearer(claims, session, user, clock.nowMs())) throw unauthorized();
  return { caller: { user, session }, access };
}

/** No value from outside reaches a storage key before its characters are checked. */
const wellFormed = (importId: string | undefined): string | undefined =>
  importId !== undefined && isImportId(importId) ? importId : undefined;

function enabled(company: Company | undefined): Company {
  if (company?.migrations_enabled) return company;
  throw new RequestRejected(
    'migrations_not_enabled',
    'Migrations are not enabled for this company. Ask its account manager to enable them.',
  );
}

function forbidden(company_id: unknown): RequestRejected {
  const message = isCompanyId(company_id)
    ? 'Only an admin of this company may do this.'
    : `Only an admin of this company may do this, and the company_id ${quoted(String(company_id))} in the path is none: it has 1 to 64 of A-Z a-z 0-9 _ -.`;
  return new RequestRejected('forbidden', message);
}
