/** The composition root: everything a handler may use, as one argument, built from the environment on the first invocation. */
import { accessStore, sessionStore } from '../auth/access-store.ts';
import { scryptPasswords } from '../auth/passwords.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import { signingKeyStore } from '../auth/signing-keys.ts';
import type { PublishingSigner } from '../auth/signing-keys.ts';
import { loginThrottleStore } from '../auth/throttle.ts';
import type { TokenParties } from '../auth/tokens.ts';
import type { TokenVerifier } from '../auth/verify-token.ts';
import type { CourseMemory } from '../catalog/course-memory.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { mappingStore } from '../catalog/mapping-store.ts';
import { documentClient } from '../dynamodb/client.ts';
import type { Database } from '../dynamodb/client.ts';
import { keptWithin } from '../dynamodb/tenancy.ts';
import { gateStore } from '../jobs/gate.ts';
import { openWorkList } from '../jobs/open-work.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { EventBus } from '../runtime/event-bus.ts';
import { optionalImport } from '../imports/import-item.ts';
import { importStore } from '../imports/import-store.ts';
import { progressStore } from '../imports/progress-store.ts';
import { revertStore } from '../reverts/store.ts';
import { quotaStore, quotasIn } from '../auth/quotas.ts';
import type { Quotas } from '../auth/quotas.ts';
import { erasureStore } from '../erasure/store.ts';
import { loadedFileStore } from '../platform/loaded-file-store.ts';
import { platformDataStore } from '../platform/platform-data-store.ts';
import { HOURLY_QUOTAS } from '../shared/limits.ts';
import { ENV, variable } from '../runtime/environment.ts';
import type { Environment } from '../runtime/environment.ts';
import { secureRandom, systemClock, systemWaiting } from '../runtime/system.ts';
import type { Clock, Random } from '../runtime/system.ts';
import { powertoolsTelemetry } from '../runtime/telemetry.ts';
import type { Telemetry } from '../runtime/telemetry.ts';

export interface StoreOptions {
  readonly client: Database['client'];
  readonly table: string;
  /** Waits between retries; a test gives its own. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Uniform in [0, 1): spreads the retries of callers throttled together. */
  readonly random?: () => number;
  /** Only for the expiry of staged payloads. */
  readonly nowMs?: () => number;
  /** Hourly quotas of a company. */
  readonly quotas?: Quotas;
}

export type Stores = ReturnType<typeof dynamoStores>;
export type EveryStore = ReturnType<typeof everyStore>;

/**
 * The stores of the service, on one DynamoDB table; within a company they reach that company alone. Every method throws
 * `TemporarilyUnavailable` when the database throttles, times out or is down; SDK exceptions never leave a store.
 */
export function dynamoStores(options: StoreOptions) {
  const database = databaseOf(options);
  return {
    imports: importStore(database),
    directory: directoryStore(database),
    mappings: mappingStore(database),
    progress: progressStore(database),
    jobs: { ...gateStore(database), ...openWorkList(database) },
    reverts: revertStore(database),
    access: accessStore(database, optionalImport),
    sessions: sessionStore(database),
    throttle: loginThrottleStore(database),
    signingKeys: signingKeyStore(database),
    quotas: quotaStore(database, options.quotas ?? HOURLY_QUOTAS),
  };
}

/** With erasures, which only the processor carries out. */
export function erasingStores(options: StoreOptions) {
  return { ...dynamoStores(options), erasures: erasureStore(databaseOf(options)) };
}

/** With those of the platform's own data, which only the functions that write it contain. */
export function everyStore(options: StoreOptions) {
  const database = databaseOf(options);
  return {
    ...erasingStores(options),
    platform: platformDataStore(database),
    loadedFile: loadedFileStore(database),
  };
}

function databaseOf({ client, table, quotas: _, ...options }: StoreOptions): Database {
  return { ...systemClock, ...systemWaiting, ...options, client: keptWithin(client), table };
}

/** The services of every function. */
export interface CoreServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly stores: Stores;
  /** Issuer and audience of the tokens. */
  readonly parties: TokenParties;
  readonly passwords: PasswordHasher;
  readonly telemetry: Telemetry;
  /** For how many days results of imports are kept; without it, for good. */
  readonly retentionDays?: number;
}

/** The services of some functions only. */
interface SpecialServices {
  readonly signer: PublishingSigner;
  readonly queue: JobQueue;
  readonly events: EventBus;
  readonly memory: CourseMemory;
  readonly verifier: TokenVerifier;
}

export type Services = CoreServices & SpecialServices;

/** The services of a function that was built with these special ones. */
export type ServicesWith<Name extends keyof SpecialServices> = CoreServices & Pick<Services, Name>;

/** Builds the special services of a function from those of every function. */
type SpecialIn<Own extends Stores, Special> = (
  environment: Environment,
  core: CoreServices & { readonly stores: Own },
) => Special;

/**
 * Builds the services once, on their first use. A function builds its special services itself, so that no other bundle carries
 * their code: `liveServices((environment, core) => ({ signer: kmsSigner(environment, core) }))`. An operation that needs one that is not
 * built does not compile.
 */
export function liveServices<Special extends object>(
  special: SpecialIn<Stores, Special>,
): () => CoreServices & Special {
  return servicesOn(dynamoStores, special);
}

/** The services of the processor. */
export function processorServices<Special extends object>(
  special: SpecialIn<ReturnType<typeof erasingStores>, Special>,
): () => CoreServices & { readonly stores: ReturnType<typeof erasingStores> } & Special {
  return servicesOn(erasingStores, special);
}

export type ProcessorServices = ServicesWith<'queue' | 'events' | 'memory'> & {
  readonly stores: ReturnType<typeof erasingStores>;
};

/** The services of a function that writes the platform's own data. */
export function platformServices(): () => CoreServices & { readonly stores: EveryStore } {
  return servicesOn(everyStore, () => ({}));
}

function servicesOn<Own extends Stores, Special extends object>(
  storesOn: (options: StoreOptions) => Own,
  special: SpecialIn<Own, Special>,
) {
  const build = () => {
    const core = coreServices(process.env, storesOn);
    return { ...core, ...special(process.env, core) };
  };
  let services: ReturnType<typeof build> | undefined;
  return () => (services ??= build());
}

/** Longest wait for a connection while the function starts; the first call then opens it. */
const CONNECTING_MS = 1_000;

/**
 * Opens the connection to DynamoDB while Lambda starts the function, when it has more CPU than in its first call, by a read
 * that finds nothing. Costs one read unit per cold start. After a failure the first call opens the connection. Does nothing
 * outside Lambda.
 *
 * @param read a read of a key that does not exist, of a kind that the function may read
 */
export async function connected<Ready extends CoreServices>(
  services: () => Ready,
  read: (stores: Stores) => Promise<unknown>,
): Promise<() => Ready> {
  if (process.env[ENV.initializationType] !== undefined) {
    const attempt = async () => read(services().stores);
    await Promise.race([attempt().catch(() => undefined), systemWaiting.sleep(CONNECTING_MS)]);
  }
  return services;
}

/** One client for all services of a function, so that they share its connection. */
let client: ReturnType<typeof documentClient> | undefined;

function coreServices<Own extends Stores>(
  environment: Environment,
  storesOn: (options: StoreOptions) => Own,
): CoreServices & { readonly stores: Own } {
  const quotas = environment[ENV.quotas];
  const stores = storesOn({
    client: (client ??= documentClient()),
    table: variable(environment, ENV.table),
    ...(quotas !== undefined && { quotas: quotasIn(quotas) }),
  });
  return {
    clock: systemClock,
    random: secureRandom,
    stores,
    parties: partiesOf(environment),
    passwords: scryptPasswords(secureRandom),
    telemetry: powertoolsTelemetry(),
    ...retentionOf(environment),
  };
}

/** Functions that neither sign nor verify are deployed without these names, and no token matches the empty one. */
const partiesOf = (environment: Environment): TokenParties => ({
  issuer: environment[ENV.issuer] ?? '',
  audience: environment[ENV.audience] ?? '',
});

function retentionOf(environment: Environment): { readonly retentionDays?: number } {
  const days = environment[ENV.retentionDays];
  return days === undefined ? {} : { retentionDays: Number(days) };
}
