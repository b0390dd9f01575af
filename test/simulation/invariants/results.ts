/** Every record has exactly one result; results say what happened; what succeeded is in the progress at the end. */
import { impliedPercentage } from '../../kit/implied-percentage.ts';
import { NO_PROGRESS } from '../../../functions/records/merge.ts';
import { byAcceptance } from '../../../functions/records/versions.ts';
import type { RecordResult, ResultProgress } from '../../../functions/shared/model.ts';
import { type History, heights, storedCourse, lossOf, type Written } from '../history.ts';
import { learnerKey } from '../world.ts';
import type { FinishedImport, Finished } from './finished.ts';

export function checkResults(one: FinishedImport, history: History): void {
  const { item, results } = one;
  const violate = (what: string) => history.violate(`import ${item.import_id}: ${what}`);
  if (results.length !== item.total) violate(`${results.length} results for ${item.total} records`);
  if (results.some(({ index }, at) => index !== at)) violate('results are not in the order sent');
  for (const result of results) {
    if (result.status === 'pending') violate(`record ${result.index} is pending at the end`);
    if ((result.status === 'error') !== result.errors.length > 0)
      violate(`record ${result.index}: status and errors disagree`);
    if (result.status === 'success' && result.progress === null) violate(`record ${result.index}: no progress`);
    if (!item.dry_run) checkRecord(one, result, history);
  }
  checkStatus(one, violate);
  checkRepeats(one, violate);
}

/** Of records with the same id in one batch the first counts, in any chunk. */
function checkRepeats({ results, sent }: FinishedImport, violate: (what: string) => void): void {
  const seen = new Set<unknown>();
  for (const [at, record] of sent.entries()) {
    const id = (record as { external_record_id?: unknown } | null)?.external_record_id;
    const code = results[at]?.errors[0]?.error_code;
    const isRepeat = typeof id === 'string' && seen.has(id);
    if (isRepeat && !['duplicate_external_record_id', 'processing_failed', 'import_cancelled'].includes(code ?? ''))
      violate(`record ${at} repeats an id`);
    seen.add(id);
  }
}

function checkStatus({ item, results }: FinishedImport, violate: (what: string) => void): void {
  const succeeded = results.filter(({ status }) => status === 'success').length;
  const right = succeeded === 0 ? 'error' : succeeded === results.length ? 'success' : 'partial_success';
  if (item.status !== (item.dry_run ? 'validated' : right))
    violate(`status ${item.status}, but ${succeeded} records succeeded`);
  const counted = Object.values(item.summaries).reduce((sum, summary) => sum + summary.succeeded, 0);
  if (counted !== succeeded) violate(`counts ${counted} successes, shows ${succeeded}`);
}

export const isOurFault = ({ errors }: RecordResult): boolean =>
  errors.some(({ error_code }) => error_code === 'processing_failed');

const wasCancelled = ({ errors }: RecordResult): boolean =>
  errors.some(({ error_code }) => error_code === 'import_cancelled');

/** The rules do not apply to an undecided record. */
export const isUndecided = (result: RecordResult): boolean => isOurFault(result) || wasCancelled(result);

function checkRecord({ item, sent }: FinishedImport, result: RecordResult, history: History): void {
  const name = `${item.import_id}#${result.index}`;
  const violate = (what: string) => history.violate(`record ${name} (${result.outcome ?? result.status}): ${what}`);
  const id = (sent[result.index] as { external_record_id?: unknown } | null)?.external_record_id;
  if (typeof id === 'string' && result.external_record_id !== id) violate('another external_record_id');
  if (isOurFault(result)) return;
  if (wasCancelled(result) && item.cancelled_at === null) violate('its import is not shown as cancelled');
  const own = history.contributions.get(name)?.what;
  checkWriting(result, own, mayBePlaced(own, history), violate);
  if (result.status === 'success') checkOutcome({ item, result }, history, violate);
  if (own !== undefined) checkContribution(own, item, violate);
}

/** Whether an `unchanged` record may have been written: its basis was reverted, may be replaced, or came later. */
function mayBePlaced(own: Contribution | undefined, { reverts, isReplacing, contributions }: History): boolean {
  if (reverts.length > 0 || isReplacing || own === undefined) return true;
  return [...contributions.values()].some(
    ({ what }) => what.content_hash === own.content_hash && byAcceptance(what, own) > 0,
  );
}

/** Applied and updated records were written; of the others, only `unchanged` ones may be, for their place. */
function checkWriting(
  { outcome }: RecordResult,
  own: Contribution | undefined,
  mayPlace: boolean,
  violate: (what: string) => void,
): void {
  const isWriting = outcome === 'applied' || outcome === 'updated';
  const mayWrite = isWriting || (mayPlace && outcome === 'unchanged');
  if (isWriting && own === undefined) violate('its contribution was never written');
  if (!mayWrite && own !== undefined) violate('it is in the progress');
}

/** `applied` only the first time: another import's contribution of the record rules it out. */
function checkOutcome(
  { item, result }: { item: FinishedImport['item']; result: RecordResult },
  history: History,
  violate: (what: string) => void,
): void {
  const pair = `${result.progress?.user_id}/${result.progress?.platform_course_id}`;
  const others = [...history.contributions.values()].filter(
    ({ what }) =>
      what.import_id !== item.import_id && what.external_record_id === result.external_record_id && what.pair === pair,
  );
  const commit = history.commits.get(item.import_id)?.order ?? 0;
  const plan = planOrder(item, result.index, history);
  const isReverted = (import_id: string) => history.reverted.has(import_id);
  if (result.outcome === 'applied' && others.some(({ order, what }) => order < commit && !isReverted(what.import_id)))
    violate('the record was known before');
  if (result.outcome !== 'applied' && !others.some(({ order }) => order < plan))
    violate('the record was not known before');
}

function planOrder(item: FinishedImport['item'], index: number, history: History): number {
  const chunk = item.chunks.findIndex(({ first_index, size }) => index >= first_index && index < first_index + size);
  const key = `${item.company_id}#import#${item.import_id} plan#${String(chunk).padStart(4, '0')}`;
  return history.plans.get(key)?.order ?? 0;
}

type Contribution = NonNullable<ReturnType<History['contributions']['get']>>['what'];

/** Default dates are the import's own, fixed when it was accepted. */
function checkContribution(own: Contribution, item: FinishedImport['item'], violate: (what: string) => void): void {
  if (own.imported_at !== item.created_at) violate(`imported_at ${own.imported_at}, accepted ${item.created_at}`);
  if (own.source !== 'external_migration') violate('its source is lost');
  for (const field of own.defaulted) {
    if (own[field] !== item.created_at) violate(`${field} defaults to ${own[field]}`);
  }
}

/** A record finds the user to whom its external id was linked at the commit of its import, or later. */
export function checkUserMappings({ item, results, sent }: FinishedImport, history: History): void {
  const commit = history.commits.get(item.import_id)?.order ?? 0;
  for (const { index, progress } of results) {
    const { user } = (sent[index] ?? {}) as { user?: { external_user_id?: unknown } };
    const links = history.userMappings.get(String(user?.external_user_id)) ?? [];
    if (progress === null || links.length === 0) continue;
    const isFormer = ({ order }: Written<number>, at: number) =>
      order < commit && (links[at + 1]?.order ?? Infinity) < commit;
    const current = links.filter((link, at) => !isFormer(link, at)).map(({ what }) => what);
    if (!current.includes(progress.user_id))
      history.violate(
        `record ${item.import_id}#${index}: user ${progress.user_id} by a mapping that had changed before`,
      );
  }
}

export function checkProgress({ item, results }: FinishedImport, run: Finished): void {
  for (const { status, index, progress } of results) {
    if (status === 'success' && progress !== null) checkKept(`${item.import_id}#${index}`, progress, run);
  }
}

/** The most classes that a course of the simulated world has at any time. */
const MOST_CLASSES = 4;

/** Whether so many viewed classes may imply the percentage, whatever classes the course had then. */
function isImplied(completion_pct: number, viewed: number): boolean {
  const counts = Array.from({ length: MOST_CLASSES }, (_, before) => before + 1);
  return counts.some((all) =>
    counts.some((some) => some <= Math.min(viewed, all) && impliedPercentage(some, all) === completion_pct),
  );
}

function checkKept(name: string, reported: ResultProgress, { stack, simulation }: Finished): void {
  const violate = (what: string) => stack.history.violate(`record ${name}: ${what}`);
  const key = learnerKey(reported.user_id, reported.platform_course_id);
  const stored = storedCourse(key, simulation.table);
  const kept = heights(stored);
  if (kept.completion_pct < reported.completion_pct && !isImplied(reported.completion_pct, kept.classes.size))
    violate(`${reported.completion_pct} % reported, ${kept.completion_pct} % kept`);
  if (kept.approved_course < reported.approved_course) violate('reported a certification that is not kept');
  if (kept.classes.size < reported.classes_viewed) violate('reported classes that are not kept');
  const own = stack.history.contributions.get(name)?.what;
  const native = stored.native ?? NO_PROGRESS;
  const loss = own && lossOf({ ...stored, native, contributions: [own] }, { ...stored, native });
  if (loss !== undefined) violate(`its contribution is lost (${loss})`);
}
