import { contentHash } from './identity.ts';
import type { StagedChunk } from './import-store.ts';
import { loadReferences } from './references.ts';
import { learnerCourseId } from '../records/identifiers.ts';
import { contributionBytes } from '../records/pair-limits.ts';
import type { ParsedRecord } from '../records/parse.ts';
import { parseRecord } from '../records/parse.ts';
import { planDuplicate, planOversized, planProcessingFailed, planRecord } from '../records/plan.ts';
import type { EarlierInChunk } from '../records/plan.ts';
import { referencesOf, resolveRecord } from '../records/resolve.ts';
import type { Resolution } from '../records/resolve.ts';
import { METRIC } from '../runtime/metric-names.ts';
import type { ImportStores } from './references.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { Instant, LearnerCourse, Plan, PlannedRecord, RecordWrite } from '../shared/model.ts';

export interface PlanScope {
  readonly company_id: string;
  readonly import_id: string;
  /** The import's `created_at`, which missing dates default to. */
  readonly imported_at: Instant;
  /** A dry run claims no identity, so it reads what the real run would meet. */
  readonly dry_run: boolean;
}

export interface PlanningServices {
  readonly stores: ImportStores;
  readonly rules: RecordRules;
  /** Told of each record that made a rule throw; the record is `processing_failed`, the others go on (rule 13). */
  readonly onPoison: (index: number, error: unknown) => void;
}

/** A record on its way to its decision. */
interface Draft {
  readonly raw: unknown;
  readonly index: number;
  parsed?: ParsedRecord;
  resolution?: Resolution;
  decided?: PlannedRecord;
}

/**
 * Decides about every record of a chunk (§4.3): reads what the records refer to in batches, then applies the pure rules.
 * Writes nothing. Throws only where a read fails: a rule that throws would throw again, so that record is decided at once.
 */
export async function planChunk(chunk: StagedChunk, scope: PlanScope, services: PlanningServices): Promise<Plan> {
  const { rules, stores } = services;
  const drafts = draftsOf(chunk);
  const eachUndecided = (rule: (draft: Draft) => void) => {
    for (const draft of drafts) if (draft.decided === undefined) attempt(draft, rule, services.onPoison);
  };

  eachUndecided((draft) => {
    draft.parsed = rules.parse(draft.raw, draft.index);
  });
  const wanted = drafts.flatMap(({ parsed }) => (parsed === undefined ? [] : [referencesOf(parsed)]));
  const references = await loadReferences(scope.company_id, wanted, stores);
  eachUndecided((draft) => {
    if (draft.parsed) draft.resolution = rules.resolve(draft.parsed, references);
  });

  const [courseHistories, identities] = await Promise.all([
    stores.progress.courseHistories(scope.company_id, drafts.flatMap(pairOf)),
    scope.dry_run
      ? stores.progress.identities(scope.company_id, drafts.flatMap(idOf))
      : new Map<string, LearnerCourse>(),
  ]);
  const added = new Map<string, EarlierInChunk>();
  eachUndecided((draft) => {
    if (!draft.parsed || !draft.resolution) return;
    const key = pairOf(draft).map(learnerCourseId).join('');
    const heldBy = identities.get(draft.parsed.external_record_id ?? '');
    const earlierInChunk = added.get(key);
    const context = {
      ...scope,
      hash: contentHash,
      ...(heldBy && { heldBy }),
      ...(earlierInChunk && { earlierInChunk }),
    };
    draft.decided = rules.plan(draft.parsed, draft.resolution, courseHistories.get(key), context);
    if (draft.decided.write) added.set(key, withWrite(earlierInChunk, draft.decided.write));
  });
  return {
    records: chunk.records,
    planned: drafts.map(({ decided, raw, index }) => decided ?? planProcessingFailed(raw, index)),
  };
}

/** What the text of the batch decides alone is decided already. */
function draftsOf({ first_index, records, duplicates, oversized }: StagedChunk): Draft[] {
  return records.map((raw, offset) => {
    const index = first_index + offset;
    if (duplicates.includes(index)) return { raw, index, decided: planDuplicate(raw, index) };
    if (oversized.includes(index)) return { raw, index, decided: planOversized(raw, index) };
    return { raw, index };
  });
}

/** Turns an exception of a rule into that record's own `processing_failed`. */
function attempt(draft: Draft, rule: (draft: Draft) => void, onPoison: PlanningServices['onPoison']): void {
  try {
    rule(draft);
  } catch (error) {
    onPoison(draft.index, error);
    draft.decided = planProcessingFailed(draft.raw, draft.index);
  }
}

/** Records of one chunk that add to the same pair share its limits (rule 12). */
function withWrite(
  before: EarlierInChunk = { contributions: 0, bytes: 0 },
  { contribution }: RecordWrite,
): EarlierInChunk {
  return { contributions: before.contributions + 1, bytes: before.bytes + contributionBytes(contribution) };
}

function pairOf({ resolution }: Draft): LearnerCourse[] {
  if (!resolution?.user || !resolution.course) return [];
  return [{ user_id: resolution.user.user_id, platform_course_id: resolution.course.platform_course_id }];
}

function idOf({ parsed }: Draft): string[] {
  return parsed?.external_record_id ? [parsed.external_record_id] : [];
}

/** The pure rules that decide about a record, as an argument, so that a test can put a throwing one in their place. */
export interface RecordRules {
  readonly parse: typeof parseRecord;
  readonly resolve: typeof resolveRecord;
  readonly plan: typeof planRecord;
}

export const RECORD_RULES: RecordRules = { parse: parseRecord, resolve: resolveRecord, plan: planRecord };

/** What planning needs of a handler's services; a record that makes a rule throw is counted, never shown. */
export function planningServices({
  stores,
  telemetry,
  rules,
}: {
  readonly stores: ImportStores;
  readonly telemetry: Telemetry;
  readonly rules?: RecordRules;
}): PlanningServices {
  return {
    stores,
    rules: rules ?? RECORD_RULES,
    onPoison: (index, error) => {
      telemetry.count(METRIC.recordsProcessingFailed);
      telemetry.error('a rule threw on a record', withoutMessage(error), { index });
    },
  };
}

/** A message may quote the record; where it was thrown says enough. */
function withoutMessage(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return Object.assign(new Error(), { name: error.name, stack: error.stack?.replace(error.message, '') });
}
