/** Stores runs: what was decided about them, and their documents. */
import { userOf, type StoredCreator } from '../auth/creator.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { compressJson, unpackJson } from '../dynamodb/encoding.ts';
import { allOf, equals, isAbsent, isPresent, type Condition } from '../dynamodb/expressions.ts';
import { batchGet, getItem, itemIsAbsent, writeTogether, type JointWrite } from '../dynamodb/items.ts';
import { TABLE, runDocumentKey, runKey } from '../dynamodb/table.ts';
import { IMPORTED, newRun } from '../imports/import-lists.ts';
import type { RunPlanItem } from '../plans/plan-item.ts';
import { removal } from '../plans/store.ts';
import type { Instant, RunIds } from '../shared/model.ts';
import { unpackRun, type Draft, type RunItem } from './run-item.ts';

export type RunStore = ReturnType<typeof runStore>;
export type RunItemReader = ReturnType<typeof runItemReader>;

/** Decisions about a run: members that are absent stay. A document of `null` is removed. */
export interface Decisions extends Partial<Draft> {
  readonly document?: unknown;
}

interface Decided {
  readonly at: Instant;
  readonly by: StoredCreator;
}

const DOCUMENT = 'document';

/** Runs by id, and their documents. */
export function runItemReader(database: Database) {
  return {
    /** Strongly consistent. */
    async read(run: RunIds): Promise<RunItem | undefined> {
      const item = await getItem(database, runKey(run));
      return item && unpackRun(run, item);
    },

    /** The runs of these ids that exist, in the order of the ids. */
    async readAll(company_id: string, ids: readonly string[]): Promise<RunItem[]> {
      const keys = ids.map((run_id) => runKey({ company_id, run_id }));
      const items = await batchGet(database, keys, false);
      return ids.flatMap((run_id, at) => {
        const item = items[at];
        return item === undefined ? [] : [unpackRun({ company_id, run_id }, item)];
      });
    },

    /** Strongly consistent; `null` if it has none. */
    async readDocument(run: RunIds): Promise<unknown> {
      const item = await getItem(database, runDocumentKey(run));
      return item === undefined ? null : unpackJson(item[DOCUMENT]);
    },
  };
}

/** The same, and what changes a run: by compare-and-set on its version. */
export function runStore(database: Database) {
  return {
    ...runItemReader(database),

    /** Stores decisions about the run as it was read, or a new one. `undefined` if it changed meanwhile. */
    async decide(run: RunIds, stored: RunItem | undefined, decisions: Decisions, { at, by }: Decided) {
      const { document, ...draft } = decisions;
      const made = newRun(run, { created_at: at, by });
      const version = (stored?.version ?? 0) + 1;
      const set = { ...draft, version, updated_at: at, updated_by: by };
      const change =
        stored === undefined
          ? { set: { ...attributesOf(made), ...set }, when: itemIsAbsent }
          : { set: { ...set, ...ofEarlierRelease(stored) }, when: asRead(stored) };
      const written = await writeTogether(database, [
        { update: runKey(run), change },
        ...documentWrites(run, document, version),
      ]);
      if (written !== undefined) return undefined;
      if (stored === undefined) return unpackRun(run, { ...made, ...set });
      return { ...stored, ...set, updated_by: userOf(by) };
    },

    /** Removes the draft as it was read, with its plans. False if one of them changed meanwhile, or it has a real import. */
    async remove(run: RunItem, plans: readonly RunPlanItem[]): Promise<boolean> {
      const hasThisPlan = run.plan_id === undefined ? isAbsent('plan_id') : equals('plan_id', run.plan_id);
      const isDraft = allOf(asRead(run), isAbsent(IMPORTED), hasThisPlan);
      const writes: JointWrite[] = [
        { remove: runKey(run), when: isDraft },
        { remove: runDocumentKey(run) },
        ...plans.flatMap(removal),
      ];
      return (await writeTogether(database, writes)) === undefined;
    },
  };
}

const asRead = ({ version }: RunItem): Condition =>
  version === undefined ? allOf(isPresent(TABLE.partitionKey), isAbsent('version')) : equals('version', version);

/** Until now, it had no version because its imports are real ones. */
const ofEarlierRelease = ({ version }: RunItem): Item => (version === undefined ? { [IMPORTED]: true } : {});

const attributesOf = ({ pk: _, sk: _sort, ...attributes }: ReturnType<typeof newRun>): Item => attributes;

function documentWrites(run: RunIds, document: unknown, version: number): JointWrite[] {
  if (document === undefined) return [];
  const key = runDocumentKey(run);
  return document === null ? [{ remove: key }] : [{ put: { ...key, [DOCUMENT]: compressJson(document), version } }];
}
