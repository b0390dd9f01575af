import type { CourseMemory } from '../catalog/course-memory.ts';
import { recordHash } from '../runtime/content-hash.ts';
import { loadReferences } from '../catalog/references.ts';
import type { ImportServices, PlanningStores } from './services.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { parseRecord, type ParsedRecord } from '../records/parse.ts';
import { mayDiffer } from '../records/folded.ts';
import { historyBefore, planRecord, type HistoryBefore, type PlanContext } from '../records/plan.ts';
import { referencesOf, resolveRecord, type Resolution } from '../records/resolve.ts';
import { decidedAsStaged, type StagedChunk } from '../records/staged.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { CourseHistory, LearnerCourse, Plan, PlannedRecord, RecordWrite } from '../shared/model.ts';
import { DRY_RUN_DAYS, PLANNED_DAYS } from '../shared/limits.ts';
import type { PreparedChunk } from './batch.ts';
import { PROCESSING_FAILED, outcomesIn, rejectedRecord, summarise } from '../records/result.ts';

/** The import of a chunk; `mayBeOvertaken` is absent in a dry run. */
type PlanScope = Omit<PlanContext, 'hash' | 'boundTo'> &
  Required<Pick<PlanContext, 'dry_run' | 'replace'>> & { readonly company_id: string };

interface Draft {
  readonly raw: unknown;
  readonly index: number;
  parsed?: ParsedRecord;
  resolution?: Resolution;
  decided?: PlannedRecord;
}

/** Reads what records name in batches, then applies pure rules; one that throws is `processing_failed` (rule 13). */
export async function planChunk(
  chunk: StagedChunk,
  scope: PlanScope,
  services: Pick<ImportServices, 'telemetry'> & { readonly stores: PlanningStores; readonly memory?: CourseMemory },
): Promise<Plan> {
  const { telemetry } = services;
  const drafts = draftsOf(chunk);
  const eachUndecided = (rule: (draft: Draft) => void) => {
    for (const draft of drafts) if (draft.decided === undefined) attempt(draft, rule, telemetry);
  };

  eachUndecided((draft) => {
    const parsed = parseRecord(draft.raw, draft.index);
    // The members that were ignored are not stored.
    const warning = chunk.ignored?.[draft.index];
    draft.parsed = warning === undefined ? parsed : { ...parsed, ignored: [warning] };
  });
  const wanted = drafts.flatMap(({ parsed }) => (parsed === undefined ? [] : [referencesOf(parsed)]));
  const references = await loadReferences(scope, wanted, services);
  eachUndecided((draft) => {
    if (draft.parsed) draft.resolution = resolveRecord(draft.parsed, references);
  });

  const namesOver = ({ index }: Draft) =>
    scope.plan_id === undefined || chunk.expected?.[index - chunk.first_index]?.includes(' ') === true;
  await decideByHistories(drafts, { ...scope, namesOver }, services);
  return {
    records: chunk.records,
    planned: drafts.map(({ decided, raw, index }) => decided ?? rejectedRecord(raw, index, PROCESSING_FAILED)),
  };
}

interface HistoryScope extends PlanScope {
  /** Whether what the record is over is compared or kept (§4.11). */
  readonly namesOver: (draft: Draft) => boolean;
}

/** Decides by folded histories; where these may decide otherwise than whole ones, by those. A slice is in memory at a time. */
async function decideByHistories(
  drafts: readonly Draft[],
  scope: HistoryScope,
  { stores: { progress }, telemetry }: Pick<ImportServices, 'telemetry'> & { readonly stores: PlanningStores },
): Promise<void> {
  const decide = async (some: readonly Draft[], histories: ReadonlyMap<string, CourseHistory | undefined>) => {
    // An id that the history of its pair has is bound to that pair: its identity need not be read.
    const unknownIds = some.flatMap((draft) => idOf(draft).filter((id) => !isIn(histories.get(pairIdOf(draft)), id)));
    // A dry run claims no identity, so it reads the identities that the real run would find.
    const identities =
      scope.dry_run && unknownIds.length > 0
        ? await progress.identities(scope.company_id, unknownIds)
        : new Map<string, LearnerCourse>();
    const before = new Map<string, HistoryBefore>();
    for (const draft of some) {
      attempt(
        draft,
        ({ parsed, resolution }) => {
          if (!parsed || !resolution) return;
          const boundTo = identities.get(parsed.external_record_id ?? '');
          const context = { ...scope, hash: recordHash, ...(boundTo && { boundTo }) };
          const pair = pairIdOf(draft);
          const ofPair = before.get(pair) ?? historyBefore(scope.import_id, histories.get(pair));
          before.set(pair, ofPair);
          draft.decided = planRecord(parsed, resolution, ofPair, context);
        },
        telemetry,
      );
    }
  };
  const mayDecideOtherwise = (draft: Draft, history: CourseHistory | undefined): boolean => {
    if (history === undefined || draft.decided === undefined) return false;
    const { over, ...decided } = draft.decided;
    const compared = over !== undefined && scope.namesOver(draft) ? { ...decided, over } : decided;
    return mayDiffer(history, compared, scope.plan_id);
  };

  const undecided = drafts.filter(({ decided }) => decided === undefined);
  const withoutPair = undecided.filter((draft) => pairOf(draft).length === 0);
  if (withoutPair.length > 0) await decide(withoutPair, new Map());
  let open = undecided.filter((draft) => pairOf(draft).length > 0);
  for (const planned of [scope, undefined]) {
    const again: Draft[] = [];
    for await (const slice of progress.historiesInSlices(scope.company_id, open.flatMap(pairOf), planned)) {
      const histories = new Map(slice.map(([pair, history]) => [learnerCourseId(pair), history]));
      const ofSlice = open.filter((draft) => histories.has(pairIdOf(draft)));
      await decide(ofSlice, histories);
      again.push(...ofSlice.filter((draft) => mayDecideOtherwise(draft, histories.get(pairIdOf(draft)))));
    }
    open = again;
  }
}

function draftsOf(chunk: StagedChunk): Draft[] {
  return chunk.records.map((raw, offset) => {
    const index = chunk.first_index + offset;
    const decided = decidedAsStaged(chunk, raw, index);
    return { raw, index, ...(decided && { decided }) };
  });
}

/** Turns an exception of a rule into that record's own `processing_failed`. */
function attempt(draft: Draft, rule: (draft: Draft) => void, telemetry: Telemetry): void {
  try {
    rule(draft);
  } catch (error) {
    telemetry.count('RecordsProcessingFailed');
    telemetry.error('A rule threw on a record.', withoutMessage(error), { index: draft.index });
    draft.decided = rejectedRecord(draft.raw, draft.index, PROCESSING_FAILED);
  }
}

/** The message is dropped because it may quote the record; the stack names the place. */
function withoutMessage(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return Object.assign(new Error(), { name: error.name, stack: error.stack?.replace(error.message, '') });
}

function pairOf({ resolution }: Draft): LearnerCourse[] {
  if (!resolution?.user || !resolution.course) return [];
  return [{ user_id: resolution.user.user_id, platform_course_id: resolution.course.platform_course_id }];
}

const pairIdOf = (draft: Draft): string => pairOf(draft).map(learnerCourseId).join();

function isIn(history: CourseHistory | undefined, id: string): boolean {
  return history?.contributions.some(({ external_record_id }) => external_record_id === id) === true;
}

function idOf({ parsed }: Draft): string[] {
  return parsed?.external_record_id ? [parsed.external_record_id] : [];
}

export function writesOf(plans: readonly Plan[]): RecordWrite[] {
  return plans.flatMap(({ planned }) => planned.flatMap(({ write }) => (write === undefined ? [] : [write])));
}

/** `attempt_id`: the report is stored under it: of two that race, the one whose import item is committed counts. */
type DryRun = Omit<PlanScope, 'dry_run' | 'mayBeOvertaken'> & { readonly attempt_id: string };

/** Plans the whole batch at once and stores the report (§4.5). It waits for `admitted` before anything is stored. */
export async function storeDryRun(
  chunks: readonly PreparedChunk[],
  { attempt_id, ...scope }: DryRun,
  { stores, telemetry }: Pick<ImportServices<'imports'>, 'stores' | 'telemetry'> & { readonly stores: PlanningStores },
  admitted: Promise<unknown>,
) {
  const planned = planChunk(wholeBatch(chunks), { ...scope, dry_run: true }, { stores, telemetry });
  const [plan] = await Promise.all([planned, admitted]);
  const plans = chunks.map(({ chunk }) => partOf(plan, chunk));
  const days = scope.mayBePlanned === true ? PLANNED_DAYS : DRY_RUN_DAYS;
  await stores.imports.putReport(scope, attempt_id, plans, days);
  return {
    reported: plan.planned.map(({ result }, at) => ({ result, record: plan.records[at] })),
    summaries: Object.fromEntries(plans.map((part, chunk) => [chunk, { ...summarise(part), ...outcomesIn(part) }])),
  };
}

function wholeBatch(chunks: readonly PreparedChunk[]): StagedChunk {
  const all = chunks.map(({ chunk }) => chunk);
  return {
    first_index: 0,
    records: all.flatMap(({ records }) => records),
    duplicates: all.flatMap(({ duplicates }) => duplicates),
    oversized: all.flatMap(({ oversized }) => oversized),
    ignored: Object.assign({}, ...all.map(({ ignored }) => ignored)),
  };
}

function partOf({ records, planned }: Plan, { first_index, records: { length } }: StagedChunk): Plan {
  const end = first_index + length;
  return { records: records.slice(first_index, end), planned: planned.slice(first_index, end) };
}
