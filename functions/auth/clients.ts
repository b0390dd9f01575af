/** Clients: the machines of a company (§5.3), with their public keys alone. */
import type { ClientKey } from './client-keys.ts';
import { maps, members, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { getItem } from '../dynamodb/items.ts';
import { clientKey } from '../dynamodb/table.ts';
import type { Scope } from '../shared/codes.ts';

/** A client as the platform registered it last. */
export interface Client {
  readonly company_id: string;
  readonly client_id: string;
  readonly name: string;
  readonly keys: readonly ClientKey[];
  readonly scopes: readonly Scope[];
}

/** The attributes of a client beside its key and version. */
export const packClient = ({ company_id, client_id, name, keys, scopes }: Client): Item => ({
  company_id,
  client_id,
  name,
  keys,
  scopes: scopes.join(' '),
});

/** A deleted client is `undefined`: its item keeps the version. */
export function unpackClient(item: Item | undefined): Client | undefined {
  if (item === undefined || item['deleted'] === true) return undefined;
  return {
    ...members(item, { company_id: text, client_id: text, name: text }),
    keys: maps(item, 'keys') as unknown as readonly ClientKey[],
    scopes: text(item, 'scopes').split(' ') as Scope[],
  };
}

export type ClientStore = ReturnType<typeof clientStore>;

export const clientStore = (database: Database) => ({
  /** Strongly consistent. */
  async read(client_id: string): Promise<Client | undefined> {
    return unpackClient(await getItem(database, clientKey(client_id)));
  },
});
