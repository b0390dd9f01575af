/** Rule 12: the versions of a record in the order of acceptance: `created_at` of their import, then `import_id`. */
import type { Contribution, CourseHistory, LearnerCourse, RecordWrite } from '../shared/model.ts';
import { learnerCourseId } from './identifiers.ts';

/** A version of a record. `replaced_by`: the replacing import that was accepted next; then the version counts no longer. */
export interface Version {
  readonly contribution: Contribution;
  readonly replaced_by?: string;
}

/** The order of acceptance; within one import, the order sent. */
export function byAcceptance(
  a: Pick<Contribution, 'imported_at' | 'import_id' | 'index'>,
  b: Pick<Contribution, 'imported_at' | 'import_id' | 'index'>,
): number {
  return compare(a.imported_at, b.imported_at) || compare(a.import_id, b.import_id) || a.index - b.index;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * Rule 12: with `replace`, `unchanged` only "where its content is that of every version that counts".
 *
 * @param counting the contents of the versions that count
 */
export function saysTheSame(
  { content_hash, replaces }: Pick<Contribution, 'content_hash' | 'replaces'>,
  counting: ReadonlySet<string>,
): boolean {
  return counting.has(content_hash) && (replaces !== true || counting.size === 1);
}

export function contentsOf(contributions: readonly Contribution[]): ReadonlySet<string> {
  return new Set(contributions.map(({ content_hash }) => content_hash));
}

/**
 * The versions of one record. One that says what counted before it, stored by imports that were in flight together, is left out.
 *
 * @example
 * const sent = { index: 0, imported_at: '2026-01-02T00:00:00.000Z', content_hash: 'a' };
 * const wrong = { ...sent, import_id: 'i-1' };
 * const right = { ...sent, import_id: 'i-2', content_hash: 'b', replaces: true };
 * versionsOf([right, wrong]); // => [{ contribution: wrong, replaced_by: 'i-2' }, { contribution: right }]
 */
export function versionsOf(ofOneRecord: readonly Contribution[]): Version[] {
  const versions: Version[] = [];
  const counting = new Set<string>();
  let replaced = 0;
  for (const contribution of ofOneRecord.toSorted(byAcceptance)) {
    const { content_hash, import_id: replaced_by, replaces } = contribution;
    if (saysTheSame(contribution, counting)) continue;
    if (replaces === true) {
      for (const version of versions.splice(replaced)) versions.push({ ...version, replaced_by });
      replaced = versions.length;
      counting.clear();
    }
    versions.push({ contribution });
    counting.add(content_hash);
  }
  return versions;
}

/**
 * The versions of one record that count: the newest replacing one, and those after it.
 *
 * @example
 * const [wrong, right] = ['a', 'b'].map((import_id) => ({ import_id, imported_at: '', content_hash: import_id }));
 * countingOf([wrong, { ...right, replaces: true }]).map(({ import_id }) => import_id); // => ['b']
 */
export function countingOf(ofOneRecord: readonly Contribution[]): Contribution[] {
  if (ofOneRecord.length < 2) return [...ofOneRecord];
  return versionsOf(ofOneRecord).flatMap(({ contribution, replaced_by }) =>
    replaced_by === undefined ? [contribution] : [],
  );
}

/** Whether a contribution says what counted when it was accepted, given the other versions of its record: then it counts for nothing. */
export function isRepeat(contribution: Contribution, others: readonly Contribution[]): boolean {
  const earlier = others.filter((each) => byAcceptance(each, contribution) < 0);
  return saysTheSame(contribution, contentsOf(countingOf(earlier)));
}

/** Contributions by their `external_record_id`, in the order of the first of each. */
export function byRecord(contributions: readonly Contribution[]): Map<string, Contribution[]> {
  return Map.groupBy(contributions, ({ external_record_id }) => external_record_id);
}

/** Histories by `learnerCourseId`. */
type Histories = ReadonlyMap<string, Pick<CourseHistory, 'contributions'>>;

/** `IMPORT#INDEX`: a contribution, or the record that it is of, as one key of a set. */
export function contributionId({ import_id, index }: Pick<Contribution, 'import_id' | 'index'>): string {
  return `${import_id}#${index}`;
}

/** Returns a function that reports whether a contribution is in these histories. */
export function storedIn(
  histories: Histories,
): (write: LearnerCourse & { readonly contribution: Pick<Contribution, 'import_id' | 'index'> }) => boolean {
  const ids = new Map(
    [...histories].map(([pair, { contributions }]) => [pair, new Set(contributions.map(contributionId))]),
  );
  return (write) => ids.get(learnerCourseId(write))?.has(contributionId(write.contribution)) === true;
}

/** The record of a write and its content, without its import: equal for records of which one contributes and the others are `unchanged`. */
export function contentId(write: Pick<RecordWrite, keyof LearnerCourse | 'contribution'>): string {
  const { external_record_id, content_hash } = write.contribution;
  return JSON.stringify([learnerCourseId(write), content_hash, external_record_id]);
}
