/** The stored parts of a revert: its own item, the report of each import, and the mark on each import. */
import { storedCreator, type StoredCreator } from '../auth/creator.ts';
import { map, members, number, oneOf, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Database, Item } from '../dynamodb/client.ts';
import { compressJson, unpackJson } from '../dynamodb/encoding.ts';
import { allOf, differs, equals, isPresent, type Condition } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem, updateItem, writeTogether } from '../dynamodb/items.ts';
import {
  TABLE,
  dueAt,
  gateKey,
  importKey,
  importRevertKey,
  revertReportKey,
  runPreviewKey,
  runRevertKey,
} from '../dynamodb/table.ts';
import type { Key } from '../dynamodb/table.ts';
import { freeIdentities, removeContributions } from './remove.ts';
import { closing, gateOf } from '../jobs/gate.ts';
import { owing } from '../jobs/owed.ts';
import { packStepped, stepStore, unpackStepped, type Stepped } from '../jobs/steps.ts';
import { holderName } from '../jobs/work.ts';
import { instant, latestOf } from '../records/instants.ts';
import type {
  ImportItem,
  Instant,
  RecordWrite,
  RevertedRecord,
  RevertSubject,
  RunRevert,
  ImportIds,
} from '../shared/model.ts';

/**
 * The phases of a revert, as they are stored; docs/architecture.md says what each does. All of `giving` comes before any of
 * `removing`: a record may rely on one import of a run where another import of that run wrote the same.
 */
const PHASES = [
  'waiting',
  'closing',
  'giving',
  'removing',
  'opening',
  'opened',
  'again',
  'previewing',
  'done',
] as const;
export type RevertPhase = (typeof PHASES)[number];

/** Its size does not depend on the number of imports. */
export interface Revert extends Stepped {
  readonly subject: RevertSubject;
  readonly requested_at: Instant;
  readonly requested_by: StoredCreator;
  /** Of a run: it takes back the imports that were accepted, and had ended, by then (`RunPart`). */
  readonly accepted_by: Instant;
  readonly ended_by: Instant;
  /** Of a run: the imports accepted by then are taken back before it is done. A later request moves it, whatever step is taken. */
  readonly covers: Instant;
  readonly phase: RevertPhase;
  readonly counts: RunRevert['counts'];
  /** Of a run: what the requests so far asked for. No step writes it. */
  readonly asked?: RunSize;
  readonly completed_at?: Instant;
}

type RunSize = Pick<RunRevert['counts'], 'imports' | 'total'>;
/** The size of what a request asks for, of imports accepted after a moment. */
export type SizeAfter = (covered: Instant) => RunSize;

/** The decision about each record of an import, and the indexes of the records whose ids are freed. */
export interface RevertReport {
  readonly records: readonly RevertedRecord[];
  readonly freed: readonly number[];
}

export type RevertStore = ReturnType<typeof revertStore>;

const REPORT = 'report';

/** The reverts of imports and runs, by their subject: one at a time for each. */
export function revertStore(database: Database) {
  const stored = stepStore(database, { idsOf: ({ subject }) => subject, keyOf, pack, unpack });
  const readReport = async (ids: ImportIds): Promise<RevertReport | undefined> => {
    const item = await getItem(database, revertReportKey(ids));
    return item && (unpackJson(item[REPORT]) as RevertReport);
  };

  /** Stores a revert if its predecessor is as it was read; in the same transaction it closes the gate or waits. */
  const begin = async (revert: Revert, earlier: Revert | undefined): Promise<Revert | undefined> => {
    const { subject } = revert;
    const next = { ...revert, version: (earlier?.version ?? -1) + 1 };
    const put = { put: itemOf(next), when: earlier === undefined ? itemIsAbsent : isStill(earlier) };
    if (subject.kind === 'preview') return (await putItem(database, put.put, put.when)) ? next : undefined;
    for (;;) {
      const gate = await gateOf(database, subject.company_id);
      const change = closing(gate, holderName({ kind: 'revert', subject }));
      const close = change === undefined ? [] : [{ update: gateKey(subject.company_id), change }];
      const refused = await writeTogether(database, [put, ...close]);
      if (refused !== 1) return refused === undefined ? next : undefined;
    }
  };

  /** Makes a running revert cover the imports accepted by then; `covers` grows, so it looks again at its end. */
  const cover = async (revert: Revert, accepted_by: Instant, sizeAfter: SizeAfter): Promise<Revert | undefined> => {
    if (revert.subject.kind !== 'run') return revert;
    const covers = latestOf([accepted_by, instant(Date.parse(revert.covers) + 1)]);
    const [known, more] = [revert.asked ?? revert.counts, sizeAfter(revert.covers)];
    const asked = { imports: known.imports + more.imports, total: known.total + more.total };
    const when = allOf(differs('phase', 'done'), equals('covers', revert.covers));
    const isCovered = await updateItem(database, keyOf(revert.subject), { set: { covers, asked }, when });
    return isCovered ? { ...revert, covers, asked } : undefined;
  };

  return {
    ...stored,
    readReport,

    /** Creates the revert if there is none or the run's is done, closing the gate in the same write; or covers it. */
    async request(revert: Revert, sizeAfter: SizeAfter = NOTHING_MORE): Promise<Revert> {
      for (;;) {
        const earlier = await stored.read(revert.subject);
        const isNew = earlier === undefined || (earlier.phase === 'done' && earlier.subject.kind !== 'import');
        const requested = isNew ? await begin(revert, earlier) : await cover(earlier, revert.covers, sizeAfter);
        if (requested !== undefined) return requested;
      }
    },

    /** Ends a revert; a run owes a notice of it. Returns `undefined` if a step was taken, or another request is covered, since it was read. */
    finish(revert: Revert, completed_at: Instant): Promise<Revert | undefined> {
      const owed = revert.subject.kind === 'run' ? owing(revert, 'Run Reverted', completed_at) : {};
      const done = { phase: 'done', completed_at, until: undefined, ...owed } as const;
      return stored.advance(revert, done, equals('covers', revert.covers));
    },

    /** Stores a revert that is done, of an import that was reverted with its run, unless the import has one of its own. */
    async putDone(revert: Revert): Promise<void> {
      await putItem(database, itemOf(revert), itemIsAbsent);
    },

    /** The first report of an import is kept. Returns the stored one. */
    async putReport(ids: ImportIds, report: RevertReport): Promise<RevertReport> {
      const item = { ...revertReportKey(ids), [REPORT]: compressJson(report) };
      if (await putItem(database, item, itemIsAbsent)) return report;
      const stored = await readReport(ids);
      if (stored === undefined) throw new Error('The report of a revert is missing.');
      return stored;
    },

    async replaceReport(ids: ImportIds, report: RevertReport): Promise<void> {
      const set = { [REPORT]: compressJson(report) };
      await updateItem(database, revertReportKey(ids), { set, when: isPresent(TABLE.partitionKey) });
    },

    /** Sets `reverted_at` of the import, and puts it into the index of open work until that event is sent. False if it is set. */
    markReverted(item: ImportItem, reverted_at: Instant): Promise<boolean> {
      const hasEnded = differs('status', 'processing');
      const notYetReverted = equals('reverted_at', null);
      return updateItem(database, importKey(item), {
        set: { reverted_at, ...dueAt(reverted_at), ...(item.due_at !== undefined && { end_is_owed: true }) },
        when: allOf(hasEnded, notYetReverted),
      });
    },

    remove: (company_id: string, writes: readonly RecordWrite[]): Promise<void> =>
      removeContributions(database, company_id, writes),

    free: (company_id: string, writes: readonly RecordWrite[]): Promise<void> =>
      freeIdentities(database, company_id, writes),
  };
}

/** No step was taken since it was read, and it covers no further request. */
const isStill = ({ version, covers }: Revert): Condition => allOf(equals('version', version), equals('covers', covers));

function itemOf(revert: Revert): Key & Item {
  const { subject, covers, asked } = revert;
  return { ...keyOf(subject), covers, ...(asked && { asked }), ...pack(revert), ...packStepped(revert) };
}

function keyOf(subject: RevertSubject): Key {
  if (subject.kind === 'import') return importRevertKey(subject);
  return subject.kind === 'run' ? runRevertKey(subject) : runPreviewKey(subject);
}

/** Without `covers` and `asked`, which no step writes. */
function pack({ requested_at, requested_by, accepted_by, ended_by, counts, completed_at }: Revert): Item {
  return {
    requested_at,
    requested_by,
    accepted_by,
    ended_by,
    counts,
    ...(completed_at !== undefined && { completed_at }),
  };
}

const REVERT = {
  phase: oneOf(PHASES),
  requested_at: text,
  requested_by: storedCreator,
  accepted_by: text,
  ended_by: text,
  covers: text,
};

function unpack(subject: RevertSubject, item: Item): Revert {
  return {
    subject,
    ...unpackStepped(item),
    ...members(item, REVERT),
    counts: members(map(item, 'counts'), { ...SIZE, reverted: number, nothing_to_revert: number }),
    ...storedMembers(item, { asked: (of, name) => members(map(of, name), SIZE), completed_at: text }),
  };
}

const NOTHING_MORE: SizeAfter = () => ({ imports: 0, total: 0 });
const SIZE = { imports: number, total: number };
