import type { Database, Item } from '../dynamodb/client.ts';
import { number, text } from '../dynamodb/attributes.ts';
import { assertReadableAttributes, unpackJson } from '../dynamodb/encoding.ts';
import { itemBytes, batchGet } from '../dynamodb/items.ts';
import { queryPage } from '../dynamodb/queries.ts';
import { TABLE, coursesFrom, learnerCourseKey, learnerPartition } from '../dynamodb/table.ts';
import { claimStore, readBindings } from './claims.ts';
import { contributionsIn, isContributionName } from './contribution-item.ts';
import { ITEMS_AT_ONCE, itemsBetween, unpackFold } from './folded-item.ts';
import { ADDED, OVERFLOW } from './fold-history.ts';
import { writeContributions } from './write-contributions.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { precedes } from '../records/folded.ts';
import { byAcceptance } from '../records/versions.ts';
import { slicesOf } from '../runtime/batching.ts';
import type {
  Contribution,
  CourseHistory,
  Fold,
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
  /**
   * What is stored about each pair, in slices that fit into memory; strongly consistent. For an import that is planned, a fold
   * stands for the contributions of its items where it may.
   */
  async function* historiesInSlices(
    company_id: string,
    pairs: readonly LearnerCourse[],
    planned?: Pick<Contribution, 'imported_at' | 'import_id'>,
  ): AsyncGenerator<[LearnerCourse, CourseHistory | undefined][]> {
    const distinct = [...new Map(pairs.map((pair) => [learnerCourseId(pair), pair])).values()];
    const firstKeys = distinct.map((pair) => learnerCourseKey(company_id, pair));
    const firstItems = await batchGet(database, firstKeys, true);
    const wanted = distinct.map((pair, position) => {
      const first = firstItems[position];
      const fold = planned && unpackFold(first);
      const folded = fold && planned && precedes(fold, planned) ? fold : undefined;
      const from = folded?.items ?? 1;
      const keys = itemsBetween(from, overflowItems(first)).map((item) => learnerCourseKey(company_id, pair, item));
      return { pair, first, folded, keys };
    });
    for (const slice of slicesOf(wanted, ITEMS_AT_ONCE, ({ keys }) => keys.length)) {
      const items = (
        await batchGet(
          database,
          slice.flatMap(({ keys }) => keys),
          true,
        )
      ).values();
      yield slice.map(({ pair, first, folded, keys }) => {
        const further = keys.map(() => items.next().value);
        if (first === undefined) return [pair, undefined];
        return [pair, folded ? foldedHistory(pair, first, folded, further) : toCourseHistory(pair, first, further)];
      });
    }
  }

  /** Whole; strongly consistent; keys of the map: `learnerCourseId`; a pair about which nothing is stored is absent. */
  const courseHistories = async (
    company_id: string,
    pairs: readonly LearnerCourse[],
  ): Promise<Map<string, CourseHistory>> => {
    const found = new Map<string, CourseHistory>();
    for await (const slice of historiesInSlices(company_id, pairs))
      for (const [pair, history] of slice) if (history) found.set(learnerCourseId(pair), history);
    return found;
  };

  return {
    courseHistories,
    historiesInSlices,

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

/** @param newer the items after those that the fold covers */
function foldedHistory(
  pair: LearnerCourse,
  first: Item,
  folded: Fold,
  newer: readonly (Item | undefined)[],
): CourseHistory {
  const { contributions, ...history } = toCourseHistory(
    pair,
    first[NATIVE] === undefined ? {} : { [NATIVE]: first[NATIVE] },
    newer,
  );
  const stands = folded.records.map(({ contribution }) => contribution);
  return { ...history, items: 1 + overflowItems(first), contributions: [...stands, ...contributions], folded };
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
