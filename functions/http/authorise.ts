/**
 * The authorisation of a request (§5, §7.1), checked in this order: malformed header 400, token, session and user (or client and
 * key) 401, role and company 403, scope of a client 403, company not enabled 403. One strongly consistent batch read is enough, and includes the import of the request.
 */
import type { AccessStore } from '../auth/access-store.ts';
import { activeClient, isActiveBearer, type TokenVerifier } from '../auth/verify-token.ts';
import type { ClientClaims, TokenClaims } from '../auth/tokens.ts';
import { RequestRejected, malformed } from './types.ts';
import type { ApiMiddleware, ApiRequest, Bearer, LogSubject, With } from './types.ts';
import { isCompanyId, isImportId } from '../records/identifiers.ts';
import { quoted } from '../records/text.ts';
import type { Company } from '../shared/model.ts';
import type { RouteScope } from '../shared/routes.ts';

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
      if ('client' in caller) throw insufficientScope('person');
      request.event = { ...request.event, caller };
    },
  };
}

/** Admits admins and clients of the company in the path, if it is enabled. @throws RequestRejected 400, 401 or 403 */
export function authoriseMigration(
  services: AccessServices,
  scope: RouteScope,
  readImport?: ImportReader,
): ApiMiddleware {
  return {
    before: async (request) => {
      const { event } = request;
      const claims = await verifiedClaims(request, services);
      // Compared before any read: every key read below begins with the token's company.
      const ownCompany = event.path['company_id'] === claims.company_id;
      const importId = ownCompany ? wellFormed(readImport?.(event)) : undefined;
      const { caller, access } = await activeCaller(claims, services, importId);
      const isAdmin = 'client' in caller || caller.user.role === 'admin';
      if (!ownCompany || !isAdmin) throw forbidden(event.path['company_id']);
      // Where the body says which of two scopes is needed, the operation asks for it.
      if (scope !== 'dry-run or import') requireScope(scope, caller);
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
export const subjectOf = (claims: TokenClaims | ClientClaims): LogSubject => {
  const { company_id } = claims;
  if ('client_id' in claims) return { client_id: claims.client_id, company_id };
  const { user_id, session_id } = claims;
  return { user_id, session_id, company_id };
};

/** The claims of an authentic token are logged, whether or not its bearer may pass. */
async function verifiedClaims(
  { event, internal }: Parameters<NonNullable<ApiMiddleware['before']>>[0],
  { verifier, clock }: AccessServices,
): Promise<TokenClaims | ClientClaims> {
  const claims = await verifier.verifyAccess(bearerToken(event.headers), clock.nowMs());
  if (!claims) throw unauthorized();
  internal.subject = subjectOf(claims);
  return claims;
}

async function activeCaller(claims: TokenClaims | ClientClaims, services: AccessServices, import_id?: string) {
  const { company_id } = claims;
  const { stores, clock } = services;
  const named = { company_id, ...(import_id !== undefined && { import_id }) };
  if ('client_id' in claims) {
    const access = await stores.access.readAccess({ ...named, client_id: claims.client_id });
    const client = activeClient(claims, access.client);
    if (client === undefined) throw unauthorized();
    return { caller: { client }, access };
  }
  const { session_id, email } = claims;
  const access = await stores.access.readAccess({ ...named, session_id, email });
  const { session, user } = access;
  if (!session || !isActiveBearer(claims, session, user, clock.nowMs())) throw unauthorized();
  return { caller: { user, session }, access };
}

type Needed = Exclude<RouteScope, 'dry-run or import'>;

/** @throws RequestRejected 403 `insufficient_scope` */
export function requireScope(scope: Needed, caller: Bearer): void {
  if ('client' in caller && caller.client.scopes.every((each) => each !== scope)) throw insufficientScope(scope);
}

/** RFC 6750, section 3.1. */
function insufficientScope(scope: Needed): RequestRejected {
  const [message, attribute] =
    scope === 'person'
      ? ['Only a person may do this, no client.', '']
      : [`The client needs the scope ${scope} for this, and so does its token.`, `, scope="${scope}"`];
  const headers = { 'www-authenticate': `Bearer error="insufficient_scope"${attribute}` };
  return new RequestRejected('insufficient_scope', message, { headers });
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
