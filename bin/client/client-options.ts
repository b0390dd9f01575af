import type { RetryPolicy } from './retry.ts';
import type { TokenStore } from './token-store.ts';
import type { Transport } from './transport.ts';
import type * as wire from './types.ts';

export interface ClientOptions {
  /** Base URL of the migration operations. */
  readonly baseUrl: string;
  /** Base URL of the authentication operations, where it is another. */
  readonly authBaseUrl?: string;
  readonly company_id: string;
  /** Where the token pair is kept; in memory if nothing is said. */
  readonly tokens?: TokenStore;
  /** How long to go on trying while the service is away; 5 minutes if nothing is said. */
  readonly retry?: Partial<RetryPolicy>;
  readonly transport?: Transport;
  readonly now?: () => number;
}

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface RecordQuery extends PageQuery {
  readonly status?: 'success' | 'error' | 'pending';
  readonly include?: 'record';
}

export interface StartedImport {
  readonly import: wire.Import;
  /** The key had been used before: this is the answer that was given then. */
  readonly replayed: boolean;
  /** How long to wait before the first look at it; absent for a dry run, which is done. */
  readonly retryAfterSeconds: number | undefined;
}

export interface WaitOptions {
  /** Before the first look. */
  readonly afterSeconds?: number | undefined;
  /** Told what each look shows. */
  readonly onProgress?: (standing: wire.Import) => void;
}
