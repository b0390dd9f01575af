import type { Database, Item } from '../dynamodb/client.ts';
import { updateItem, batchGet } from '../dynamodb/items.ts';
import { writeItems } from '../dynamodb/statements.ts';
import { identityKey, learnerCourseKey, type Key } from '../dynamodb/table.ts';
import { boundTo } from '../imports/claims.ts';
import { contributionName } from '../imports/contribution-item.ts';
import { OVERFLOW } from '../imports/fold-history.ts';
import { FOLDED } from '../imports/folded-item.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { inParallel } from '../runtime/batching.ts';
import type { Contribution, LearnerCourse } from '../shared/model.ts';

const PARALLEL_WRITES = 25;

interface Written extends LearnerCourse {
  readonly contribution: Pick<Contribution, 'import_id' | 'index' | 'external_record_id'>;
}

/** Removes the contributions of these writes from every item of their learner courses. Safe to repeat. */
export async function removeContributions(
  database: Database,
  company_id: string,
  written: readonly Written[],
): Promise<void> {
  const groups = [...Map.groupBy(written, learnerCourseId).values()].map((group) => {
    const [learnerCourse] = group as [Written];
    return { keyOf: (item: number) => learnerCourseKey(company_id, learnerCourse, item), names: group.map(nameOf) };
  });
  const first = await read(groups.map(({ keyOf, names }) => ({ key: keyOf(0), names })));
  const further = groups.flatMap(({ keyOf, names }, position) =>
    Array.from({ length: Number(first[position]?.item?.[OVERFLOW] ?? 0) }, (_, before) => ({
      key: keyOf(before + 1),
      names,
    })),
  );
  // No fold may stand for what is gone.
  const folds = first.flatMap(({ key, item }) =>
    item?.[FOLDED] === undefined ? [] : [{ update: key, remove: FOLDED }],
  );
  await writeItems(database, folds);
  const held = [...first, ...(await read(further))].map(({ key, names, item = {} }) => ({
    update: key,
    remove: names.filter((name) => name in item),
  }));
  const single = held.flatMap(({ update, remove: [remove, ...others] }) =>
    remove === undefined || others.length > 0 ? [] : [{ update, remove }],
  );
  await writeItems(database, single);
  const several = held.filter(({ remove }) => remove.length > 1);
  await inParallel(several, PARALLEL_WRITES, ({ update, remove }) => updateItem(database, update, { remove }));

  async function read(wanted: readonly { readonly key: Key; readonly names: readonly string[] }[]) {
    const keys = wanted.map(({ key }) => key);
    const items: (Item | undefined)[] = await batchGet(database, keys, true);
    return wanted.map((each, position) => ({ ...each, item: items[position] }));
  }
}

const nameOf = ({ contribution }: Written): string => contributionName(contribution);

/** Frees each id that is still bound to the learner course of its write, so that it can be used again. */
export async function freeIdentities(
  database: Database,
  company_id: string,
  written: readonly Written[],
): Promise<void> {
  const idOf = (each: Written) => `${each.contribution.external_record_id} ${learnerCourseId(each)}`;
  const ofPairs = new Map(written.map((each) => [idOf(each), each]));
  const byId = Map.groupBy(ofPairs.values(), ({ contribution }) => contribution.external_record_id);
  // Records of several pairs may have named an id, of which one holds it. A batch takes no key twice.
  for (let named = 0; [...byId.values()].some((pairs) => pairs.length > named); named += 1) {
    const deletions = [...byId].flatMap(([id, pairs]) =>
      pairs.slice(named, named + 1).map((pair) => ({ delete: identityKey(company_id, id), when: boundTo(pair) })),
    );
    await writeItems(database, deletions);
  }
}
