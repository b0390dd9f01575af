/** The binding of an `external_record_id` to its learner and course (rule 12). A binding that only an abandoned record made is freed. */
import { members, number, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, type Condition, equals, isAbsent, isPresent } from '../dynamodb/expressions.ts';
import { deleteItem, found, updateItem, batchGet } from '../dynamodb/items.ts';
import { writeItems } from '../dynamodb/statements.ts';
import { identityKey } from '../dynamodb/table.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { instant } from '../records/instants.ts';
import { inParallel } from '../runtime/batching.ts';
import type { CourseHistory, LearnerCourse, RecordWrite } from '../shared/model.ts';

/** The wish of a record to bind its id to this user and course (rule 12). */
export type Claim = LearnerCourse & { readonly external_record_id: string };

export const claimOf = ({ contribution, user_id, platform_course_id }: RecordWrite): Claim => ({
  external_record_id: contribution.external_record_id,
  user_id,
  platform_course_id,
});

/** The binding is still of this user and course. */
export const boundTo = ({ user_id, platform_course_id }: LearnerCourse): Condition =>
  allOf(equals('user_id', user_id), equals('platform_course_id', platform_course_id));

/** `unused_at`: when an abandoned import marked the id, to free it unless it is claimed. */
type Binding = ReturnType<typeof unpackBinding>;

const UNUSED = 'unused_at';
const AT_ONCE = 25;

/** The learner and course that each id is bound to; strongly consistent; unbound ids are absent. */
export async function readBindings(
  database: Database,
  company_id: string,
  ids: readonly string[],
): Promise<Map<string, Binding>> {
  const keys = ids.map((id) => identityKey(company_id, id));
  return found(ids, await batchGet(database, keys, true), unpackBinding);
}

type ReadHistories = (company_id: string, pairs: readonly LearnerCourse[]) => Promise<Map<string, CourseHistory>>;

/** Binds ids to learner courses for good; after an abandoned import, those that it alone bound are freed. */
export function claimStore(database: Database, courseHistories: ReadHistories) {
  /** Removes the mark of an id. Returns whether the id stays bound: false if it was freed meanwhile. */
  const keep = async (company_id: string, id: string, holder: Binding | undefined): Promise<boolean> => {
    if (holder === undefined) return false;
    if (holder.unused_at === undefined) return true;
    return updateItem(database, identityKey(company_id, id), { remove: [UNUSED], when: isPresent(UNUSED) });
  };

  return {
    /** Binds each id to its pair (§2.7). Returns those of another pair; of two claims in one call the first counts. */
    async claim(company_id: string, claims: readonly Claim[]): Promise<Map<string, LearnerCourse>> {
      const distinct = new Map(claims.toReversed().map((claim) => [claim.external_record_id, claim]));
      const wanted = [...distinct.values()];
      const inserts = wanted.map(({ external_record_id, ...pair }) => ({
        insert: { ...identityKey(company_id, external_record_id), ...pair },
      }));
      const outcomes = await writeItems(database, inserts);
      const bound = wanted.filter((_, at) => outcomes[at] !== 'done').map((each) => each.external_record_id);
      const holders = await readBindings(database, company_id, bound);
      // Also a record that loses its id relies on the binding: its result says so.
      const kept = await inParallel(bound, AT_ONCE, (id) => keep(company_id, id, holders.get(id)));
      if (kept.includes(false))
        throw new Error('An id was freed while it was claimed. The next delivery claims it again.');
      const lost = claims.flatMap(({ external_record_id, ...pair }) => {
        const holder = holders.get(external_record_id);
        if (holder === undefined || learnerCourseId(holder) === learnerCourseId(pair)) return [];
        const { user_id, platform_course_id } = holder;
        return [[external_record_id, { user_id, platform_course_id }] as const];
      });
      return new Map(lost);
    },

    /**
     * Frees the ids of abandoned records of which nothing is stored. Another import may be between its claim and its write: so an id
     * is marked, and freed after the wait if no claim has removed the mark. Returns whether nothing is left to free; else call again.
     */
    async freeUnused(company_id: string, writes: readonly RecordWrite[], nowMs: number, waitMs: number) {
      const claims = writes.map(claimOf);
      // Read before the contributions: where the wait is over, those that had claimed before the mark have written.
      const ids = claims.map(({ external_record_id }) => external_record_id);
      const bindings = await readBindings(database, company_id, ids);
      const histories = await courseHistories(company_id, claims);
      const isStored = (claim: Claim): boolean =>
        (histories.get(learnerCourseId(claim))?.contributions ?? []).some(
          ({ external_record_id }) => external_record_id === claim.external_record_id,
        );
      const freed = await inParallel(claims, AT_ONCE, async (claim) => {
        const binding = bindings.get(claim.external_record_id);
        if (binding === undefined || isStored(claim)) return true;
        if (learnerCourseId(binding) !== learnerCourseId(claim)) return true;
        const key = identityKey(company_id, claim.external_record_id);
        const { unused_at } = binding;
        if (unused_at === undefined) {
          const when = allOf(boundTo(claim), isAbsent(UNUSED));
          await updateItem(database, key, { set: { [UNUSED]: instant(nowMs) }, when });
          return false;
        }
        const hasThisMark = equals(UNUSED, unused_at);
        return nowMs >= Date.parse(unused_at) + waitMs && deleteItem(database, key, hasThisMark);
      });
      return !freed.includes(false);
    },
  };
}

const unpackBinding = (item: Item) => ({
  ...members(item, { user_id: number, platform_course_id: number }),
  ...storedMembers(item, { [UNUSED]: text }),
});
