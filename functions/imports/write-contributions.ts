import type { Database } from '../dynamodb/client.ts';
import { isItemTooLarge } from '../dynamodb/errors.ts';
import { updateItem } from '../dynamodb/items.ts';
import { runStatements } from '../dynamodb/statements.ts';
import type { Statement, StatementOutcome } from '../dynamodb/statements.ts';
import type { Key } from '../dynamodb/table.ts';
import { learnerCourseKey } from '../dynamodb/table.ts';
import { contributionName, packContribution } from './contribution-item.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { inParallel } from '../runtime/batching.ts';
import type { LearnerCourse, RecordWrite } from '../shared/model.ts';

const PARALLEL_UPDATES = 25;

/** All that one call writes about a learner in a course: one write. */
interface ItemWrite {
  readonly pair: LearnerCourse;
  readonly key: Key;
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
  readonly exists: boolean;
}

/**
 * Adds contributions to learner-course items. Only the contributions' own attributes are set and nobody puts a whole item,
 * so writers never undo each other and a repeat changes nothing. An item believed to be new is inserted, one believed to
 * exist updated, in batches of statements; where the belief was wrong, and for what no single statement can say, a plain
 * update follows, which is right either way. Returns the pairs whose item would have outgrown the database's limit.
 */
export async function writeContributions(
  database: Database,
  company_id: string,
  writes: readonly RecordWrite[],
): Promise<LearnerCourse[]> {
  const items = [...Map.groupBy(writes, learnerCourseId).values()].map((group) => itemWrite(company_id, group));
  const inserted = await attempt(database, items.filter(isInsertable), insertion);
  const believedThere = [...items.filter((item) => !isInsertable(item)), ...inserted.refused];
  const updated = await attempt(database, believedThere.filter(isOneAssignment), assignment);
  const rest = [...believedThere.filter((item) => !isOneAssignment(item)), ...updated.refused];
  const upserted = await inParallel(rest, PARALLEL_UPDATES, async (item) =>
    (await upsert(database, item)) ? [] : [item],
  );
  return [...inserted.tooLarge, ...updated.tooLarge, ...upserted.flat()].map(({ pair }) => pair);
}

const isInsertable = ({ exists, remove }: ItemWrite): boolean => !exists && remove.length === 0;
/** Engines disagree on how a statement lists several assignments. */
const isOneAssignment = ({ set, remove }: ItemWrite): boolean => set.size === 1 && remove.length === 0;

function itemWrite(company_id: string, group: readonly RecordWrite[]): ItemWrite {
  const set = new Map(
    group.map(({ contribution }) => [contributionName(contribution), packContribution(contribution)]),
  );
  const replaced = new Set(group.flatMap(({ replaces }) => replaces.map(contributionName)));
  const [{ user_id, platform_course_id }] = group as [RecordWrite];
  return {
    pair: { user_id, platform_course_id },
    key: learnerCourseKey(company_id, user_id, platform_course_id),
    set,
    remove: [...replaced].filter((name) => !set.has(name)),
    exists: group.some(({ exists }) => exists),
  };
}

type Rendering = (table: string, item: ItemWrite) => Statement;

function insertion(table: string, { key: { pk, sk }, set }: ItemWrite): Statement {
  const attributes = [...set.keys()].map((name) => `, '${name}': ?`).join('');
  return {
    Statement: `INSERT INTO "${table}" VALUE {'pk': ?, 'sk': ?${attributes}}`,
    Parameters: [pk, sk, ...set.values()],
  };
}

function assignment(table: string, { key: { pk, sk }, set }: ItemWrite): Statement {
  const [name] = set.keys();
  return {
    Statement: `UPDATE "${table}" SET "${name}"=? WHERE "pk"=? AND "sk"=?`,
    Parameters: [...set.values(), pk, sk],
  };
}

/** `refused`: the item is there after all (INSERT), or is not (UPDATE). */
async function attempt(database: Database, items: readonly ItemWrite[], render: Rendering) {
  const outcomes = await runStatements(
    database,
    items.map((item) => render(database.table, item)),
  );
  const withOutcome = (...wanted: StatementOutcome[]) =>
    items.filter((_, position) => wanted.some((outcome) => outcome === outcomes[position]));
  return { refused: withOutcome('duplicate', 'missing'), tooLarge: withOutcome('too_large') };
}

/** False where the item would have become too large. */
async function upsert(database: Database, { key, set, remove }: ItemWrite): Promise<boolean> {
  try {
    return await updateItem(database, key, { set: Object.fromEntries(set), remove });
  } catch (error) {
    if (error instanceof Error && isItemTooLarge(error.message)) return false;
    throw error;
  }
}
