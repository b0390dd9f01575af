import { batchGet } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { number } from '../dynamodb/attributes.ts';
import { assertReadableAttributes, unpackJson } from '../dynamodb/encoding.ts';
import { found } from '../dynamodb/items.ts';
import { insertItems } from '../dynamodb/statements.ts';
import { identityKey, learnerCourseKey } from '../dynamodb/table.ts';
import { isContributionName, unpackContribution } from './contribution-item.ts';
import { OVERFLOW, writeContributions } from './write-contributions.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import type { Contribution, CourseHistory, LearnerCourse, Progress, RecordWrite } from '../shared/model.ts';

export type ProgressStore = ReturnType<typeof progressStore>;

interface Claim extends LearnerCourse {
  readonly external_record_id: string;
}

/** Learners' progress, and the identities of the records that were migrated into it. */
export function progressStore(database: Database) {
  /** The learner and course that each external_record_id is bound to; strongly consistent; unbound ids are absent. */
  const identities = async (company_id: string, ids: readonly string[]): Promise<Map<string, LearnerCourse>> => {
    const keys = ids.map((id) => identityKey(company_id, id));
    return found(ids, await batchGet(database, keys, true), unpackIdentity);
  };

  return {
    identities,

    /** Strongly consistent; keys of the map: `learnerCourseId`; a pair about which nothing is stored is absent. */
    async courseHistories(company_id: string, pairs: readonly LearnerCourse[]): Promise<Map<string, CourseHistory>> {
      const distinct = [...new Map(pairs.map((pair) => [learnerCourseId(pair), pair])).values()];
      const keyOf = (pair: LearnerCourse, item?: number) => learnerCourseKey(company_id, pair, item);
      const firstItems = await batchGet(
        database,
        distinct.map((pair) => keyOf(pair)),
        true,
      );
      const overflowKeys = distinct.map((pair, position) =>
        Array.from({ length: overflowItems(firstItems[position]) }, (_, before) => keyOf(pair, before + 1)),
      );
      const overflow = (await batchGet(database, overflowKeys.flat(), true)).values();
      return new Map(
        distinct.flatMap((pair, position) => {
          const first = firstItems[position];
          const further = (overflowKeys[position] ?? []).map(() => overflow.next().value);
          return first === undefined ? [] : [[learnerCourseId(pair), toCourseHistory(pair, first, further)] as const];
        }),
      );
    },

    /**
     * Binds each `external_record_id` to its pair, for as long as a record of it exists (§2.7): an INSERT succeeds only if the item does not
     * exist yet. If it exists it is read back. Returns the ids that are bound to another pair, with that pair. Of an id claimed twice in
     * one call the first claim counts.
     */
    async claim(company_id: string, claims: readonly Claim[]): Promise<Map<string, LearnerCourse>> {
      const distinct = new Map(claims.toReversed().map((claim) => [claim.external_record_id, claim]));
      const wanted = [...distinct.values()];
      const outcomes = await insertItems(
        database,
        wanted.map(({ external_record_id, user_id, platform_course_id }) => ({
          ...identityKey(company_id, external_record_id),
          user_id,
          platform_course_id,
        })),
      );
      const bound = wanted
        .filter((_, position) => outcomes[position] !== 'done')
        .map((each) => each.external_record_id);
      const holders = await identities(company_id, bound);
      if (holders.size < bound.length) throw new Error('An identity that is bound cannot be read.');
      return new Map(
        claims.flatMap(({ external_record_id, ...pair }) => {
          const holder = holders.get(external_record_id);
          const claimedByThisPair = holder !== undefined && learnerCourseId(holder) === learnerCourseId(pair);
          return holder === undefined || claimedByThisPair ? [] : [[external_record_id, holder] as const];
        }),
      );
    },

    /** Adds contributions, however many a pair has already. Idempotent. */
    contribute: (company_id: string, writes: readonly RecordWrite[]): Promise<void> =>
      writeContributions(database, company_id, writes),
  };
}

/** Name of the attribute that holds the organic progress, which an import never writes. */
export const NATIVE = 'native';

/** How many overflow items the first item of a learner course names. */
export function overflowItems(first: Item | undefined): number {
  return first?.[OVERFLOW] === undefined ? 0 : number(first, OVERFLOW);
}

/**
 * Reads the items of a learner course: the first one, and those it names, of which some may not be there. A contribution
 * that two of them hold counts once. Contributions oldest first.
 */
export function toCourseHistory(
  { user_id, platform_course_id }: LearnerCourse,
  first: Item,
  overflow: readonly (Item | undefined)[] = [],
): CourseHistory {
  const stored = Object.assign({}, ...overflow, first) as Item;
  assertReadableAttributes(stored);
  const contributions = contributionsIn(stored).toSorted(oldestFirst);
  const native = first[NATIVE] === undefined ? null : (unpackJson(first[NATIVE]) as Progress);
  return { user_id, platform_course_id, native, contributions, items: 1 + overflow.length };
}

/** The contributions in an item of a learner course, in no particular order. */
export function contributionsIn(item: Item): Contribution[] {
  return Object.entries(item)
    .filter(([name]) => isContributionName(name))
    .map(([name, text]) => unpackContribution(name, String(text)));
}

function oldestFirst(a: Contribution, b: Contribution): number {
  return compare(a.imported_at, b.imported_at) || compare(a.import_id, b.import_id) || a.index - b.index;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function unpackIdentity(item: Item): LearnerCourse {
  return { user_id: number(item, 'user_id'), platform_course_id: number(item, 'platform_course_id') };
}
