/** What is stored of records: whether one has its contribution, and which contributions say the same. Each history is indexed once. */
import { learnerCourseId } from './identifiers.ts';
import type { Contribution, CourseHistory, LearnerCourse, RecordWrite } from '../shared/model.ts';

/** Histories by `learnerCourseId`. */
type Histories = ReadonlyMap<string, Pick<CourseHistory, 'contributions'>>;

/** `IMPORT#INDEX`: a contribution, or the record that it is of, as one key of a set. */
export function contributionId({ import_id, index }: Pick<Contribution, 'import_id' | 'index'>): string {
  return `${import_id}#${index}`;
}

/** A function that returns whether the contribution of a write is stored. */
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
