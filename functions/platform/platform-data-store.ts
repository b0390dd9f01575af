/**
 * Each write is conditional on the version of its fact (§13.1); a forced fact leaves an item of its own, so that it is applied
 * once. The version of a user or a course is an item beside it, which remains after a deletion.
 */
import { createHmac } from 'node:crypto';
import { packClient, type Client } from '../auth/clients.ts';
import { optionalCompany, packCourse, packUser, unpackUser } from '../catalog/directory-store.ts';
import { members, number, packedTexts, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { packJson } from '../dynamodb/encoding.ts';
import { allOf, anyOf, equals, isAbsent, isBelow, type Change } from '../dynamodb/expressions.ts';
import { itemIsAbsent, putItem, updateItem, writeTogether, type JointWrite, batchGet } from '../dynamodb/items.ts';
import {
  clientKey,
  companyKey,
  courseKey,
  factKey,
  forcedFactKey,
  learnerCourseKey,
  loginKey,
  providerKey,
  userKey,
  userMappingKey,
} from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import type { Erasure } from '../erasure/store.ts';
import { NATIVE } from '../imports/progress-store.ts';
import { emailKey } from '../records/identifiers.ts';
import type { Company, Course, Instant, LearnerCourse, Progress, User } from '../shared/model.ts';

export type NativePair = LearnerCourse & { readonly company_id: string };

/** The identity of a user, which no change of the address changes. */
export type UserId = Pick<User, 'company_id' | 'user_id'>;

/** A user by the id; without `user`, the user was deleted. */
export interface KnownUser {
  readonly version: number;
  /** Fingerprint of the password hash that the platform sent, if it sent one. */
  readonly given_hash?: string;
  /** When an operator last ended the sessions of this user, if ever: this changes the user without a version. */
  readonly sessions_ended_at?: Instant;
  /** For a person who was erased or is being erased: the id of the erasure, and when it was done. */
  readonly erasure_id?: string;
  readonly erased_at?: Instant;
  /** How many places that erasure blanked. */
  readonly blanked?: number;
  /** Addresses that the user had before, in lookup form, newest first: records may name the person by them. */
  readonly former_emails?: readonly string[];
  readonly user?: User;
}

/** Found by the company and a hash that only the stack can make. */
export interface PersonId {
  readonly company_id: string;
  readonly receipt_id: string;
}

/** The erasure of someone without an account, and when it was done. */
export interface KnownPerson {
  readonly version: number;
  readonly erasure_id: string;
  readonly erased_at?: Instant;
  readonly blanked?: number;
}

const HASH_CHARACTERS = 32;

/** `changed`: the user was changed since it was read. `repeated`: the forced fact was applied before. */
type SaveOutcome = 'saved' | 'changed' | 'repeated' | 'address_taken';

export type PlatformDataStore = ReturnType<typeof platformDataStore>;

/** Every read is strongly consistent. These methods never touch migrated progress. */
export function platformDataStore(database: Database) {
  return {
    /** Without a company, it is deleted. `cursor_key` is of a new one. False: the version is not higher; with `force`: it was applied before. */
    saveCompany(company_id: string, company: Company | undefined, version: number, force?: true): Promise<boolean> {
      const { cursor_key, ...shown } = company ?? {};
      const change = company
        ? { set: { ...shown, version }, setIfAbsent: { cursor_key }, remove: ['deleted'] }
        : { set: { version, deleted: true }, remove: ['name', 'migrations_enabled'] };
      const forced = force && forcedFactKey(company_id, 'company', [], version);
      return updateIfNewer(database, companyKey(company_id), change, ['version', version], forced);
    },

    /** Without a course, it is deleted from the catalog. False: the version is not higher. */
    async saveCourse(
      company_id: string,
      id: number,
      course: Course | undefined,
      version: number,
      force?: true,
    ): Promise<boolean> {
      const put = { ...factKey(company_id, 'course', id), version };
      const fact = force
        ? [{ put }, onlyOnce(forcedFactKey(company_id, 'course', [id], version))]
        : [{ put, when: isNewer('version', version) }];
      const write =
        course === undefined ? { remove: courseKey(company_id, id) } : { put: packCourse(company_id, course) };
      return (await writeTogether(database, [...fact, write])) === undefined;
    },

    /** Without a client, it is deleted, and its id is free. False: the version is not higher. `taken`: by another company. */
    async saveClient(
      { company_id, client_id }: Pick<Client, 'company_id' | 'client_id'>,
      client: Client | undefined,
      version: number,
      force?: true,
    ): Promise<boolean | 'taken'> {
      const key = clientKey(client_id);
      const isFree = anyOf(isAbsent('company_id'), equals('company_id', company_id), equals('deleted', true));
      const item = { ...key, ...(client ? packClient(client) : { company_id, deleted: true }), version };
      const saved = force
        ? (await writeTogether(database, [
            onlyOnce(forcedFactKey(company_id, 'client', [client_id], version)),
            { put: item, when: isFree },
          ])) === undefined
        : await putItem(database, item, allOf(isNewer('version', version), isFree));
      if (saved) return true;
      const [stored] = await batchGet(database, [key], true);
      return stored?.['deleted'] !== true && stored?.['company_id'] !== company_id ? 'taken' : false;
    },

    /** Without progress, the organic progress is removed. False: the version is not higher. */
    saveNative(pair: NativePair, progress: Progress | undefined, version: number, force?: true): Promise<boolean> {
      const { company_id, user_id, platform_course_id } = pair;
      const newer = { [NATIVE_VERSION]: version };
      const change =
        progress === undefined ? { set: newer, remove: [NATIVE] } : { set: { ...newer, [NATIVE]: packJson(progress) } };
      const forced = force && forcedFactKey(company_id, 'progress', [user_id, platform_course_id], version);
      return updateIfNewer(database, learnerCourseKey(company_id, pair), change, [NATIVE_VERSION, version], forced);
    },

    async wasForced({ company_id, user_id }: UserId, version: number): Promise<boolean> {
      const [marker] = await batchGet(database, [forcedFactKey(company_id, 'user', [user_id], version)], true);
      return marker !== undefined;
    },

    /** In the order of the request. */
    async knownUsers(ids: readonly UserId[]): Promise<(KnownUser | undefined)[]> {
      const keys = ids.map(({ company_id, user_id }) => factKey(company_id, 'user', user_id));
      const facts = await batchGet(database, keys, true);
      const wanted = [...ids.entries()].flatMap(([at, { company_id }]) => {
        const fact = facts[at];
        return fact?.['email'] === undefined ? [] : [{ at, key: userKey(company_id, text(fact, 'email')) }];
      });
      const users: (Item | undefined)[] = [];
      const found = wanted.map(({ key }) => key);
      const items = await batchGet(database, found, true);
      for (const [position, { at }] of wanted.entries()) users[at] = items[position];
      return facts.map((fact, at) => fact && knownIn(fact, users[at]));
    },

    /** Replaces a user and the entry of the login directory. `also`: further writes of the same transaction. */
    async saveUser(
      id: UserId,
      before: KnownUser | undefined,
      next: KnownUser,
      { force, also = [] }: { readonly force?: true | undefined; readonly also?: readonly JointWrite[] } = {},
    ): Promise<SaveOutcome> {
      const notChanged = before ? isStill(before) : itemIsAbsent;
      const once = force ? [onlyOnce(forcedFactKey(id.company_id, 'user', [id.user_id], next.version))] : [];
      const refused = await writeTogether(database, [
        { put: factItem(id, next), when: notChanged },
        ...once,
        ...userWrites(before?.user, next.user),
        ...also,
      ]);
      if (refused === undefined) return 'saved';
      if (refused === 0) return 'changed';
      return refused <= once.length ? 'repeated' : 'address_taken';
    },

    /** `undefined` if there is no such company. A hash without a key would confirm a guessed address. */
    async personId(company_id: string, { emails, external_ids }: Erasure['names']): Promise<PersonId | undefined> {
      const [company] = (await batchGet(database, [companyKey(company_id)], true)).map(optionalCompany);
      if (company === undefined) return undefined;
      const names = JSON.stringify(['person.v1', emails.toSorted(), external_ids.toSorted()]);
      const mac = createHmac('sha256', Buffer.from(company.cursor_key, 'base64url')).update(names).digest('hex');
      return { company_id, receipt_id: mac.slice(0, HASH_CHARACTERS) };
    },

    /** The ids of the users to whom a name belongs: it is the address, or a registered id. */
    async accountsOf(company_id: string, { emails, external_ids }: Erasure['names']): Promise<number[]> {
      const users = emails.map((email) => userKey(company_id, email));
      const mappings = external_ids.map((id) => userMappingKey(company_id, id));
      const items = await batchGet(database, [...users, ...mappings], true);
      return [...new Set(items.flatMap((item) => (item === undefined ? [] : [number(item, 'user_id')])))];
    },

    async knownPerson({ company_id, receipt_id }: PersonId): Promise<KnownPerson | undefined> {
      const [item] = await batchGet(database, [factKey(company_id, 'person', receipt_id)], true);
      return item && personIn(item);
    },

    /** Stores an erasure. False: the version is not higher; with `force`: it was applied before. */
    async savePerson(
      { company_id, receipt_id }: PersonId,
      next: KnownPerson,
      { force, erasure }: { readonly force?: true | undefined; readonly erasure: Key & Item },
    ): Promise<boolean> {
      const put = { ...factKey(company_id, 'person', receipt_id), ...next };
      const fact = force
        ? [{ put }, onlyOnce(forcedFactKey(company_id, 'person', [receipt_id], next.version))]
        : [{ put, when: isNewer('version', next.version) }];
      return (await writeTogether(database, [...fact, { put: erasure }])) === undefined;
    },

    async ownersOf(emails: readonly string[]): Promise<Map<string, UserId>> {
      const items = await batchGet(database, emails.map(loginKey), true);
      return new Map(emails.flatMap((email, at) => (items[at] ? [[email, ownerIn(items[at])] as const] : [])));
    },
  };
}

/** The attribute with the version of organic progress: a fact with a lower one is stale. */
export const NATIVE_VERSION = 'native_version';

const factItem = ({ company_id, user_id }: UserId, { user, former_emails, ...fact }: KnownUser) => ({
  ...factKey(company_id, 'user', user_id),
  ...fact,
  ...(former_emails !== undefined && { former_emails: packJson(former_emails) }),
  ...(user && { email: user.email }),
});

function userWrites(before: User | undefined, user: User | undefined): JointWrite[] {
  const former = before === undefined ? [] : formerAddress(before, user);
  if (user === undefined) return former;
  const owner = { company_id: user.company_id, user_id: user.user_id };
  const ownedByThisUser = allOf(equals('company_id', owner.company_id), equals('user_id', owner.user_id));
  return [
    { put: { ...loginKey(user.email), ...owner }, when: anyOf(itemIsAbsent, ownedByThisUser) },
    { put: packUser(user) },
    ...former,
  ];
}

/** Who comes to have the address may have another identity at the provider. */
function formerAddress({ company_id, user_id, email }: User, next: User | undefined): JointWrite[] {
  if (next !== undefined && emailKey(next.email) === emailKey(email)) return [];
  return [loginKey(email), userKey(company_id, email), providerKey(company_id, user_id)].map((remove) => ({ remove }));
}

const isStill = ({ version, sessions_ended_at: at }: KnownUser) =>
  allOf(equals('version', version), at === undefined ? isAbsent('sessions_ended_at') : equals('sessions_ended_at', at));

const personIn = (item: Item): KnownPerson => ({
  version: number(item, 'version'),
  erasure_id: text(item, 'erasure_id'),
  ...storedMembers(item, { erased_at: text, blanked: number }),
});

const knownIn = (fact: Item, user: Item | undefined): KnownUser => ({
  version: number(fact, 'version'),
  ...storedMembers(fact, { erasure_id: text, erased_at: text, given_hash: text, sessions_ended_at: text }),
  ...storedMembers(fact, { former_emails: packedTexts }),
  ...storedMembers(fact, { blanked: number }),
  ...(user !== undefined && { user: unpackUser(user) }),
});

const isNewer = (name: string, version: number) => anyOf(isAbsent(name), isBelow(name, version));

const onlyOnce = (forced: Key): JointWrite => ({ put: forced, when: itemIsAbsent });

/** Makes the change if its version is higher than the stored one; or, where the fact is forced, if it was not made before. */
async function updateIfNewer(
  database: Database,
  key: Key,
  change: Change,
  newer: Parameters<typeof isNewer>,
  forced: Key | undefined,
): Promise<boolean> {
  if (forced === undefined) return updateItem(database, key, { ...change, when: isNewer(...newer) });
  return (await writeTogether(database, [onlyOnce(forced), { update: key, change }])) === undefined;
}

const ownerIn = (item: Item): UserId => members(item, { company_id: text, user_id: number });
