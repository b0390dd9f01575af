/** Acme and its admin on the table in memory, for the tests of authentication: arranged and read without waiting. */
import { beforeEach } from 'vitest';
import { packUser, unpackCompany, unpackUser } from '../../functions/catalog/directory-store.ts';
import { type AccessStore, unpackSession } from '../../functions/auth/access-store.ts';
import { companyKey, importKey, loginKey, sessionKey, userKey } from '../../functions/dynamodb/table.ts';
import { packImport, unpackImport } from '../../functions/imports/import-item.ts';
import type { User } from '../../functions/shared/model.ts';
import { ADMIN, COMPANY } from './api-event.ts';
import type { Attributes, Key, MemoryTable } from './memory-table/memory-table.ts';
import { createWorld } from './world.ts';

export { ADMIN, COMPANY } from './api-event.ts';
export { CHEAP, PARTIES, START_MS } from './world.ts';
export const PASSWORD = 'correct horse battery staple';

export type AuthServices = Awaited<ReturnType<typeof authServices>>;

export function useAuthServices(): () => AuthServices {
  let our: AuthServices;
  beforeEach(async () => {
    our = await authServices();
  });
  return () => our;
}

export async function authServices() {
  const world = createWorld();
  const { table, services, clock, telemetry } = world;
  const reads: Parameters<AccessStore['readAccess']>[0][] = [];
  const { access: stored } = services.stores;
  const access = {
    ...stored,
    readAccess: (key: (typeof reads)[number]) => (reads.push(key), stored.readAccess(key)),
  };
  const memory = {
    users: storedItems(table, 'user', (email) => userKey(COMPANY.company_id, email), unpackUser, packUser),
    companies: storedItems(table, 'company', companyKey, unpackCompany),
    sessionItems: storedItems(table, 'session', sessionKey, unpackSession),
    imports: storedItems(
      table,
      'import',
      (import_id) => importKey({ ...COMPANY, import_id }),
      unpackImport,
      packImport,
    ),
    /** The arguments of every call of `readAccess`. */
    reads,
  };
  const password_hash = await services.passwords.hash(PASSWORD);
  const addUser = (user: Partial<User>): User => {
    const added = { ...ADMIN, password_hash, ...user };
    memory.users.set(added.email, added);
    write(table, { ...loginKey(added.email), company_id: added.company_id });
    return added;
  };
  memory.companies.set(COMPANY.company_id, COMPANY);
  const admin = addUser({});
  return {
    services: { ...services, stores: { ...services.stores, access } },
    client: world.client,
    memory,
    clock,
    telemetry,
    addUser,
    admin,
  };
}

function write(table: MemoryTable, { pk, sk, ...item }: Key & Attributes): void {
  const kept = Object.entries(item).filter(([, value]) => value !== undefined);
  table.write({ pk, sk }, { pk, sk, ...Object.fromEntries(kept) });
}

/** The items of one kind, like a map. `pack` is left out where an item is stored member for member. */
function storedItems<T extends object>(
  table: MemoryTable,
  sk: string,
  keyOf: (id: string) => Key,
  unpack: (item: Attributes) => T,
  pack: (item: T) => object = (item) => item,
) {
  const all = () => [...table.items()].filter((item) => item['sk'] === sk);
  return {
    get(id: string): T | undefined {
      const item = table.read(keyOf(id));
      return item && unpack(item);
    },
    set: (id: string, item: T): void => write(table, { ...pack(item), ...keyOf(id) }),
    clear(): void {
      for (const { pk } of all()) table.write({ pk: String(pk), sk }, undefined);
    },
    values: (): T[] => all().map(unpack),
  };
}
