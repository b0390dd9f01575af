import { pairKey } from '../domain/join.ts';
import type { Instant, Pair, Plan, PlannedRecord } from '../domain/model.ts';
import type { ParsedRecord } from '../domain/parse-record.ts';
import { planDuplicate, planProcessingFailed } from '../domain/plan-record.ts';
import { referencesOf, type Resolution } from '../domain/resolution.ts';
import { sha256 } from './import-identity.ts';
import { loadReferences } from './load-references.ts';
import type { StagedChunk, Stores } from './ports.ts';
import type { RecordRules } from './record-rules.ts';

export interface PlanScope {
  readonly company_id: string;
  readonly import_id: string;
  /** The import's `created_at`, which missing dates default to. */
  readonly imported_at: Instant;
  /** A dry run claims no identity, so it reads what the real run would meet. */
  readonly dry_run: boolean;
}

export interface PlanningServices {
  readonly stores: Stores;
  readonly rules: RecordRules;
  /** Told of each record that made a rule throw; the record is `processing_failed`, the others go on (rule 13). */
  readonly onPoison: (index: number, error: unknown) => void;
}

type Step = { readonly raw: unknown; readonly index: number } & (
  | { readonly decided: PlannedRecord }
  | { readonly parsed: ParsedRecord; readonly resolution?: Resolution }
);

/**
 * Decides about every record of a chunk (§4.3): reads what the records refer to in batches, then applies the pure rules.
 * Writes nothing. Throws only where a read fails: a rule that throws would throw again, so that record is decided at once.
 */
export async function planChunk(chunk: StagedChunk, scope: PlanScope, services: PlanningServices): Promise<Plan> {
  const { rules, stores } = services;
  const attempt = guard(services.onPoison);
  const duplicates = new Set(chunk.duplicates);
  const parsed = chunk.records.map((raw, offset): Step => {
    const index = chunk.first_index + offset;
    if (duplicates.has(index)) return { raw, index, decided: planDuplicate(raw, index) };
    return attempt({ raw, index }, () => ({ raw, index, parsed: rules.parse(raw, index) }));
  });

  const references = await loadReferences(scope.company_id, parsed.flatMap(wantedBy), stores);
  const resolved = parsed.map((step) =>
    'decided' in step ? step : attempt(step, () => ({ ...step, resolution: rules.resolve(step.parsed, references) })),
  );

  const [learnerCourses, identities] = await Promise.all([
    stores.progress.learnerCourses(scope.company_id, resolved.flatMap(pairOf)),
    scope.dry_run ? stores.progress.identities(scope.company_id, resolved.flatMap(idOf)) : new Map<string, Pair>(),
  ]);
  const planned = resolved.map((step) => {
    if ('decided' in step) return step.decided;
    const decided = attempt(step, () => {
      const [pair] = pairOf(step);
      const [id] = idOf(step);
      const heldBy = id === undefined ? undefined : identities.get(id);
      const context = { ...scope, hash: sha256, ...(heldBy === undefined ? {} : { heldBy }) };
      const stored = pair && learnerCourses.get(pairKey(pair));
      return { ...step, decided: rules.plan(step.parsed, step.resolution ?? { problems: [] }, stored, context) };
    });
    return 'decided' in decided ? decided.decided : planProcessingFailed(step.raw, step.index);
  });
  return { records: chunk.records, planned };
}

/** Turns an exception of a rule into that record's own `processing_failed`. */
function guard(onPoison: PlanningServices['onPoison']) {
  return <T extends Step>(
    step: { raw: unknown; index: number },
    rule: () => T,
  ): T | (Step & { decided: PlannedRecord }) => {
    try {
      return rule();
    } catch (error) {
      onPoison(step.index, error);
      return { raw: step.raw, index: step.index, decided: planProcessingFailed(step.raw, step.index) };
    }
  };
}

function wantedBy(step: Step) {
  return 'decided' in step ? [] : [referencesOf(step.parsed)];
}

function pairOf(step: Step): Pair[] {
  if ('decided' in step || !step.resolution?.user || !step.resolution.course) return [];
  const { user, course } = step.resolution;
  return [{ user_id: user.user_id, platform_course_id: course.platform_course_id }];
}

function idOf(step: Step): string[] {
  return 'decided' in step || step.parsed.external_record_id === null ? [] : [step.parsed.external_record_id];
}
