import { batchGet } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { allOf, equals } from '../dynamodb/expressions.ts';
import { updateItem } from '../dynamodb/items.ts';
import { writeItems } from '../dynamodb/statements.ts';
import { identityKey, learnerCourseKey } from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import { contributionName } from '../imports/contribution-item.ts';
import { OVERFLOW } from '../imports/write-contributions.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { inParallel } from '../runtime/batching.ts';
import type { Contribution, CourseHistory, LearnerCourse } from '../shared/model.ts';

const PARALLEL_WRITES = 25;

/** A contribution of a learner course. */
interface Written extends LearnerCourse {
  readonly contribution: Pick<Contribution, 'import_id' | 'index' | 'external_record_id'>;
}

/**
 * Removes these contributions from whichever items hold them, by statements; an item with several is updated on its own. A repeat finds
 * nothing and writes nothing.
 *
 * @param known histories by `learnerCourseId`, read while nothing else writes: one that is a single item is not read again
 */
export async function removeContributions(
  database: Database,
  company_id: string,
  written: readonly Written[],
  known: ReadonlyMap<string, CourseHistory> = new Map(),
): Promise<void> {
  const groups = [...Map.groupBy(written, learnerCourseId)].map(([id, group]) => {
    const [learnerCourse] = group as [Written];
    const keyOf = (item: number) => learnerCourseKey(company_id, learnerCourse, item);
    return { keyOf, names: group.map(nameOf), history: known.get(id) };
  });
  const [single, unknown] = [groups.filter(isSingle), groups.filter((group) => !isSingle(group))];
  const first = await read(unknown.map(({ keyOf, names }) => ({ key: keyOf(0), names })));
  const further = unknown.flatMap(({ keyOf, names }, position) =>
    Array.from({ length: Number(first[position]?.item?.[OVERFLOW] ?? 0) }, (_, before) => ({
      key: keyOf(before + 1),
      names,
    })),
  );
  const held = [
    ...single.map(({ keyOf, names, history }) => ({ key: keyOf(0), remove: namesIn(names, namesOf(history)) })),
    ...[...first, ...(await read(further))].map(({ key, names, item = {} }) => ({
      key,
      remove: namesIn(names, new Set(Object.keys(item))),
    })),
  ];
  await writeItems(
    database,
    held.flatMap(({ key, remove: [name, ...others] }) =>
      name === undefined || others.length > 0 ? [] : [{ update: key, remove: name }],
    ),
  );
  const several = held.filter(({ remove }) => remove.length > 1);
  await inParallel(several, PARALLEL_WRITES, ({ key, remove }) => updateItem(database, key, { remove }));

  async function read(wanted: readonly { readonly key: Key; readonly names: readonly string[] }[]) {
    const keys = wanted.map(({ key }) => key);
    const items: (Item | undefined)[] = await batchGet(database, keys, true);
    return wanted.map((each, position) => ({ ...each, item: items[position] }));
  }
}

const nameOf = ({ contribution }: Written): string => contributionName(contribution);
const isSingle = ({ history }: { readonly history: CourseHistory | undefined }): boolean => history?.items === 1;
const namesOf = (history: CourseHistory | undefined) => new Set(history?.contributions.map(contributionName));
const namesIn = (names: readonly string[], stored: ReadonlySet<string>) => names.filter((name) => stored.has(name));

/** Frees the ids of these records, each if it is still bound to this learner and course. */
export async function freeIdentities(
  database: Database,
  company_id: string,
  written: readonly Written[],
): Promise<void> {
  await writeItems(
    database,
    written.map(({ contribution, user_id, platform_course_id }) => ({
      delete: identityKey(company_id, contribution.external_record_id),
      when: allOf(equals('user_id', user_id), equals('platform_course_id', platform_course_id)),
    })),
  );
}
