/** What an import changes on the platform, counted while the results of its check or its batches come in. */
import type { Import, RecordResult } from '../../wire/types.ts';
import { PreviewBuilder } from '../../engine/run/preview.ts';

type Progress = NonNullable<RecordResult['progress']>;

export type Pair = readonly [before: number, after: number];

/** One learner in one course: the year of the completion (0 without one), whether it is in progress and certified. */
interface State {
  readonly year: number;
  readonly isStarted: boolean;
  readonly isCertified: boolean;
}

const NOTHING: State = { year: 0, isStarted: false, isCertified: false };

function stateOf(progress: Progress | null | undefined): State {
  if (progress === null || progress === undefined) return NOTHING;
  const { completion_pct, completed_at, approved_course } = progress;
  const year = completion_pct >= 100 ? Number(completed_at?.slice(0, 4) ?? 0) : 0;
  return { year, isStarted: year === 0 && completion_pct > 0, isCertified: approved_course === 1 };
}

/** Each result has the other records left aside: what a learner has afterwards is the furthest of them. */
const furthest = (a: State, b: State): State => ({
  year: Math.max(a.year, b.year),
  isStarted: Math.max(a.year, b.year) === 0 && (a.isStarted || b.isStarted),
  isCertified: a.isCertified || b.isCertified,
});

const most = ({ completed, in_progress }: Readonly<Record<'completed' | 'in_progress', Pair>>): number =>
  completed[1] + in_progress[1];

export class ChangesBuilder extends PreviewBuilder {
  readonly #learners = new Map<number, Map<number, readonly [State, State]>>();

  /** Rows of records that are on the platform as they are. */
  unchangedRows = 0;

  override addResults(results: Pick<Import, 'created_at' | 'records'>): void {
    super.addResults(results);
    for (const result of results.records) {
      this.#add(result);
      if (result.outcome === 'unchanged') this.unchangedRows += this.rowsOf(result);
    }
  }

  #add({ outcome, progress, before }: RecordResult): void {
    if (progress === null) return;
    const learners = this.#learners.get(progress.platform_course_id) ?? new Map<number, readonly [State, State]>();
    this.#learners.set(progress.platform_course_id, learners);
    const known = learners.get(progress.user_id);
    const [former, after] = known ?? [stateOf(outcome === 'unchanged' ? progress : before), NOTHING];
    learners.set(progress.user_id, [former, furthest(after, stateOf(progress))]);
  }

  changes() {
    const years: Record<string, [number, number]> = {};
    const courses = [...this.#learners].map(([course, learners]) => {
      const states = [...learners.values()];
      const count = (counts: (state: State) => boolean): Pair => [
        states.filter(([before]) => counts(before)).length,
        states.filter(([, after]) => counts(after)).length,
      ];
      for (const [before, after] of states) {
        (years[before.year] ??= [0, 0])[0] += 1;
        (years[after.year] ??= [0, 0])[1] += 1;
      }
      return {
        course,
        completed: count(({ year }) => year > 0),
        in_progress: count(({ isStarted }) => isStarted),
        certified: count(({ isCertified }) => isCertified),
      };
    });
    // Rows without a completion count in no year.
    const { [NOTHING.year]: _, ...completed } = years;
    return { courses: courses.toSorted((a, b) => most(b) - most(a) || a.course - b.course), years: completed };
  }
}
