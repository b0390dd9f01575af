/**
 * Turns an operation into the Lambda handler of its route. The chain is the same everywhere: read the event, log one
 * line, render the answer or the error envelope, authorise, then the operation itself.
 */
import { authoriseMigration, authoriseSession, type ImportReader } from './authorise.ts';
import { withinCompany } from '../store/tenancy.ts';
import type { PublicOperation, ProtectedOperation, SessionOperation } from './http.ts';
import { liveServices, type ServicesSource } from './live-services.ts';
import { tokenVerifier } from '../workflow/verify-token.ts';
import { apiHandler, type ApiHandler } from './pipeline.ts';

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
