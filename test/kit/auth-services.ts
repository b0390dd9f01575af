/** Services for the authentication tests: memory stores, a local key, a clock that stands still until it is moved. */
import { scryptPasswords } from '../../functions/auth/passwords.ts';
import { tokenVerifier } from '../../functions/auth/verify-token.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import type { Services, Stores } from '../../functions/services/services.ts';
import type { Company, User } from '../../functions/shared/model.ts';
import { localSigner } from './local-signer.ts';
import { memoryAuthStores } from './memory-auth-stores.ts';
import { recordingTelemetry } from './recording-telemetry.ts';

/** A hash in well under a millisecond: the cost is not what these tests are about. */
export const CHEAP = { ln: 4, r: 8, p: 1 };
export const PARTIES = { issuer: 'urn:test:issuer', audience: 'urn:test:audience' };
export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const PASSWORD = 'correct horse battery staple';

export const COMPANY: Company = {
  company_id: 'acme',
  name: 'Acme',
  migrations_enabled: true,
  cursor_key: 'a'.repeat(43),
};

export const ADMIN: User = {
  company_id: 'acme',
  user_id: 1,
  email: 'Admin@Acme.test',
  name: 'Ada',
  role: 'admin',
  avatar: 'https://acme.test/ada.png',
  license: 'active',
};

export async function authServices() {
  const memory = memoryAuthStores();
  const clock = { now: START_MS, nowMs: () => clock.now };
  const passwords = scryptPasswords(secureRandom, CHEAP);
  const password_hash = await passwords.hash(PASSWORD);
  const addUser = (user: Partial<User>) => {
    const added = { ...ADMIN, password_hash, ...user };
    memory.users.set(added.email.toLowerCase(), added);
    return added;
  };
  memory.companies.set(COMPANY.company_id, COMPANY);
  const admin = addUser({});
  const telemetry = recordingTelemetry();
  const services: Services = {
    clock,
    random: secureRandom,
    // The other stores are not there: an operation that touched one would fail its test.
    stores: memory as unknown as Stores,
    queue: { send: async () => {} },
    parties: PARTIES,
    signer: await localSigner(),
    verifier: tokenVerifier({ ...PARTIES, keys: memory.signingKeys }),
    passwords,
    telemetry,
  };
  return { services, memory, clock, telemetry, addUser, admin };
}
