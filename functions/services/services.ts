/**
 * What the workflows need from the outside: stores, a queue, a clock and randomness, all as arguments.
 * The live adapters are functions/store and functions/runtime. Every store method throws `TemporarilyUnavailable` when the
 * database throttles, times out or is down; SDK exceptions never leave the store.
 */
/** What the records of an import refer to, and what applying them writes. */
/** Everything a handler may use, as one argument: live adapters in Lambda, fault-injecting ones in tests. */
/** The services of a deployed function, built from its environment on the first invocation. */
import type { AccessStore, SessionStore } from '../auth/access-store.ts';
import { accessStore, sessionStore } from '../auth/access-store.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import { scryptPasswords } from '../auth/passwords.ts';
import type { SigningKeyStore } from '../auth/signing-keys.ts';
import type { Signer } from '../auth/tokens.ts';
import { signingKeyStore } from '../auth/signing-keys.ts';
import type { LoginThrottleStore } from '../auth/throttle.ts';
import { loginThrottleStore } from '../auth/throttle.ts';
import type { TokenParties, TokenVerifier } from '../auth/tokens.ts';
import type { DirectoryStore } from '../catalog/directory-store.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import type { MappingStore } from '../catalog/mapping-store.ts';
import { mappingStore } from '../catalog/mapping-store.ts';
import { THIS_MACHINE, documentClient } from '../dynamodb/client.ts';
import type { Database } from '../dynamodb/client.ts';
import { keptWithin } from '../dynamodb/tenancy.ts';
import type { ChunkLimits } from '../imports/accept.ts';
import type { ChunkQueue } from '../imports/chunk-queue.ts';
import { chunkStore } from '../imports/chunk-store.ts';
import type { ImportStore } from '../imports/import-store.ts';
import { importListStore, importStatusStore } from '../imports/import-store.ts';
import type { RecordRules } from '../imports/plan-chunk.ts';
import type { ProgressStore } from '../imports/progress-store.ts';
import { progressStore } from '../imports/progress-store.ts';
import type { PlatformDataStore } from '../platform/platform-data-store.ts';
import { platformDataStore } from '../platform/platform-data-store.ts';
import { ENV, variable } from '../runtime/environment.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Clock, Random } from '../runtime/system.ts';
import { secureRandom, systemClock } from '../runtime/system.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { powertoolsTelemetry } from '../runtime/telemetry.ts';

export interface Stores {
  readonly imports: ImportStore;
  readonly directory: DirectoryStore;
  readonly mappings: MappingStore;
  readonly progress: ProgressStore;
  readonly access: AccessStore;
  readonly sessions: SessionStore;
  readonly throttle: LoginThrottleStore;
  readonly signingKeys: SigningKeyStore;
  readonly platform: PlatformDataStore;
}

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

export interface Services {
  readonly clock: Clock;
  readonly random: Random;
  readonly stores: Stores;
  readonly queue: ChunkQueue;
  /** Issuer and audience of our tokens. */
  readonly parties: TokenParties;
  readonly signer: Signer;
  readonly verifier: TokenVerifier;
  readonly passwords: PasswordHasher;
  readonly telemetry: Telemetry;
  /** Put in place of the record rules by tests that inject a fault of ours. */
  readonly rules?: RecordRules;
  /** Put in place of the limits of a chunk by tests that want many small ones. */
  readonly chunkLimits?: ChunkLimits;
}

export type ServicesSource = () => Services;

/**
 * What not every function does. Named by the function that does it, so that no other bundle carries the code:
 * `liveServices({ signer: kmsSigner })`.
 */
export interface Adapters {
  readonly signer?: (environment: Environment) => Signer;
  readonly queue?: (environment: Environment) => ChunkQueue;
  readonly verifier?: (trust: TokenParties & { readonly keys: SigningKeyStore }) => TokenVerifier;
}

/** Builds the services once, when they are first asked for. */
export function liveServices(adapters: Adapters = {}): ServicesSource {
  let services: Services | undefined;
  return () => (services ??= build(adapters, process.env));
}

function build(adapters: Adapters, environment: Environment): Services {
  const { signer = noSigner, queue = noQueue, verifier = noVerifier } = adapters;
  const stores = dynamoStores({ client: documentClient(), table: variable(environment, ENV.table) });
  // Functions that neither sign nor verify are deployed without these names, and no token matches the empty one.
  const parties = { issuer: environment[ENV.issuer] ?? '', audience: environment[ENV.audience] ?? '' };
  return {
    clock: systemClock,
    random: secureRandom,
    stores,
    queue: queue(environment),
    parties,
    signer: signer(environment),
    verifier: verifier({ ...parties, keys: stores.signingKeys }),
    passwords: scryptPasswords(secureRandom),
    telemetry: powertoolsTelemetry(),
  };
}

const missing = (what: string) => () => Promise.reject(new Error(`This function was built without ${what}.`));

const noSigner = (): Signer => ({ publicKey: missing('a signer'), sign: missing('a signer') });
const noQueue = (): ChunkQueue => ({ send: missing('a chunk queue') });
const noVerifier = (): TokenVerifier => ({
  verifyAccess: missing('a token verifier'),
  verifyRefresh: missing('a token verifier'),
});
