/** The stored parts of a revert: its own item, the report of each import, and the mark on each import. */
import { ifStored, map, number, oneOf, packedTexts, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { compressJson, packJson, unpackJson } from '../dynamodb/encoding.ts';
import { allOf, anyOf, differs, equals, isPresent } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem, updateItem, writeTogether } from '../dynamodb/items.ts';
import { TABLE, dueAt, gateKey, importKey, importRevertKey, revertReportKey, runRevertKey } from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import { freeIdentities, removeContributions } from './remove.ts';
import type { ImportIds } from '../imports/chunk-store.ts';
import { closing, gateOf } from '../jobs/gate.ts';
import { packStepped, stepStore, unpackStepped } from '../jobs/steps.ts';
import type { Stepped } from '../jobs/steps.ts';
import { holderName } from '../jobs/work.ts';
import type { ImportItem, Instant, RecordWrite, RevertCounts, RevertedRecord, RevertSubject } from '../shared/model.ts';

/**
 * The phases of a revert, as they are stored:
 *
 * | phase | effect |
 * |---|---|
 * | `waiting` | holds the gate of the company since it was requested, or waits until the one that holds it passes it on |
 * | `closing` | the fence: invocations that started before the gate was closed end |
 * | `giving` | records that are `unchanged` because of a reverted import get contributions of their own |
 * | `removing` | the contributions of the imports are removed, and the ids that no contribution holds any more are freed |
 * | `leaving` | only of a revert that a former release began: a second fence, because its invocations take no turns |
 * | `opening` | the imports are marked as reverted, and the gate is passed on or opened |
 * | `opened` | chunks that waited, and events, are sent |
 * | `done` | |
 *
 * All of `giving` comes before any of `removing`: a record may rely on one import of a run where another import of that run
 * wrote the same.
 */
const PHASES = ['waiting', 'closing', 'giving', 'removing', 'leaving', 'opening', 'opened', 'done'] as const;
export type RevertPhase = (typeof PHASES)[number];

export interface Revert extends Stepped {
  readonly subject: RevertSubject;
  readonly requested_at: Instant;
  readonly requested_by: number;
  /** Ids of the imports: one, or those of the run that had ended when the revert was requested. */
  readonly imports: readonly string[];
  readonly phase: RevertPhase;
  /** How many of `imports` are done in this phase. */
  readonly at: number;
  readonly counts: RevertCounts;
  readonly completed_at?: Instant;
  /** While it runs: only invocations that take turns have worked for it. A former release has none. */
  readonly turns?: true | undefined;
}

/** The effect of a revert on one import, decided once. */
export interface RevertReport {
  readonly records: readonly RevertedRecord[];
  /** Positions of the records whose id is freed. */
  readonly freed: readonly number[];
}

export type RevertStore = ReturnType<typeof revertStore>;

const REPORT = 'report';

export function revertStore(database: Database) {
  const stored = stepStore(database, { idsOf: ({ subject }) => subject, keyOf, pack, unpack });
  const readReport = async ({ company_id, import_id }: ImportIds): Promise<RevertReport | undefined> => {
    const item = await getItem(database, revertReportKey(company_id, import_id));
    return item && (unpackJson(item[REPORT]) as RevertReport);
  };

  return {
    ...stored,
    readReport,

    /**
     * Creates the revert if this subject has no revert, or this version of it is done. In the same write it closes the gate, or is
     * noted there: an import that is accepted after this one waits. Returns the stored one.
     */
    async request(revert: Revert): Promise<Revert> {
      const { subject } = revert;
      const { company_id } = subject;
      const earlierIsDone = allOf(equals('phase', 'done'), equals('version', revert.version - 1));
      const put = { put: itemOf(revert), when: anyOf(itemIsAbsent, earlierIsDone) };
      for (;;) {
        const gate = await gateOf(database, company_id);
        const change = closing(gate, holderName({ kind: 'revert', subject }));
        const close = change === undefined ? [] : [{ update: gateKey(company_id), change }];
        const refused = await writeTogether(database, [put, ...close]);
        if (refused === undefined) return revert;
        if (refused === 0) return present(await stored.read(subject));
      }
    },

    /** Stores a revert that is done, of an import that was reverted with its run, unless the import has one of its own. */
    async putDone(revert: Revert): Promise<void> {
      await putItem(database, itemOf(revert), itemIsAbsent);
    },

    /** The first report of an import is kept. Returns the stored one. */
    async putReport(ids: ImportIds, report: RevertReport): Promise<RevertReport> {
      const item = { ...revertReportKey(ids.company_id, ids.import_id), [REPORT]: compressJson(report) };
      if (await putItem(database, item, itemIsAbsent)) return report;
      return present(await readReport(ids));
    },

    /** Replaces the report, which is stored. */
    async replaceReport({ company_id, import_id }: ImportIds, report: RevertReport): Promise<void> {
      const set = { [REPORT]: compressJson(report) };
      await updateItem(database, revertReportKey(company_id, import_id), { set, when: isPresent(TABLE.partitionKey) });
    },

    /** Sets `reverted_at` of the import, and puts it into the index of open work until that event is sent. False if it is set. */
    markReverted({ company_id, import_id, due_at }: ImportItem, reverted_at: Instant): Promise<boolean> {
      const hasEnded = differs('status', 'processing');
      const notYetReverted = equals('reverted_at', null);
      return updateItem(database, importKey(company_id, import_id), {
        set: { reverted_at, ...dueAt(reverted_at), ...(due_at !== undefined && { end_is_owed: true }) },
        when: allOf(hasEnded, notYetReverted),
      });
    },

    /** Removes the contributions of these writes. Idempotent. */
    remove: (company_id: string, writes: readonly RecordWrite[]): Promise<void> =>
      removeContributions(database, company_id, writes),

    /** Frees the ids of these writes, each if it is still bound to its learner and course. Idempotent. */
    free: (company_id: string, writes: readonly RecordWrite[]): Promise<void> =>
      freeIdentities(database, company_id, writes),
  };
}

function present<Stored>(stored: Stored | undefined): Stored {
  if (stored === undefined) throw new Error('An item of a revert is missing.');
  return stored;
}

function itemOf(revert: Revert): Key & Item {
  return { ...keyOf(revert.subject), imports: packJson(revert.imports), ...pack(revert), ...packStepped(revert) };
}

function keyOf(subject: RevertSubject) {
  return subject.kind === 'import'
    ? importRevertKey(subject.company_id, subject.import_id)
    : runRevertKey(subject.company_id, subject.run_id);
}

const phaseOf = oneOf(PHASES);

/** `imports` is stored with the request alone: no step changes it. */
function pack({ requested_at, requested_by, at, counts, completed_at, turns }: Revert): Item {
  const ended = completed_at !== undefined && { completed_at };
  return { requested_at, requested_by, at, counts, ...ended, ...(turns === true && { turns }) };
}

function unpack(subject: RevertSubject, item: Item): Revert {
  const counts = map(item, 'counts');
  return {
    subject,
    ...unpackStepped(item),
    phase: phaseOf(item, 'phase'),
    requested_at: text(item, 'requested_at'),
    requested_by: number(item, 'requested_by'),
    imports: packedTexts(item, 'imports'),
    at: number(item, 'at'),
    counts: {
      total: number(counts, 'total'),
      reverted: number(counts, 'reverted'),
      nothing_to_revert: number(counts, 'nothing_to_revert'),
    },
    ...ifStored(item, 'completed_at', text),
    ...(item['turns'] === true && { turns: true }),
  };
}
