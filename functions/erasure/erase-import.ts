/** The erasure of a person from one import (§13.2). Every step may be repeated: erased records stay as they are. */
import type { ErasedChunk, ErasureStore } from './store.ts';
import type { ArchiveStore } from '../imports/archive.ts';
import type { ImportStore } from '../imports/import-store.ts';
import type { RevertingStores } from '../reverts/work.ts';
import type { Archived } from '../records/archived.ts';
import { aboutPerson, erasedResult, idsSpelledLike, namesIn, withoutHolder } from '../records/person.ts';
import type { IsAbout, Person } from '../records/person.ts';
import { joinedPlan, namelessWithout, type Nameless } from '../records/nameless.ts';
import { overridden } from '../records/result.ts';
import type { StagedChunk } from '../records/staged.ts';
import type { ChunkSummary, ImportItem, Plan } from '../shared/model.ts';

interface Reading {
  readonly imports: Pick<ImportStore, 'readPlans' | 'readPayloads' | 'readNameless'>;
  readonly archive: Pick<ArchiveStore, 'readStored'>;
}

export type EraseStores = RevertingStores & {
  readonly erasures: ErasureStore;
  readonly archive: Pick<ArchiveStore, 'readStored' | 'replaceArchived'>;
};

export type StoredChunk = ErasedChunk & { readonly chunk: number; readonly archived: Archived };

/** All that is stored of the chunks of an import, also what has expired and is not deleted yet. */
export async function chunksOf(item: ImportItem, { imports, archive }: Reading): Promise<StoredChunk[]> {
  const { company_id, import_id, dry_run, chunks, summaries, archived_until } = item;
  const kept = archived_until === undefined ? [] : [...chunks.keys()].map((chunk) => ({ import_id, chunk }));
  const hashes = dry_run ? [] : chunks.map(({ payload_hash }) => payload_hash);
  const [plans, payloads, apart, archived] = await Promise.all([
    imports.readPlans(item, [...chunks.keys()]),
    imports.readPayloads(item, hashes),
    imports.readNameless(item, [...chunks.keys()]),
    archive.readStored(company_id, kept),
  ]);
  return chunks.map((_, chunk) => ({
    chunk,
    plan: plans[chunk] && joinedPlan(plans[chunk], apart[chunk]),
    payload: payloads[chunk],
    nameless: apart[chunk],
    archived: archived[chunk]?.archived ?? {},
    summary: summaries[chunk],
  }));
}

/** Further names of the person in the records of an import: other addresses, other spellings of ids. */
export async function namesInImport(item: ImportItem, person: Person, stores: Reading) {
  const isAbout = aboutPerson(person);
  const spelledLike = idsSpelledLike(person);
  const emails: string[] = [];
  const external_ids: string[] = [];
  for (const { plan, payload, archived } of await chunksOf(item, stores)) {
    const records = (plan ?? payload)?.records.map((raw, offset) => [raw, plan?.planned[offset]] as const) ?? [];
    const kept = Object.values(archived).map(({ record }) => [record, undefined] as const);
    for (const [raw, planned] of [...records, ...kept]) {
      external_ids.push(...spelledLike(raw, planned));
      if (!isAbout(raw, planned)) continue;
      const names = namesIn(raw, planned);
      emails.push(...names.emails);
      external_ids.push(...names.external_ids);
    }
  }
  return { emails, external_ids };
}

/**
 * Removes the person's records from payloads, plans, report and archive. First it frees the ids that they claimed: only the plan
 * names a claim without a contribution. The archive is last: only there may a record be left to find. Returns how many were erased.
 */
export async function eraseFromImport(item: ImportItem, person: Person, stores: EraseStores): Promise<number> {
  const isAbout = aboutPerson(person);
  const chunks = await chunksOf(item, stores);
  const erased = new Set<number>();
  let records = 0;
  let namelessHolders = 0;
  for (const stored of chunks) {
    const left = leftOf(stored, person, isAbout);
    await stores.reverts.free(item.company_id, left.writes);
    await stores.erasures.replaceChunk(item, stored.chunk, left);
    for (const index of left.erased) erased.add(index);
    const gone = Object.keys(stored.archived).filter((index) => left.isArchivedTheirs(Number(index)));
    if (gone.length > 0)
      await stores.archive.replaceArchived(item, stored.chunk, stored.archived, without(stored.archived, gone));
    records += left.records + gone.length;
    namelessHolders += holdersErased(left.summary ?? stored.summary);
  }
  await eraseFromReport(item, erased, stores);
  const changed = erased.size + namelessHolders;
  if (changed !== (item.changed_results ?? 0)) {
    const { company_id, import_id, run_id } = item;
    if (item.dry_run && run_id !== null) await stores.erasures.markPlans({ company_id, run_id, import_id });
    await stores.erasures.noteChangedResults(item, changed);
  }
  return records;
}

const holdersErased = (summary: ChunkSummary | undefined): number =>
  summary?.conflict.filter(([, holder]) => holder === null).length ?? 0;

const NOTHING = { erased: [], writes: [], records: 0 };

const without = (archived: Archived, gone: readonly string[]): Archived =>
  Object.fromEntries(Object.entries(archived).filter(([index]) => !gone.includes(index)));

function leftOf({ plan, payload, nameless, summary, archived }: StoredChunk, person: Person, isAbout: IsAbout) {
  // What was kept for less time than the archive does not say any more whose it was.
  const isArchivedTheirs = (index: number) => isAbout(archived[index]?.record ?? null);
  const isPlanned: IsAbout = (raw, planned) =>
    isAbout(raw, planned) || (planned !== undefined && isArchivedTheirs(planned.result.index));
  const left = plan && withoutRecords(plan, person, isPlanned, summary);
  const inPayload =
    payload &&
    withoutStaged(
      payload,
      person,
      (raw, offset) => isErasedAt(left?.plan, offset) || isAbout(raw, plan?.planned[offset]),
    );
  const inNameless = nameless && withoutPerson(nameless, left?.plan, isAbout);
  const summarised = summary && withoutHolderIn(summary, person.user_id);
  const { erased, writes, records } = left ?? NOTHING;
  const changed = left?.isChanged === true ? left.plan : undefined;
  return {
    erased,
    writes,
    records,
    plan: changed,
    payload: inPayload,
    nameless: inNameless,
    summary: summarised,
    isArchivedTheirs,
  };
}

/** Another plan may be stored than the one that this was written with, so each of its records is looked at. */
const withoutPerson = (nameless: Nameless, plan: Plan | undefined, isAbout: IsAbout) =>
  namelessWithout(
    nameless,
    (raw, planned, offset) => isErasedAt(plan, offset) || isAbout(raw, plan?.planned[offset] ?? planned),
  );

const isErasedAt = (plan: Plan | undefined, offset: number) => plan?.planned[offset]?.result.erased === true;

/** The plan without the person's records. `erased`: positions of all that are erased in it, by now or before. */
function withoutRecords(plan: Plan, { user_id }: Person, isAbout: IsAbout, summary: ChunkSummary | undefined) {
  const isTheirs = plan.planned.map(
    (planned, offset) => planned.result.erased !== true && isAbout(plan.records[offset], planned),
  );
  const planned = plan.planned.map((each, offset) => {
    if (isTheirs[offset] !== true) {
      const result = withoutHolder(each.result, user_id);
      return result === each.result ? each : { ...each, result };
    }
    return { result: erasedResult(summary === undefined ? each.result : overridden(each.result, summary)) };
  });
  return {
    plan: { ...plan, records: plan.records.map((raw, offset) => (isTheirs[offset] === true ? null : raw)), planned },
    isChanged: planned.some((each, offset) => each !== plan.planned[offset]),
    erased: planned.flatMap(({ result }) => (result.erased ? [result.index] : [])),
    writes: plan.planned.flatMap(({ write }, offset) => (write && isTheirs[offset] === true ? [write] : [])),
    records: isTheirs.filter(Boolean).length,
  };
}

function withoutStaged(payload: StagedChunk, { user_id }: Person, isTheirs: (raw: unknown, offset: number) => boolean) {
  const { records, first_index, erased = [], rejected = {} } = payload;
  const found = records.flatMap((raw, offset) =>
    !erased.includes(first_index + offset) && isTheirs(raw, offset) ? [offset] : [],
  );
  // What a plan rejected may name the person as the holder of an id.
  const results = Object.entries(rejected).map(([index, result]) => [index, withoutHolder(result, user_id)] as const);
  const isNamed = results.some(([index, result]) => result !== rejected[Number(index)]);
  if (found.length === 0 && !isNamed) return undefined;
  const isKept = ([index]: readonly [string, unknown]) => !found.includes(Number(index) - first_index);
  const kept = Object.entries(payload.ignored ?? {}).filter(isKept);
  const without = <T>(list: readonly T[], left: T) => list.map((each, at) => (found.includes(at) ? left : each));
  return {
    ...payload,
    ...(payload.ignored && { ignored: Object.fromEntries(kept) }),
    ...(payload.rejected && { rejected: Object.fromEntries(results.filter(isKept)) }),
    ...(payload.expected && { expected: without(payload.expected, '') }),
    records: without(records, null),
    erased: [...erased, ...found.map((offset) => first_index + offset)],
  };
}

function withoutHolderIn(summary: ChunkSummary, user_id: number): ChunkSummary | undefined {
  if (!summary.conflict.some(([, holder]) => holder === user_id)) return undefined;
  const conflict = summary.conflict.map(
    ([index, holder, course]) => [index, holder === user_id ? null : holder, course] as const,
  );
  return { ...summary, conflict };
}

async function eraseFromReport(item: ImportItem, erased: ReadonlySet<number>, { reverts }: RevertingStores) {
  if (item.dry_run || erased.size === 0) return;
  const report = await reverts.readReport(item);
  const isTheirs = ({ index, erased: isErased }: { index: number; erased?: true | undefined }) =>
    erased.has(index) && isErased !== true;
  if (report?.records.some(isTheirs) !== true) return;
  const records = report.records.map((each) =>
    isTheirs(each) ? { ...each, external_record_id: null, progress: null, erased: true as const } : each,
  );
  await reverts.replaceReport(item, { ...report, records });
}
