import { contributionOf } from './contribution.ts';
import { effectiveProgress, pairKey } from './join.ts';
import type { JudgedProgress } from './judge-progress.ts';
import type { Contribution, LearnerCourse, Pair, PlannedRecord } from './model.ts';
import { nativeProgressKept } from './native-progress-kept.ts';
import { type Held, pairLimitProblems, replacedBy } from './pair-limits.ts';
import type { ParsedRecord } from './parse-record.ts';
import type { PlanContext } from './plan-record.ts';
import { recordContent } from './record-content.ts';
import { conflictResult, errorResult, successResult } from './record-result.ts';
import { unknownFieldWarning } from './unknown-members.ts';

/** A record without problems of its own, and the (user, course) pair it belongs to. */
export interface SoundRecord {
  readonly external_record_id: string;
  readonly parsed: ParsedRecord;
  readonly judged: JudgedProgress;
  readonly pair: Pair;
}

/**
 * What a sound record does to its pair (rule 12): known with the same content it is `unchanged` and nothing is written, known
 * with other content it is `updated`, else it is `applied`; unless the pair is full, or the id is bound to another pair.
 */
export function planAccepted(
  sound: SoundRecord,
  stored: LearnerCourse | undefined,
  context: PlanContext,
): PlannedRecord {
  const { parsed, judged, pair } = sound;
  const native = stored?.native ?? null;
  const known = (stored?.contributions ?? []).filter(({ import_id }) => import_id !== context.import_id);
  const ofThisRecord = known.filter(({ external_record_id }) => external_record_id === sound.external_record_id);
  const contribution = newContribution(sound, context);
  const warnings = [
    ...judged.warnings,
    ...nativeProgressKept(native, judged),
    ...unknownFieldWarning(parsed.unknown_members),
  ];

  if (ofThisRecord.some(({ content_hash }) => content_hash === contribution.content_hash)) {
    return { result: successResult(parsed, 'unchanged', warnings, pair, effectiveProgress(native, known)) };
  }
  const isFirst = ofThisRecord.length === 0;
  const progress = effectiveProgress(native, [...known, contribution]);
  const result = successResult(parsed, isFirst ? 'applied' : 'updated', warnings, pair, progress);
  const replaced = replacedBy(contribution, known);
  const beyondLimits = pairLimitProblems(contribution, replaced, heldAlready(known, stored, context));
  if (beyondLimits.length > 0) return { result: errorResult(parsed, beyondLimits) };
  if (isBoundElsewhere(context.heldBy, pair)) return { result: conflictResult(result, context.heldBy) };

  const replaces = replaced.map(({ import_id, index }) => ({ import_id, index }));
  return { result, write: { ...pair, claim: isFirst, contribution, replaces, exists: stored !== undefined } };
}

function newContribution(
  { external_record_id, parsed, judged, pair }: SoundRecord,
  context: PlanContext,
): Contribution {
  const { import_id, imported_at } = context;
  const content_hash = context.hash(recordContent(parsed, pair));
  return contributionOf({ external_record_id, parsed, judged, import_id, imported_at, content_hash });
}

function isBoundElsewhere(heldBy: Pair | undefined, pair: Pair): heldBy is Pair {
  return heldBy !== undefined && pairKey(heldBy) !== pairKey(pair);
}

function heldAlready(
  known: readonly Contribution[],
  stored: LearnerCourse | undefined,
  { alongside }: PlanContext,
): Held {
  return {
    contributions: known.length + (alongside?.contributions ?? 0),
    bytes: (stored?.bytes ?? 0) + (alongside?.bytes ?? 0),
  };
}
