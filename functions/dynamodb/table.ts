/** Every key of the table. Text from outside is only at the end of a key, so no id reaches into another item. */
import { hash } from 'node:crypto';
import { emailKey } from '../records/identifiers.ts';
import type { ImportIds, ImportPosition, Instant, LearnerCourse, PlanIds, RunIds } from '../shared/model.ts';

/** Both halves of a key. Every partition of a company begins with its id and a `#`, which tenancy.ts relies on. */
export type Key = Readonly<Record<typeof TABLE.partitionKey | typeof TABLE.sortKey, string>>;

const key = (pk: string, sk: string): Key => ({ [TABLE.partitionKey]: pk, [TABLE.sortKey]: sk });

/** 16 digits hold every safe integer, and their order as text is that of the numbers. */
const ID_DIGITS = 16;
const CHUNK_DIGITS = 4;
/** An id as it sorts in a key: 16 digits, so that lists are in the order of the numbers. */
export const paddedId = (id: number): string => String(id).padStart(ID_DIGITS, '0');
const paddedChunk = (chunk: number): string => String(chunk).padStart(CHUNK_DIGITS, '0');

export const companyKey = (company_id: string): Key => key(`${company_id}#company`, 'company');
/** A user, found by the lookup form of the address in one read. `factKey` leads there from the id. */
export const userKey = (company_id: string, email: string): Key => key(`${company_id}#user#${emailKey(email)}`, 'user');

/** Who a user is to the identity provider (§5.4). A fact overwrites the user, and leaves this. */
export const providerKey = (company_id: string, user_id: number): Key =>
  key(`${company_id}#provider#${user_id}`, 'provider');

const factPartition = (company_id: string, kind: string, ids: readonly (string | number)[]): string =>
  `${company_id}#fact#${[kind, ...ids].join('-')}`;
/** The version of a user or course, which remains when the entity is deleted; of someone without an account, the receipt of the erasure. */
export const factKey = (company_id: string, kind: 'user' | 'course' | 'person', id: number | string): Key =>
  key(factPartition(company_id, kind, [id]), 'fact');
/** The mark that a forced fact was applied, so that a second delivery changes nothing (§13.1). */
export const forcedFactKey = (
  company_id: string,
  kind: 'company' | 'user' | 'course' | 'progress' | 'client' | 'person',
  ids: readonly (number | string)[],
  version: number,
): Key => key(factPartition(company_id, kind, ids), `forced#${version}`);

/** Items of one kind that many records may name at once: they are spread over shards. */
export type Sharded = 'catalog' | 'user-mappings' | 'course-mappings';

/** A partition gives 3,000 read units a second; 16 give more than a table's default quota. A list reads all. */
export const SHARDS = 16;
const shardPartition = (company_id: string, kind: Sharded, shard: number): string =>
  `${company_id}#${kind}#${shard.toString(SHARDS)}`;
export const shardPartitions = (company_id: string, kind: Sharded): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => shardPartition(company_id, kind, shard));

/** The shard follows from a hash of the sort key, so that no read has to look it up. */
const shardedKey = (company_id: string, kind: Sharded, sk: string): Key => {
  const shard = hash('sha256', sk, 'buffer').readUInt8() % SHARDS;
  return key(shardPartition(company_id, kind, shard), sk);
};

export const courseKey = (company_id: string, id: number): Key => shardedKey(company_id, 'catalog', paddedId(id));
export const userMappingKey = (company_id: string, external_id: string): Key =>
  shardedKey(company_id, 'user-mappings', external_id);
export const courseMappingKey = (company_id: string, external_id: string): Key =>
  shardedKey(company_id, 'course-mappings', external_id);
/** When a user mapping of the company was last changed. The item is in no shard, so that no list shows it. */
export const userMappingsChangeKey = (company_id: string): Key => key(`${company_id}#user-mappings#change`, 'change');

/** The learner course that an `external_record_id` is bound to (§2.7). */
export const identityKey = (company_id: string, external_record_id: string): Key =>
  key(`${company_id}#record#${external_record_id}`, 'record');
/** All courses of a learner are in one partition, so that a transcript is one query. */
export const learnerPartition = (company_id: string, user_id: number): string => `${company_id}#learner#${user_id}`;
/** The first item of a learner course (`item` 0), or one of its overflow items. */
export const learnerCourseKey = (
  company_id: string,
  { user_id, platform_course_id }: LearnerCourse,
  item: number = 0,
): Key => {
  const sort = `course#${paddedId(platform_course_id)}`;
  return key(learnerPartition(company_id, user_id), item === 0 ? sort : `${sort}#${item}`);
};

/** The sort keys of a learner's courses, from the first item of this course or from the one after it. */
export const coursesFrom = (platform_course_id: number, isAfter: boolean): [string, string] => [
  `course#${paddedId(platform_course_id)}${isAfter ? END : ''}`,
  `course#${END}`,
];
const END = '~';

/** Everything of an import: the item, payloads, plans, reports, its revert. */
export const importPartition = ({ company_id, import_id }: ImportIds): string => `${company_id}#import#${import_id}`;
const inImport = (ids: ImportIds, sk: string): Key => key(importPartition(ids), sk);
export const importKey = (ids: ImportIds): Key => inImport(ids, 'import');
/** The records of a chunk as they were staged, found by the hash in its message. */
export const payloadKey = (ids: ImportIds, hash: string): Key => inImport(ids, `payload#${hash}`);
/** The decision about a chunk. It is put once, and every delivery carries out the stored one. */
export const planKey = (ids: ImportIds, chunk: number): Key => inImport(ids, `plan#${paddedChunk(chunk)}`);
/** Beside a plan: its records of which no user was found. */
export const namelessKey = (ids: ImportIds, chunk: number): Key => inImport(ids, `nameless#${paddedChunk(chunk)}`);
/** A part of the report of a dry run. The attempt is in the key, so that two that race never mix. */
export const reportKey = (ids: ImportIds, attempt_id: string, chunk: number): Key =>
  inImport(ids, `report#${attempt_id}#${paddedChunk(chunk)}`);

/** The records of a chunk that the archive keeps (§4.12). */
export const archiveKey = (ids: ImportIds, chunk: number): Key => inImport(ids, `archive#${paddedChunk(chunk)}`);

const ARCHIVED_HASH_DIGITS = 32;
/** What the archive keeps of a person, by a hash of their name (`spelledName`), so that no key shows it. */
export const archivedPartition = (company_id: string, name: string): string =>
  `${company_id}#archived#${hash('sha256', name).slice(0, ARCHIVED_HASH_DIGITS)}`;
/** Where a chunk has records of that person; in the order of acceptance. */
export const archivedKey = (item: ImportIds & ImportPosition, chunk: number, name: string): Key =>
  key(archivedPartition(item.company_id, name), `${placeOf(item)}#${paddedChunk(chunk)}`);

/** Both ends of the sort keys of reliances, which are beside an import, for a query. */
export const RELIANCES = ['relied#', 'relied#~'] as const;
/** The mark of a chunk of another import that is `unchanged` because of this one. */
export const relianceKey = (ids: ImportIds, by: { import_id: string; chunk: number }): Key =>
  inImport(ids, `${RELIANCES[0]}${by.import_id}#${paddedChunk(by.chunk)}`);

export const gateKey = (company_id: string): Key => key(`${company_id}#gate`, 'gate');
/** The sort key of the dry run of a revert of a run, also in the index of open work. */
export const REVERT_PREVIEW = 'revert-preview';
export const importRevertKey = (ids: ImportIds): Key => inImport(ids, 'revert');
/** The decision about each record of a revert, stored before anything is removed. */
export const revertReportKey = (ids: ImportIds): Key => inImport(ids, 'revert-report');

/** Of a run: the run itself, its document, its revert, the dry run of one; as the partition of an index, its imports. */
export const runPartition = ({ company_id, run_id }: RunIds): string => `${company_id}#run#${run_id}`;
export const runKey = (run: RunIds): Key => key(runPartition(run), 'run');
/** What its administrators note of it, beside the run, because it may be large. */
export const runDocumentKey = (run: RunIds): Key => key(runPartition(run), 'document');
export const runRevertKey = (run: RunIds): Key => key(runPartition(run), 'revert');
export const runPreviewKey = (run: RunIds): Key => key(runPartition(run), REVERT_PREVIEW);
/** The sum over the first imports of a run. It is no item of the run itself, so that readers may write it and nothing else. */
export const runCountsKey = ({ company_id, run_id }: RunIds): Key =>
  key(`${company_id}#run-counts#${run_id}`, 'run-counts');

/** The plan of a run (§4.11), in a partition of its own: an earlier release takes any item of a run in the index of open work for its revert. */
const planPartition = ({ company_id, plan_id }: PlanIds): string => `${company_id}#plan#${plan_id}`;
export const runPlanKey = (plan: PlanIds): Key => key(planPartition(plan), 'plan');
/** A part of the list of its dry runs. */
export const planListKey = (plan: PlanIds, part: number): Key => key(planPartition(plan), `list#${paddedChunk(part)}`);
/** Beside a run, the plans whose application began, in that order: its sort key begins so. */
export const APPLIED_PLANS = ['applied#', 'applied#~'] as const;
export const appliedPlanKey = (run: RunIds, applied_at: Instant, plan_id: string): Key =>
  key(runPartition(run), `${APPLIED_PLANS[0]}${applied_at}#${plan_id}`);

/** An erasure that is not done. Its id is random, so that no key shows who is erased. */
export const erasureKey = (company_id: string, erasure_id: string): Key =>
  key(`${company_id}#erasure#${erasure_id}`, 'erasure');

/** The login directory: the company that owns an address, which is unique in a stack. */
export const loginKey = (email: string): Key => key(`login#${emailKey(email)}`, 'login');
/** A client (§5.3), whose id is unique in a stack. No address gives this key: each has an `@`, and no client id has one. */
export const clientKey = (client_id: string): Key => key(`login#client#${client_id}`, 'client');
/** A login session (§5.1). The id is random, and no client sees a key. */
export const sessionKey = (session_id: string): Key => key(`session#${session_id}`, 'session');
/** A counter of failed logins; the name is a hash, so that no address is stored. */
export const throttleKey = (throttled: string): Key => key(`throttle#${throttled}`, 'throttle');
/** The public keys of tokens, all in one partition: the key set is one query. */
export const SIGNING_KEYS_PARTITION = 'signing-keys';
/** No company can be named with a `#`. */
export const EVIDENCE_KEYS_PARTITION = 'signing-keys#evidence';
export const evidenceKeyKey = (kid: string): Key => key(EVIDENCE_KEYS_PARTITION, kid);
export const signingKeyKey = (kid: string): Key => key(SIGNING_KEYS_PARTITION, kid);
export const loadedFileKey = (part: string): Key => key('data-file', part);

/** A company's use of its quotas in one hour, counted from 1970. */
export const quotaKey = (company_id: string, hour: number): Key => key(`${company_id}#quota#${hour}`, 'quota');

export const importsListPartition = (company_id: string): string => `${company_id}#imports`;
export const importsOfStatusPartition = (company_id: string, status: string): string =>
  `${company_id}#imports#${status}`;
export const sessionsOfUserPartition = (company_id: string, user_id: number): string =>
  `${company_id}#sessions#${user_id}`;
export const runsListPartition = (company_id: string): string => `${company_id}#runs`;
/** The position as one text, which orders like the index. */
export const placeOf = ({ created_at, import_id }: ImportPosition): string => `${created_at}#${import_id}`;
export function positionIn(place: string): ImportPosition {
  const [created_at = ''] = place.split('#', 1);
  return { created_at, import_id: place.slice(created_at.length + 1) };
}
/** One partition for the open work of all companies: few items, read by the watchdog alone. */
export const OPEN_IMPORTS_PARTITION = 'open';

/** A key as one text, for maps. JSON keeps both halves apart. */
export const keyText = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);

const MAX_PARTITION_KEY_BYTES = 2048;
const MAX_SORT_KEY_BYTES = 1024;

/** Whether an item can have this key: not empty or too long, no half surrogate pair. No other may be read. */
export function canBeStored({ pk, sk }: Key): boolean {
  const fits = Buffer.byteLength(pk) <= MAX_PARTITION_KEY_BYTES && Buffer.byteLength(sk) <= MAX_SORT_KEY_BYTES;
  return fits && sk !== '' && pk.isWellFormed() && sk.isWellFormed();
}

/** Attributes of list entries beside the keys, so that a list of ended imports reads nothing else. */
export const LISTED = [
  'status',
  'dry_run',
  'created_by',
  'run_id',
  'completed_at',
  'cancelled_at',
  'reverted_at',
  'total',
  'final_counts',
] as const;

/** Names of the table's keys and of attributes of every item, shared by the stack and the store. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  expiresAt: 'expires_at_seconds',
  format: 'v',
  /** How many results of an import an erasure has changed (§13.2). */
  changedResults: 'erased',
} as const;

/** The indexes, shared likewise. */
export const INDEX = {
  /** Imports of a company by creation, and its runs; sessions by user. An entry has the attributes of a list (`LISTED`). */
  importsByCompany: { name: 'imports-by-company', partitionKey: 'list_pk', sortKey: 'list_sk', holds: LISTED },
  /** Imports that failed, wholly or in part, by status; sparse. */
  importsByStatus: { name: 'imports-by-status', partitionKey: 'status_pk', sortKey: 'list_sk', holds: LISTED },
  /** The imports of a run, sparse. */
  importsByRun: { name: 'imports-by-run', partitionKey: 'run_pk', sortKey: 'list_sk', holds: LISTED },
  /** Imports that the watchdog still has to check, by due time, sparse. An entry changes with the due time only. */
  openImports: { name: 'open-imports', partitionKey: 'open_pk', sortKey: 'due_at', holds: ['resends', 'closing_at'] },
} as const;

/** The attributes that put an item into the index of open work, due at this time. */
export const dueAt = (due_at: Instant) => ({
  [INDEX.openImports.partitionKey]: OPEN_IMPORTS_PARTITION,
  [INDEX.openImports.sortKey]: due_at,
});

export interface Index {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly holds: readonly string[];
}

export const INDEXES: readonly Index[] = /* @__PURE__ */ Object.values(INDEX);
