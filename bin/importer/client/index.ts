/**
 * A small client of the migration interface, typed by the schemas of the service.
 *
 * ```ts
 * const client = new MigrationClient({ baseUrl: 'http://127.0.0.1:3000', company_id: 'acme' });
 * await client.session.login({ email: 'admin@acme.test', password: 'changeme' });
 * const { counts, records: results } = await client.importAll(records, { key: 'history-2024' });
 * ```
 */
export { MigrationClient, type ClientOptions } from './client.ts';
export type { ImportAllOptions, ImportedAll } from './import-all.ts';
export { NotAuthenticated, ServiceError, ServiceUnreachable } from '../wire/errors.ts';
export { memoryTokenStore, readClaims, Session, type StoredTokens, type TokenStore } from './session.ts';
export { sentBackIn, signInRequestOf, startSignIn, type SignInAttempt } from './sign-in.ts';
export { fetchTransport, type HttpRequest, type HttpResponse, type RetryPolicy, type Transport } from './transport.ts';
export type * from '../wire/types.ts';
