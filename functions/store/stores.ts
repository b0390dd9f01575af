import type { Stores } from '../workflow/ports.ts';
import { accessStore } from './access-store.ts';
import { chunkStore } from './chunk-store.ts';
import { THIS_MACHINE } from './client.ts';
import type { Database } from './database.ts';
import { directoryStore } from './directory-store.ts';
import { importListStore } from './import-list-store.ts';
import { importStatusStore } from './import-store.ts';
import { loginThrottleStore } from './login-throttle-store.ts';
import { mappingStore } from './mapping-store.ts';
import { platformDataStore } from './platform-data-store.ts';
import { progressStore } from './progress-store.ts';
import { sessionStore } from './session-store.ts';
import { signingKeyStore } from './signing-key-store.ts';
import { keptWithin } from './tenancy.ts';

export interface StoreOptions {
  readonly client: Database['client'];
  readonly table: string;
  /** Waits between retries; a test gives its own. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Uniform in [0, 1): spreads the retries of callers throttled together. */
  readonly random?: () => number;
  /** Only for the expiry of staged payloads. */
  readonly nowMs?: () => number;
}

/** Every store of the service, on one DynamoDB table; within a company they reach that company alone. */
export function dynamoStores({ client, table, ...options }: StoreOptions): Stores {
  const database: Database = { ...THIS_MACHINE, ...options, client: keptWithin(client), table };
  return {
    imports: { ...importStatusStore(database), ...importListStore(database), ...chunkStore(database) },
    directory: directoryStore(database),
    mappings: mappingStore(database),
    progress: progressStore(database),
    access: accessStore(database),
    sessions: sessionStore(database),
    throttle: loginThrottleStore(database),
    signingKeys: signingKeyStore(database),
    platform: platformDataStore(database),
  };
}
