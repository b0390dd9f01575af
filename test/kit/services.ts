/** Every store and service of the functions, for tests: each handler composes only its own. */
import { usedAssertions } from '../../functions/auth/assertions.ts';
import { clientStore } from '../../functions/auth/clients.ts';
import { accessStore, sessionStore } from '../../functions/auth/access-store.ts';
import type { PasswordHasher } from '../../functions/auth/passwords.ts';
import { type Quotas, quotaStore } from '../../functions/auth/quotas.ts';
import { type PublishingSigner, signingKeyStore } from '../../functions/auth/signing-keys.ts';
import type { IdentityProvider } from '../../functions/auth/provider.ts';
import { bindingStore } from '../../functions/auth/sign-in.ts';
import { loginThrottleStore } from '../../functions/auth/throttle.ts';
import type { Signer, TokenParties } from '../../functions/auth/tokens.ts';
import type { TokenVerifier } from '../../functions/auth/verify-token.ts';
import type { CourseMemory } from '../../functions/catalog/course-memory.ts';
import { directoryStore, optionalCompany } from '../../functions/catalog/directory-store.ts';
import { mappingStore } from '../../functions/catalog/mapping-store.ts';
import { type Database, databaseOn } from '../../functions/dynamodb/client.ts';
import { batchGet } from '../../functions/dynamodb/items.ts';
import { companyKey } from '../../functions/dynamodb/table.ts';
import { erasureStore } from '../../functions/erasure/store.ts';
import { evidenceKeyStore } from '../../functions/evidence/evidence.ts';
import type { handler as getSignIn } from '../../functions/handlers/get-sign-in.ts';
import type { ChainServices } from '../../functions/http/types.ts';
import { archiveStore } from '../../functions/imports/archive.ts';
import { optionalImport } from '../../functions/imports/import-item.ts';
import { archiveLists } from '../../functions/imports/import-lists.ts';
import { importStore } from '../../functions/imports/import-store.ts';
import { progressStore } from '../../functions/imports/progress-store.ts';
import { gateStore } from '../../functions/jobs/gate.ts';
import { openWorkList } from '../../functions/jobs/open-work.ts';
import type { Notices } from '../../functions/jobs/owed.ts';
import type { JobQueue } from '../../functions/jobs/queue.ts';
import { loadedFileStore } from '../../functions/platform/loaded-file-store.ts';
import { platformDataStore } from '../../functions/platform/platform-data-store.ts';
import type { RejectedMessages } from '../../functions/platform/rejected-messages.ts';
import type { Approval } from '../../functions/plans/approval.ts';
import { planStore } from '../../functions/plans/store.ts';
import { runStore } from '../../functions/runs/store.ts';
import { revertStore } from '../../functions/reverts/store.ts';
import type { EventBus } from '../../functions/runtime/event-bus.ts';
import { HOURLY_QUOTAS } from '../../functions/shared/limits.ts';
import type { Company } from '../../functions/shared/model.ts';

/** The waits, randomness and clock are those of the machine unless given. */
type StoreOptions = Parameters<typeof databaseOn>[0] & { readonly quotas?: Quotas };

export type EveryStore = ReturnType<typeof everyStore>;

export function everyStore({ quotas = HOURLY_QUOTAS, ...options }: StoreOptions) {
  const database = databaseOn(options);
  return {
    imports: { ...importStore(database), ...archiveLists(database) },
    archive: archiveStore(database),
    directory: directoryStore(database),
    mappings: mappingStore(database),
    progress: progressStore(database),
    jobs: { ...gateStore(database), ...openWorkList(database) },
    plans: planStore(database),
    runs: runStore(database),
    reverts: revertStore(database),
    erasures: erasureStore(database),
    access: accessStore(database, { importIn: optionalImport }),
    sessions: sessionStore(database),
    throttle: loginThrottleStore(database),
    bindings: bindingStore(database),
    signingKeys: signingKeyStore(database),
    clients: clientStore(database),
    assertions: usedAssertions(database),
    quotas: quotaStore(database, quotas),
    platform: { ...platformDataStore(database), companies: companiesIn(database) },
    loadedFile: loadedFileStore(database),
    evidenceKeys: evidenceKeyStore(database),
  };
}

/** No function reads companies alone. */
function companiesIn(database: Database) {
  return async (ids: readonly string[]): Promise<Map<string, Company>> => {
    const items = await batchGet(database, ids.map(companyKey), true);
    const stored = items.flatMap((item) => optionalCompany(item) ?? []);
    return new Map(stored.map((company) => [company.company_id, company]));
  };
}

export interface Services extends ChainServices {
  readonly stores: EveryStore;
  readonly parties: TokenParties;
  readonly passwords: PasswordHasher;
  readonly takesPasswords: boolean;
  readonly provider: IdentityProvider | undefined;
  readonly offered: Parameters<typeof getSignIn.on>[0]['offered'];
  readonly signer: PublishingSigner;
  readonly evidenceSigner: Signer;
  readonly version: string;
  readonly verifier: TokenVerifier;
  readonly queue: JobQueue;
  readonly events: EventBus;
  readonly notices: Notices;
  readonly memory: CourseMemory;
  readonly rejected: RejectedMessages;
  readonly approval: Approval;
  readonly retentionDays?: number;
}
