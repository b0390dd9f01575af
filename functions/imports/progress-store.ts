/** What the records of an import refer to, and what applying them writes. */
import { batchGet } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { unpackJson } from '../dynamodb/encoding.ts';
import { found, itemBytes } from '../dynamodb/items.ts';
import { runStatements } from '../dynamodb/statements.ts';
import { identityKey, learnerCourseKey } from '../dynamodb/table.ts';
import { isContributionName, unpackContribution } from './contribution-item.ts';
import { writeContributions } from './write-contributions.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import type { Deadline } from '../runtime/system.ts';
import type { Contribution, CourseHistory, LearnerCourse, Progress, RecordWrite } from '../shared/model.ts';

/** Name of the organic lane, which an import never writes. */
export const NATIVE = 'native';

/** Reads a learner-course item; its contributions oldest first. */
export function toCourseHistory({ user_id, platform_course_id }: LearnerCourse, item: Item): CourseHistory {
  const contributions = Object.entries(item)
    .filter(([name]) => isContributionName(name))
    .map(([name, text]) => unpackContribution(name, String(text)))
    .toSorted(oldestFirst);
  const native = item[NATIVE] === undefined ? null : (unpackJson(item[NATIVE]) as Progress);
  return { user_id, platform_course_id, native, contributions, bytes: itemBytes(item) };
}

function oldestFirst(a: Contribution, b: Contribution): number {
  return compare(a.imported_at, b.imported_at) || compare(a.import_id, b.import_id) || a.index - b.index;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

type Claim = LearnerCourse & { readonly external_record_id: string };

/** Strongly consistent; an id that is bound to nothing is left out. */
export async function readIdentities(
  database: Database,
  company_id: string,
  ids: readonly string[],
): Promise<Map<string, LearnerCourse>> {
  return found(
    ids,
    await batchGet(
      database,
      ids.map((id) => identityKey(company_id, id)),
      true,
    ),
    unpackIdentity,
  );
}

/**
 * Binds each `external_record_id` to its pair, for good (§2.7): an INSERT goes through only where nothing is there yet.
 * Where something is, it is read back: held by this pair, all is well, by another, the id and that pair are answered.
 * Of an id claimed twice in one call the first claim counts.
 */
export async function claimIdentities(
  database: Database,
  company_id: string,
  claims: readonly Claim[],
  deadline: Deadline,
): Promise<Map<string, LearnerCourse>> {
  const distinct = new Map(claims.toReversed().map((claim) => [claim.external_record_id, claim]));
  const wanted = [...distinct.values()];
  const outcomes = await runStatements(
    database,
    wanted.map((claim) => insertion(database.table, company_id, claim)),
    deadline,
  );
  const met = wanted.filter((_, position) => outcomes[position] !== 'done').map((claim) => claim.external_record_id);
  const holders = met.length === 0 ? new Map<string, LearnerCourse>() : await readIdentities(database, company_id, met);
  if (holders.size < met.length) throw new Error('an identity that is bound cannot be read');
  return new Map(
    claims.flatMap(({ external_record_id, ...pair }) => {
      const holder = holders.get(external_record_id);
      const claimedByThisPair = holder !== undefined && learnerCourseId(holder) === learnerCourseId(pair);
      return holder === undefined || claimedByThisPair ? [] : [[external_record_id, holder] as const];
    }),
  );
}

function insertion(table: string, company_id: string, { external_record_id, user_id, platform_course_id }: Claim) {
  const { pk, sk } = identityKey(company_id, external_record_id);
  return {
    Statement: `INSERT INTO "${table}" VALUE {'pk': ?, 'sk': ?, 'user_id': ?, 'platform_course_id': ?}`,
    Parameters: [pk, sk, user_id, platform_course_id],
  };
}

function unpackIdentity(item: Item): LearnerCourse {
  const { user_id, platform_course_id } = item as unknown as LearnerCourse;
  return { user_id, platform_course_id };
}

/** Learners' progress and the identities of the records that were migrated into it. */
export function progressStore(database: Database): ProgressStore {
  return {
    async courseHistories(company_id, pairs) {
      const keys = pairs.map(({ user_id, platform_course_id }) =>
        learnerCourseKey(company_id, user_id, platform_course_id),
      );
      const items = await batchGet(database, keys, true);
      return new Map(
        pairs.flatMap((pair, position) => {
          const item = items[position];
          return item === undefined ? [] : [[learnerCourseId(pair), toCourseHistory(pair, item)] as const];
        }),
      );
    },

    identities: (company_id, ids) => readIdentities(database, company_id, ids),
    claim: (company_id, claims, deadline) => claimIdentities(database, company_id, claims, deadline),
    contribute: (company_id, writes, deadline) => writeContributions(database, company_id, writes, deadline),
  };
}

export interface ProgressStore {
  /** Strongly consistent; a pair nothing is stored about is absent from the map (keys: `learnerCourseId`). */
  courseHistories(company_id: string, pairs: readonly LearnerCourse[]): Promise<Map<string, CourseHistory>>;
  /** The learner and course that each external_record_id is bound to; strongly consistent; unbound ids are absent. */
  identities(company_id: string, external_record_ids: readonly string[]): Promise<Map<string, LearnerCourse>>;
  /** Binds each id to its pair if it is unbound. Answers the ids held by another pair, with that pair. */
  claim(
    company_id: string,
    claims: readonly (LearnerCourse & { external_record_id: string })[],
    deadline: Deadline,
  ): Promise<Map<string, LearnerCourse>>;
  /**
   * Writes contributions (those of one pair in one write) and removes the ones they replace. Idempotent.
   * Answers the pairs whose item would grow beyond what the database holds (400 KB): nothing was written for those.
   */
  contribute(company_id: string, writes: readonly RecordWrite[], deadline: Deadline): Promise<LearnerCourse[]>;
}
