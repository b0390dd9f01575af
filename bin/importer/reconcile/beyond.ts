/** What the platform has of the learners of the files, in the courses of the files, that the files do not have. */
import { ServiceError } from '../../client/errors.ts';
import type { MigrationClient } from '../../client/client.ts';
import type { LearnerCourse, RecordResult } from '../../client/types.ts';
import { RecordIdSet } from '../records/record-id-set.ts';

/** A learner in a course. */
export interface Beyond {
  readonly user_id: number;
  readonly email: string;
  readonly course: number;
  readonly title: string | null;
  /** Sentences: other records, progress on the platform itself, and effective dates other than those of the files. */
  readonly found: readonly string[];
}

type Contribution = LearnerCourse['contributions'][number];

const IN_FILE = { file: '', line: 1 };
const ELSEWHERE = { file: '', line: 0 };
const MOST_NAMED = 10;

/** The learners, the courses and the record ids of the files, from the results of their comparison. */
export class Compared {
  readonly #courses = new Map<number, Set<number>>();
  readonly #ids = new RecordIdSet();

  add({ external_record_id, progress }: RecordResult): void {
    if (external_record_id === null || progress === null) return;
    const { user_id, platform_course_id } = progress;
    this.#ids.add(external_record_id, IN_FILE);
    const courses = this.#courses.get(user_id) ?? new Set();
    this.#courses.set(user_id, courses.add(platform_course_id));
  }

  get learners(): number[] {
    return [...this.#courses.keys()];
  }

  /** Reads the transcript of a learner. A learner who is gone by now has nothing. */
  async beyond(client: Pick<MigrationClient, 'getLearner' | 'learnerCourses'>, user_id: number): Promise<Beyond[]> {
    try {
      const found: Beyond[] = [];
      const inFiles = this.#courses.get(user_id);
      let email: string | undefined;
      for await (const course of client.learnerCourses({ user_id })) {
        const { platform_course_id, title } = course;
        if (inFiles?.has(platform_course_id) !== true) continue;
        const sentences = this.#sentences(course);
        if (sentences.length === 0) continue;
        email ??= (await client.getLearner({ user_id }, { limit: 1 })).email;
        found.push({ user_id, email, course: platform_course_id, title, found: sentences });
      }
      return found;
    } catch (error) {
      if (error instanceof ServiceError && error.has('learner_not_found')) return [];
      throw error;
    }
  }

  #sentences({ effective, native, contributions }: LearnerCourse): string[] {
    const [own, others] = [true, false].map((inFile) =>
      contributions.filter((each) => this.#isInFile(each) === inFile),
    ) as [Contribution[], Contribution[]];
    return [
      ...(others.length === 0 ? [] : [`The files do not have ${named(others)}.`]),
      ...(native === null ? [] : [`On the platform itself: ${native.completion_pct} %${datesOf(native)}.`]),
      ...otherDates(effective, own),
    ];
  }

  #isInFile({ external_record_id }: Contribution): boolean {
    return this.#ids.add(external_record_id, ELSEWHERE)?.line === IN_FILE.line;
  }
}

function named(records: readonly Contribution[]): string {
  const shown = records
    .slice(0, MOST_NAMED)
    .map(
      (each) =>
        `record ${each.external_record_id} of import ${each.import_id} (${each.completion_pct} %${datesOf(each)})`,
    );
  const more = records.length > MOST_NAMED ? ` and ${records.length - MOST_NAMED} more` : '';
  return `${shown.join(', ')}${more}`;
}

type Dated = Pick<LearnerCourse['effective'], 'completed_at' | 'certified_at'>;

const datesOf = ({ completed_at, certified_at }: Dated): string =>
  [completed_at && `, completed ${completed_at}`, certified_at && `, certified ${certified_at}`]
    .filter(Boolean)
    .join('');

const FIELDS = [
  ['completed_at', 'latest'],
  ['certified_at', 'latest'],
  ['started_at', 'earliest'],
  ['last_activity_at', 'latest'],
] as const;

/** The effective dates that no record of the files gives. The date of an import stands for a date that was not sent. */
function otherDates(effective: LearnerCourse['effective'], own: readonly Contribution[]): string[] {
  return FIELDS.flatMap(([field, which]) => {
    const known = own.filter((each) => each[field] !== null);
    const sent = known.filter((each) => each[field] !== each.imported_at);
    const dates = (sent.length > 0 ? sent : known).map((each) => each[field] ?? '').toSorted();
    const ofFiles = (which === 'latest' ? dates.at(-1) : dates[0]) ?? null;
    const isOfClasses =
      field === 'completed_at' && effective.classes.some(({ viewed_at }) => viewed_at === effective[field]);
    if (own.length === 0 || effective[field] === ofFiles || (ofFiles === null && isOfClasses)) return [];
    return [`${field} is ${effective[field]}; the ${which} of the files is ${ofFiles ?? 'none'}.`];
  });
}
