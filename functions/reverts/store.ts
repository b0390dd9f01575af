/** What a revert stores: its own item, the report of each import, and the chunks that rely on an import. */
import { deleteItems, putItems } from '../dynamodb/batches.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { compressJson, packJson, unpackJson } from '../dynamodb/encoding.ts';
import { allOf, anyOf, equals, isPresent } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem, updateItem } from '../dynamodb/items.ts';
import { queryAll } from '../dynamodb/queries.ts';
import {
  OPEN_IMPORTS_PARTITION,
  RELIANCES,
  TABLE,
  importPartition,
  importRevertKey,
  relianceKey,
  revertReportKey,
  runRevertKey,
} from '../dynamodb/table.ts';
import { gateStore } from '../jobs/gate.ts';
import type { ImportIds } from '../imports/import-store.ts';
import type { Instant, RevertCounts, RevertedRecord, RevertSubject } from '../shared/model.ts';

/**
 * `waiting` for the gate; `closing`: whoever began before it was closed ends; `giving`: what relies on an import that is
 * reverted gets contributions of its own; `removing` what the imports wrote; `leaving` and `opening`: whoever worked ends;
 * `opened`: what waited is sent; `done`. Nothing is removed before all is given: a record may rely on one import of a run
 * where another one of it wrote the same.
 */
export type RevertPhase = 'waiting' | 'closing' | 'giving' | 'removing' | 'leaving' | 'opening' | 'opened' | 'done';

export interface Revert {
  readonly subject: RevertSubject;
  readonly requested_at: Instant;
  readonly requested_by: number;
  /** Ids of what is reverted: one, or those of the run that had ended when it was requested. */
  readonly imports: readonly string[];
  readonly phase: RevertPhase;
  /** How many of `imports` are done in this phase. */
  readonly at: number;
  readonly counts: RevertCounts;
  /** Nothing is done before. */
  readonly until?: Instant;
  readonly completed_at?: Instant;
  /** When the watchdog looks after it; absent once it is done. */
  readonly due_at?: Instant;
  /** How often the watchdog has sent it since its last step. */
  readonly resends: number;
  /** Grows with each change. */
  readonly version: number;
}

/** What a revert does to one import, decided once. */
export interface RevertReport {
  readonly records: readonly RevertedRecord[];
  /** Positions of the records whose id is freed. */
  readonly freed: readonly number[];
}

/** A chunk that said `unchanged` because of another import. */
export interface Reliance {
  readonly import_id: string;
  readonly chunk: number;
}

export type RevertStore = ReturnType<typeof revertStore>;

const REPORT = 'report';
const { openImports } = TABLE;

export function revertStore(database: Database) {
  const read = async (subject: RevertSubject): Promise<Revert | undefined> => {
    const item = await getItem(database, keyOf(subject));
    return item && unpackRevert(subject, item);
  };
  const readReport = async ({ company_id, import_id }: ImportIds): Promise<RevertReport | undefined> => {
    const item = await getItem(database, revertReportKey(company_id, import_id));
    return item && (unpackJson(item[REPORT]) as RevertReport);
  };

  return {
    ...gateStore(database),
    read,
    readReport,

    /** Creates the revert if there is none of this subject, or this version of it is done. Returns the stored one. */
    async request(revert: Revert): Promise<Revert> {
      const { subject, imports, due_at, ...rest } = revert;
      const open = due_at !== undefined && { [openImports.partitionKey]: OPEN_IMPORTS_PARTITION, due_at };
      const item = { ...keyOf(subject), ...rest, imports: packJson(imports), ...open };
      const earlierIsDone = allOf(equals('phase', 'done'), equals('version', revert.version - 1));
      if (await putItem(database, item, anyOf(itemIsAbsent, earlierIsDone))) return revert;
      const stored = await read(subject);
      if (stored === undefined) throw new Error('A revert is missing.');
      return stored;
    },

    /** Changes the revert if nobody else did meanwhile. Returns it as it is then, or `undefined`. */
    async advance(revert: Revert, change: Partial<Revert>): Promise<Revert | undefined> {
      const { subject, imports: _, ...changed } = { ...revert, ...change, version: revert.version + 1 };
      const isDone = changed.phase === 'done';
      const set = Object.fromEntries(Object.entries(changed).filter(([name]) => !(isDone && name === 'due_at')));
      const isUnchanged = equals('version', revert.version);
      const remove = isDone ? [openImports.partitionKey, openImports.sortKey] : [];
      const moved = await updateItem(database, keyOf(subject), { set, remove, when: isUnchanged });
      return moved ? { ...revert, ...change, version: revert.version + 1 } : undefined;
    },

    /** The first report of an import is kept. Returns the stored one. */
    async putReport(ids: ImportIds, report: RevertReport): Promise<RevertReport> {
      const item = { ...revertReportKey(ids.company_id, ids.import_id), [REPORT]: compressJson(report) };
      if (await putItem(database, item, itemIsAbsent)) return report;
      const stored = await readReport(ids);
      if (stored === undefined) throw new Error('The report of a revert is missing.');
      return stored;
    },

    /** Replaces the report, which is stored: an erasure takes records out of it (§7). */
    async replaceReport({ company_id, import_id }: ImportIds, report: RevertReport): Promise<void> {
      const set = { [REPORT]: compressJson(report) };
      await updateItem(database, revertReportKey(company_id, import_id), { set, when: isPresent(TABLE.partitionKey) });
    },

    /** Notes beside each of these imports that the chunk relies on it. Harmless to repeat. */
    async putReliances(company_id: string, reliance: Reliance, reliedOn: readonly string[]): Promise<void> {
      await putItems(
        database,
        [...new Set(reliedOn)].map((import_id) => relianceKey(company_id, import_id, reliance)),
      );
    },

    async forgetReliances({ company_id, import_id }: ImportIds, reliances: readonly Reliance[]): Promise<void> {
      await deleteItems(
        database,
        reliances.map((reliance) => relianceKey(company_id, import_id, reliance)),
      );
    },

    /** The chunks that rely on an import; strongly consistent. */
    async readReliances({ company_id, import_id }: ImportIds): Promise<Reliance[]> {
      const partition = importPartition(company_id, import_id);
      const items = await queryAll(database, { partition, between: RELIANCES, strong: true });
      return items.map(({ sk }) => {
        const [, relying = '', chunk] = String(sk).split('#');
        return { import_id: relying, chunk: Number(chunk) };
      });
    },
  };
}

function keyOf(subject: RevertSubject) {
  return 'import_id' in subject
    ? importRevertKey(subject.company_id, subject.import_id)
    : runRevertKey(subject.company_id, subject.run_id);
}

/** Under this name it holds the gate. */
export function nameOf(subject: RevertSubject): string {
  return 'import_id' in subject ? `import#${subject.import_id}` : `run#${subject.run_id}`;
}

function unpackRevert(subject: RevertSubject, item: Item): Revert {
  const { requested_at, requested_by, phase, at, counts, until, completed_at, due_at, resends, version } =
    item as unknown as Revert;
  return {
    subject,
    requested_at,
    requested_by,
    imports: unpackJson(item['imports']) as string[],
    phase,
    at,
    counts,
    resends,
    version,
    ...(until !== undefined && { until }),
    ...(completed_at !== undefined && { completed_at }),
    ...(due_at !== undefined && { due_at }),
  };
}
