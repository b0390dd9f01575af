import { unpackClient } from './clients.ts';
import { optionalCompany, unpackUser } from '../catalog/directory-store.ts';
import { flag, map, maps, members, number, oneOf, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, equals } from '../dynamodb/expressions.ts';
import { getItem, putItem, updateItem, batchGet, deleteItems } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import {
  INDEX,
  clientKey,
  companyKey,
  importKey,
  loginKey,
  providerKey,
  sessionKey,
  sessionsOfUserPartition,
  userKey,
} from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import type { ImportItem, User } from '../shared/model.ts';

/** A login session. Exactly one refresh token is current; those spent in the last 30 s are remembered. */
export type Session = ReturnType<typeof unpackSession>;
/** `jti`, `iat`, `exp` (seconds) of a refresh token. */
export type RefreshTokenId = Session['current'];

export type SessionStore = ReturnType<typeof sessionStore>;

/** Login sessions (§5). A session changes only by compare-and-set on its current refresh token, so no rotation is lost. */
export function sessionStore(database: Database) {
  return {
    /** Strongly consistent. */
    async read(session_id: string): Promise<Session | undefined> {
      const item = await getItem(database, sessionKey(session_id));
      return item && unpackSession(item);
    },

    async create(session: Session): Promise<void> {
      await putItem(database, packSession(session));
    },

    /** Replaces the session if its current refresh token is `expected_jti` and it is not revoked; otherwise returns false. */
    rotate(session: Session, expected_jti: string): Promise<boolean> {
      const stillCurrent = equals('current.jti', expected_jti);
      const notRevoked = equals('revoked', false);
      return putItem(database, packSession(session), allOf(stillCurrent, notRevoked));
    },

    async listOf(company_id: string, user_id: number): Promise<Session[]> {
      return sessionsAt(database, await keysOf(database, company_id, user_id));
    },

    /** Who the user is to the identity provider, if they signed in there. */
    async identityOf(company_id: string, user_id: number) {
      const item = await getItem(database, providerKey(company_id, user_id));
      return item && members(item, { issuer: text, sub: text, email: text });
    },

    /** With the identity of the provider that was bound to the user. Returns how many sessions. */
    async removeOf(company_id: string, user_id: number): Promise<number> {
      const keys = await keysOf(database, company_id, user_id);
      await deleteItems(database, [...keys, providerKey(company_id, user_id)]);
      return keys.length;
    },

    /** Deletes the revoked and oldest sessions of a user until `most` are left. Returns how many open ones. */
    async keepNewest(company_id: string, user_id: number, most: number): Promise<number> {
      const keys = await keysOf(database, company_id, user_id);
      if (keys.length <= most) return 0;
      const sessions = await sessionsAt(database, keys);
      const surplus = sessions.toSorted(byUse).slice(most);
      const ended = surplus.map(({ session_id }) => sessionKey(session_id));
      await deleteItems(database, ended);
      return surplus.filter(({ revoked }) => !revoked).length;
    },

    /** Returns whether this call ended it: it is stored, and nothing had revoked it. */
    revoke(session_id: string): Promise<boolean> {
      return updateItem(database, sessionKey(session_id), { set: { revoked: true }, when: equals('revoked', false) });
    },
  };
}

async function keysOf(database: Database, company_id: string, user_id: number): Promise<Key[]> {
  const partition = sessionsOfUserPartition(company_id, user_id);
  const entries = await queryAll(database, { index: importsByCompany, partition });
  return entries.map((entry) => sessionKey(text(entry, importsByCompany.sortKey)));
}

async function sessionsAt(database: Database, keys: readonly Key[]): Promise<Session[]> {
  const items = await batchGet(database, keys, true);
  return items.flatMap((item) => (item === undefined ? [] : [unpackSession(item)]));
}

const byUse = (a: Session, b: Session): number =>
  Number(a.revoked) - Number(b.revoked) || Date.parse(b.began_at) - Date.parse(a.began_at);

const SESSION = {
  session_id: text,
  company_id: text,
  user_id: number,
  email: text,
  began_at: text,
  revoked: flag,
  expires_at_seconds: number,
};

/** Reads a stored session. @throws Error if an attribute is missing or has another type */
export const unpackSession = (item: Item) => ({
  ...members(item, SESSION),
  ...storedMembers(item, { by: oneOf(['provider']) }),
  current: members(map(item, 'current'), { jti: text, iat: number, exp: number }),
  spent: maps(item, 'spent').map((token) => members(token, { jti: text, spent_at_ms: number })),
});

const { importsByCompany } = INDEX;

/** `expires_at_seconds` is the table's expiry attribute as well. An entry in an index finds the sessions of a user. */
function packSession(session: Session): Key & Item {
  return {
    ...sessionKey(session.session_id),
    ...session,
    [importsByCompany.partitionKey]: sessionsOfUserPartition(session.company_id, session.user_id),
    [importsByCompany.sortKey]: session.session_id,
  };
}

type BearerKey = Pick<Session, 'session_id' | 'email'> | { readonly client_id: string };
type AccessKey = BearerKey & { readonly company_id: string; readonly import_id?: string };

export type AccessStore = ReturnType<typeof accessStore>;
export type Access = Awaited<ReturnType<AccessStore['readAccess']>>;

interface AccessOptions {
  /** Reads the item of an import, which belongs to a folder below. */
  readonly importIn?: ((item: Item | undefined) => ImportItem | undefined) | undefined;
  /** False: sessions begun with a password are over. */
  readonly passwords?: boolean;
}

export function accessStore(database: Database, { importIn = () => undefined, passwords = true }: AccessOptions = {}) {
  const openIn = (item: Item | undefined): Session | undefined => {
    const session = item && unpackSession(item);
    return passwords || session?.by === 'provider' ? session : undefined;
  };
  return {
    /** The company that owns this address: the login directory, strongly consistent. */
    async findLogin(email: string): Promise<{ company_id: string } | undefined> {
      const item = await getItem(database, loginKey(email));
      return item && { company_id: text(item, 'company_id') };
    },

    /** Replaces the user's stored hash with a new hash of the same password, unless it has changed since the user was read. */
    async replacePasswordHash(
      { company_id, email, password_hash: expected = '' }: Pick<User, 'company_id' | 'email' | 'password_hash'>,
      password_hash: string,
    ): Promise<void> {
      const stillStored = equals('password_hash', expected);
      await updateItem(database, userKey(company_id, email), { set: { password_hash }, when: stillStored });
    },

    /** One strongly consistent batch read. */
    async readAccess(key: AccessKey) {
      const { company_id, import_id } = key;
      const importKeys = import_id === undefined ? [] : [importKey({ company_id, import_id })];
      const isClient = 'client_id' in key;
      const bearer = isClient
        ? [clientKey(key.client_id)]
        : [sessionKey(key.session_id), userKey(company_id, key.email)];
      const items = await batchGet(database, [companyKey(company_id), ...bearer, ...importKeys], true);
      const client = isClient ? unpackClient(items[1]) : undefined;
      const [sessionItem, user] = isClient ? [] : items.slice(1);
      const session = openIn(sessionItem);
      const [stored, item] = [optionalCompany(items[0]), importIn(items[1 + bearer.length])];
      return {
        ...(client && { client }),
        ...(session && { session }),
        ...(user && { user: unpackUser(user) }),
        ...(stored && { company: stored }),
        ...(item && { import: item }),
      };
    },
  };
}
