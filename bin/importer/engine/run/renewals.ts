/** Learners with several completions of one course: each completion is a record of its own, and the platform shows one of them. */
import { TextNumbers } from '../records/text-numbers.ts';
import { grouped } from '../text.ts';
import { isObject, memberOf } from '../mapping/fields.ts';

/** `{ completions: 3, learners: 2 }`: two learners completed a course three times. The fewest completions first. */
export type Renewals = readonly { readonly completions: number; readonly learners: number }[];

export class RenewalTally {
  readonly #pairs = new TextNumbers();
  /** Completions by the number of the learner and course. */
  readonly #completions: number[] = [];

  /** @param record as it is sent */
  add(record: unknown): void {
    const pair = memberOf(record, 'progress.completed_at') === undefined ? undefined : learnerCourseOf(record);
    if (pair === undefined) return;
    const number = this.#pairs.of(pair);
    this.#completions[number] = (this.#completions[number] ?? 0) + 1;
  }

  renewals(): Renewals {
    const learners = new Map<number, number>();
    for (const count of this.#completions) if (count > 1) learners.set(count, (learners.get(count) ?? 0) + 1);
    return [...learners]
      .toSorted(([a], [b]) => a - b)
      .map(([completions, count]) => ({ completions, learners: count }));
  }
}

/** The learner and the course of a record as one text; `undefined` for a record without a learner. */
export function learnerCourseOf(record: unknown): string | undefined {
  if (!isObject(record)) return undefined;
  const { user, content } = record;
  return user === undefined ? undefined : JSON.stringify([user, content]).toLowerCase();
}

/** How many learners have how many completions, and what is shown; empty without renewals. */
export function renewalLines(renewals: Renewals): string[] {
  if (renewals.length === 0) return [];
  const counts = renewals.map(
    ({ completions, learners }) =>
      `${grouped(learners)} ${learners === 1 ? 'learner has' : 'learners have'} ${completions} completions of one course`,
  );
  return [
    `${counts.join(', ')}: each is a record of its own in the transcript, and the platform shows the latest completion and the latest certificate.`,
  ];
}
