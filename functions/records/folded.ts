/** What the oldest contributions of a learner course add up to, so that planning reads the newest ones alone (rule 12). */
import { DATED_FIELDS } from './contribution.ts';
import { planIn } from './expected.ts';
import { joinStates, stateOf, type ProgressState } from './merge.ts';
import { byAcceptance, byRecord, countingOf } from './versions.ts';
import type { Contribution, CourseHistory, Fold, FoldedRecord, PlannedRecord } from '../shared/model.ts';

/**
 * Folds the contributions of these items, or those of a fold and of the items after it. `undefined` if there are none, or if the
 * order of acceptance does not let the fold stand for its contributions: then they have to be read.
 *
 * @example
 * const none = { approved_course: 0, certified_at: null, started_at: null, last_activity_at: null, completed_at: null };
 * const version = { ...none, external_record_id: 'r-1', index: 0, classes: [], defaulted: [], defaulted_classes: [] };
 * const nights = [40, 80].map((completion_pct) => {
 *   const night = `2026-01-${completion_pct}`;
 *   return { ...version, import_id: night, imported_at: night, content_hash: night, completion_pct };
 * });
 * foldOf(undefined, nights, 2).records[0].contribution.completion_pct; // => 80
 */
export function foldOf(earlier: Fold | undefined, newer: readonly Contribution[], items: number): Fold | undefined {
  if (earlier !== undefined && !canStandFor(earlier, newer)) return undefined;
  const known = earlier?.records ?? [];
  const before = new Map(known.map((each) => [each.contribution.external_record_id, each]));
  const until = newer.reduce((last: Fold['until'] | undefined, each) => later(last, each), earlier?.until);
  if (until === undefined) return undefined;
  const all = byRecord([...known.map(({ contribution }) => contribution), ...newer]);
  const records = [...all].flatMap(([id, ofOne]) => foldedRecord(before.get(id), countingOf(ofOne)));
  const { imported_at, import_id, index } = until;
  return { items, until: { imported_at, import_id, index }, records };
}

const later = (a: Fold['until'] | undefined, b: Fold['until']) => (a === undefined || byAcceptance(a, b) < 0 ? b : a);

function foldedRecord(before: FoldedRecord | undefined, counting: readonly Contribution[]): FoldedRecord[] {
  const [first, ...others] = counting;
  if (first === undefined) return [];
  if (others.length === 0) return [first === before?.contribution ? before : { contribution: first, contents: [] }];
  const contents = counting.flatMap((each) =>
    each === before?.contribution && isJoin(before) ? before.contents : [digestOf(each)],
  );
  const state = others.reduce((joined, each) => joinStates(joined, stateOf(each)), stateOf(first));
  return [{ contribution: placed(state, others.at(-1) ?? first), contents }];
}

const isJoin = ({ contents }: FoldedRecord): boolean => contents.length > 0;

/** A join as a contribution, in the place of its last version. */
function placed({ completion_pct, certified, dates, classes }: ProgressState, last: Contribution): Contribution {
  const { replaces: _, ...place } = last;
  const views = [...classes];
  return {
    ...place,
    content_hash: '',
    external_ref: null,
    score_pct: null,
    assessment_status: null,
    completion_pct,
    approved_course: certified ? 1 : 0,
    certified_at: dates.certified_at?.at ?? null,
    started_at: dates.started_at?.at ?? null,
    last_activity_at: dates.last_activity_at?.at ?? null,
    completed_at: dates.completed_at?.at ?? null,
    defaulted: DATED_FIELDS.filter((field) => dates[field]?.sent === false),
    classes: views.map(([platform_class_id, viewed]) => ({ platform_class_id, viewed_at: viewed?.at ?? null })),
    defaulted_classes: views.flatMap(([id, viewed]) => (viewed?.sent === false ? [id] : [])),
  };
}

const FNV_PRIME = 16_777_619;
const FNV_BASIS = 2_166_136_261;

/** 32 bits of a content. If two are equal, the contributions themselves are read. */
function digestOf({ content_hash }: Pick<Contribution, 'content_hash'>): number {
  let digest = FNV_BASIS;
  for (const each of content_hash) digest = Math.imul(digest ^ each.charCodeAt(0), FNV_PRIME);
  return digest >>> 0;
}

/** Whether nothing of these, which are stored after the fold, was accepted before its end, or may repeat what it joins. */
function canStandFor(fold: Fold, newer: readonly Contribution[]): boolean {
  const folded = new Map(fold.records.map((each) => [each.contribution.external_record_id, each]));
  return newer.every((each) => {
    const record = folded.get(each.external_record_id);
    return record === undefined || (byAcceptance(each, fold.until) > 0 && !mayRepeat(record, each));
  });
}

const mayRepeat = ({ contents }: FoldedRecord, contribution: Contribution): boolean =>
  contents.includes(digestOf(contribution));

type Accepted = Pick<Contribution, 'imported_at' | 'import_id'>;

/** Whether a fold can stand for its contributions in the plan of an import: all were accepted before it, and none is its own. */
export const precedes = ({ until }: Fold, { imported_at, import_id }: Accepted): boolean =>
  byAcceptance(until, { imported_at, import_id, index: until.index }) < 0;

/**
 * Whether the whole history may decide otherwise about a record than its folded one has: what is stored after the fold does not
 * follow it; the content may be that of a version in a join; or `over` (§4.11) has to name the contents that count.
 */
export function mayDiffer(
  { folded, contributions }: Pick<CourseHistory, 'folded' | 'contributions'>,
  { write, over }: PlannedRecord,
  plan_id: string | undefined,
): boolean {
  if (folded === undefined || write === undefined) return false;
  const stands = new Set(folded.records.map(({ contribution }) => contribution));
  const newer = contributions.filter((each) => !stands.has(each));
  if (!canStandFor(folded, newer)) return true;
  const { external_record_id } = write.contribution;
  const record = folded.records.find(({ contribution }) => contribution.external_record_id === external_record_id);
  if (record === undefined) return false;
  const isOfPlan = plan_id !== undefined && planIn(record.contribution.import_id) === plan_id;
  return mayRepeat(record, write.contribution) || (over !== undefined && (isJoin(record) || isOfPlan));
}
