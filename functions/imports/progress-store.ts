import type { Database, Item } from '../dynamodb/client.ts';
import { number, text } from '../dynamodb/attributes.ts';
import { assertReadableAttributes, unpackJson } from '../dynamodb/encoding.ts';
import { itemBytes, batchGet } from '../dynamodb/items.ts';
import { queryPage } from '../dynamodb/queries.ts';
import { TABLE, coursesFrom, learnerCourseKey, learnerPartition } from '../dynamodb/table.ts';
import { claimStore, readBindings } from './claims.ts';
import { isContributionName, unpackContribution } from './contribution-item.ts';
import { ADDED, OVERFLOW, writeContributions } from './write-contributions.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { byAcceptance } from '../records/versions.ts';
import type {
  Contribution,
  CourseHistory,
  LearnerCourse,
  Progress,
  RecordWrite,
  StoredSpace,
} from '../shared/model.ts';

export type ProgressReader = ReturnType<typeof progressReader>;
export type ProgressStore = ReturnType<typeof progressStore>;

interface CoursePosition {
  readonly platform_course_id: number;
  readonly isAfter: boolean;
}

/** Reads what learners have in courses; every read is strongly consistent. */
export function progressReader(database: Database) {
  /** Strongly consistent; keys of the map: `learnerCourseId`; a pair about which nothing is stored is absent. */
  const courseHistories = async (
    company_id: string,
    pairs: readonly LearnerCourse[],
  ): Promise<Map<string, CourseHistory>> => {
    const distinct = [...new Map(pairs.map((pair) => [learnerCourseId(pair), pair])).values()];
    const keyOf = (pair: LearnerCourse, item?: number) => learnerCourseKey(company_id, pair, item);
    const firstKeys = distinct.map((pair) => keyOf(pair));
    const firstItems = await batchGet(database, firstKeys, true);
    const overflowKeys = distinct.map((pair, position) =>
      Array.from({ length: overflowItems(firstItems[position]) }, (_, before) => keyOf(pair, before + 1)),
    );
    const overflow = (await batchGet(database, overflowKeys.flat(), true)).values();
    const histories = distinct.flatMap((pair, position) => {
      const first = firstItems[position];
      const further = (overflowKeys[position] ?? []).map(() => overflow.next().value);
      return first === undefined ? [] : [[learnerCourseId(pair), toCourseHistory(pair, first, further)] as const];
    });
    return new Map(histories);
  };

  return {
    courseHistories,

    /** By course id, from the place on: at least `limit`, by one request unless one has overflow items. Strong. */
    async historiesOf(
      company_id: string,
      user_id: number,
      { limit, from }: { readonly limit: number; readonly from: CoursePosition },
    ): Promise<CourseHistory[]> {
      const partition = learnerPartition(company_id, user_id);
      const between = coursesFrom(from.platform_course_id, from.isAfter);
      const items: Item[] = [];
      for (let after: Item | undefined; ;) {
        const page = await queryPage(database, { partition, between, strong: true, limit, after });
        items.push(...page.items);
        const histories = historiesIn(user_id, items, page.last !== undefined);
        if (page.last === undefined || histories.length >= limit) return histories;
        after = page.last;
      }
    },

    /** The learner and course that each external_record_id is bound to; strongly consistent; unbound ids are absent. */
    identities: (company_id: string, ids: readonly string[]) => readBindings(database, company_id, ids),
  };
}

/** Reads as above, adds contributions, and binds ids. None of its methods removes a contribution. */
export function progressStore(database: Database) {
  const reader = progressReader(database);
  return {
    ...reader,
    ...claimStore(database, reader.courseHistories),

    /** Adds contributions, however many a pair has already. Idempotent. */
    contribute: (company_id: string, writes: readonly RecordWrite[]): Promise<void> =>
      writeContributions(database, company_id, writes),
  };
}

/** The attribute of organic progress, which no import writes. */
export const NATIVE = 'native';

export function overflowItems(first: Item | undefined): number {
  return first?.[OVERFLOW] === undefined ? 0 : number(first, OVERFLOW);
}

/** Reads the items of a learner course; contributions oldest first. One that two items hold counts once. */
export function toCourseHistory(
  { user_id, platform_course_id }: LearnerCourse,
  first: Item,
  overflow: readonly (Item | undefined)[] = [],
): CourseHistory {
  const stored = Object.assign({}, ...overflow, first) as Item;
  assertReadableAttributes(stored);
  const contributions = contributionsIn(stored).toSorted(byAcceptance);
  const native = first[NATIVE] === undefined ? null : (unpackJson(first[NATIVE]) as Progress);
  const last = overflow.length === 0 ? first : overflow.at(-1);
  return { user_id, platform_course_id, native, contributions, items: 1 + overflow.length, ...spaceIn(last) };
}

function spaceIn(last: Item = {}): Omit<StoredSpace, 'items'> {
  const added = last[ADDED] === undefined ? undefined : number(last, ADDED);
  return { filled: Object.keys(last).some(isContributionName) ? itemBytes(last) : undefined, added };
}

/** @param hasMore whether items may follow: then a last course that has overflow items is left out */
function historiesIn(user_id: number, items: readonly Item[], hasMore: boolean): CourseHistory[] {
  const byCourse = [...Map.groupBy(items, courseIdOf)];
  return byCourse.flatMap(([platform_course_id, [first, ...overflow]], position) => {
    const isCut = hasMore && position === byCourse.length - 1 && overflowItems(first) > 0;
    if (first === undefined || isCut) return [];
    const history = toCourseHistory({ user_id, platform_course_id }, first, overflow);
    return history.native === null && history.contributions.length === 0 ? [] : [history];
  });
}

const courseIdOf = (item: Item): number => Number(text(item, TABLE.sortKey).split('#')[1]);

export function contributionsIn(item: Item): Contribution[] {
  return Object.entries(item)
    .filter(([name]) => isContributionName(name))
    .map(([name, value]) => unpackContribution(name, value));
}
