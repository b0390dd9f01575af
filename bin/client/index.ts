/**
 * A small client of the migration interface, typed by the schemas of the service.
 *
 * ```ts
 * const client = new MigrationClient({ baseUrl: 'http://127.0.0.1:3000', company_id: 'acme' });
 * await client.session.login({ email: 'admin@acme.test', password: 'changeme' });
 * const started = await client.startImport({ dry_run: false, records });
 * const { status, counts } = await client.waitForImport(started.import.import_id);
 * ```
 */
export { MigrationClient, type ClientOptions } from './client.ts';
export { NotAuthenticated, ServiceError, ServiceUnreachable } from './errors.ts';
export type { RetryPolicy } from './retry.ts';
export { memoryTokenStore, readClaims, Session, type StoredTokens, type TokenStore } from './session.ts';
export { fetchTransport, type HttpRequest, type HttpResponse, type Transport } from './transport.ts';
export type * from './types.ts';
