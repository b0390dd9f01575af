/**
 * A small client of the migration interface, typed by the schemas that the service itself uses.
 *
 * ```ts
 * const client = new MigrationClient({ baseUrl: 'http://127.0.0.1:3000', company_id: 'acme' });
 * await client.session.login({ email: 'admin@acme.test', password: 'changeme' });
 * const started = await client.startImport({ dry_run: false, records });
 * const { status, counts } = await client.waitForImport(started.import.import_id);
 * ```
 */
export { MigrationClient } from './client.ts';
export type { ClientOptions, PageQuery, RecordQuery, StartedImport, WaitOptions } from './client-options.ts';
export { NotAuthenticated, ServiceError, ServiceUnreachable } from './failures.ts';
export type { RetryPolicy } from './retry.ts';
export { Session } from './session.ts';
export { readClaims } from './token-claims.ts';
export { memoryTokenStore, type KeptTokens, type TokenStore } from './token-store.ts';
export { fetchTransport, type HttpAnswer, type HttpRequest, type Transport } from './transport.ts';
export type * from './types.ts';
