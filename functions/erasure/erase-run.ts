/** The erasure of a person from what administrators wrote about a run (§13.2): its title, its document, the comments on its plans; and what its plans say of their dry runs. */
import { text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { compressJson, unpackJson } from '../dynamodb/encoding.ts';
import { equals, isPresent } from '../dynamodb/expressions.ts';
import { batchGet, getItem, updateItem } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import { APPLIED_PLANS, TABLE, runDocumentKey, runKey, runPartition, runPlanKey } from '../dynamodb/table.ts';
import { applicationStore } from '../plans/store.ts';
import { namesPerson, withoutTexts, type Person } from '../records/person.ts';
import { TemporarilyUnavailable } from '../runtime/faults.ts';
import type { ImportIds, PlanIds, RunIds } from '../shared/model.ts';

/** Works on the items as they are stored: the processor has neither the rules of a run nor those of a plan. */
export const runErasure =
  (database: Database) =>
  /** Replaces each text that names the person by `null`. Returns how many items it changed. */
  async (run: RunIds, person: Person): Promise<number> => {
    const isName = namesPerson(person);
    const change = async (item: Item, set: Item): Promise<number> => {
      const [pk, sk] = [text(item, TABLE.partitionKey), text(item, TABLE.sortKey)];
      const version = Number(item['version'] ?? 0) + 1;
      const when = equals('version', item['version']);
      if (await updateItem(database, { pk, sk }, { set: { ...set, version }, when })) return 1;
      // The message comes again.
      throw new TemporarilyUnavailable('Somebody changes the run.');
    };
    const blank = async (item: Item | undefined, name: string) =>
      typeof item?.[name] === 'string' && isName(item[name]) ? change(item, { [name]: null }) : 0;

    const [stored, noted] = await batchGet(database, [runKey(run), runDocumentKey(run)], true);
    const document = noted && unpackJson(noted['document']);
    const left = withoutTexts(document, isName);
    const isDocumented = noted !== undefined && left !== document;
    if (isDocumented) await change(noted, { document: compressJson(left) });
    const isTitled = await blank(stored, 'title');
    if (stored && isDocumented && isTitled === 0) await change(stored, {});
    const plans = await batchGet(database, (await plansOf(database, run, stored)).map(runPlanKey), true);
    let changed = isDocumented ? 1 : isTitled;
    for (const plan of plans) changed += await blank(plan, 'comment');
    return changed;
  };

/** Marks each plan of a run that has this dry run: what it shows no longer matches its digest. */
export const planMarking =
  (database: Database) =>
  async ({ company_id, run_id, import_id }: ImportIds & RunIds): Promise<void> => {
    const run = { company_id, run_id };
    const stored = await getItem(database, runKey(run));
    const plans = applicationStore(database);
    for (const key of await plansOf(database, run, stored)) {
      const plan = await plans.read(key);
      if (plan === undefined || plan.erased === true) continue;
      const listed = await plans.listedFrom(plan, 0, plan.counts.imports);
      // A new version: who read the plan before, and stores it whole, has to read it again.
      const marked = { set: { erased: true }, add: { version: 1 }, when: isPresent('version') };
      if (listed.includes(import_id)) await updateItem(database, runPlanKey(plan), marked);
    }
  };

/** The plans that can be read: the newest, and those whose application began. */
async function plansOf(database: Database, run: RunIds, stored: Item | undefined): Promise<PlanIds[]> {
  const notes = await queryAll(database, { partition: runPartition(run), between: APPLIED_PLANS, strong: true });
  const applied = notes.map((note) => text(note, TABLE.sortKey).split('#')[2] ?? '');
  const ids = new Set([...applied, ...(stored?.['plan_id'] === undefined ? [] : [text(stored, 'plan_id')])]);
  return [...ids].map((plan_id) => ({ company_id: run.company_id, plan_id }));
}
