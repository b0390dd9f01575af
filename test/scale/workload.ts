/** Learners, courses and records of the model: those of the benchmark, known by the ids of the old system. */
import type { EveryStore } from '../kit/services.ts';
import { ADMIN, COMPANY, courses, importOf, learners, RECORDS_PER_IMPORT } from '../bench/workload.ts';
import { Dice } from '../kit/dice.ts';
import { planted } from '../kit/planted.ts';

export { RECORDS_PER_IMPORT } from '../bench/workload.ts';

/** A company that imports, and how many learners it has. */
export interface Company {
  readonly company_id: string;
  readonly people: number;
  /** How many courses each of them took at most. */
  readonly courses: number;
  readonly namedBy: NamedBy;
  readonly sortedBy: SortedBy;
}

/**
 * An export sorted by learner names each learner in several records of an import, here in five; one sorted by course names another
 * learner in every record; an unsorted one names any learner in any record.
 */
export type SortedBy = 'learner' | 'course' | 'nothing';

export type NamedBy = 'external ids' | 'addresses';

const CLASSES = 100;
const EPOCH = '2026-01-01T00:00:00.000Z';
const externalUser = (address: string): string => `sf-${address.split('@', 1)[0]}`;
const externalCourse = (id: number): string => `sf-course-${id}`;

/** The number of learners for so many records, each in up to twenty courses. */
export const learnersFor = (records: number): number =>
  Math.max(RECORDS_PER_IMPORT, Math.min(50_000, Math.ceil(records / 20 / RECORDS_PER_IMPORT) * RECORDS_PER_IMPORT));

/** Addresses are unique in a stack. */
const addressIn = (company_id: string, address: string): string => address.replace('@bench.', `@${company_id}.`);

const SHAPES = {
  learner: { learners: 100, courses: 5 },
  course: { learners: RECORDS_PER_IMPORT, courses: 1 },
} as const;

/** The benchmark's imports are sorted by course. */
const positionOf = (i: number, { learners: people, courses: taken }: { learners: number; courses: number }): number =>
  (i % taken) * people + Math.floor(i / taken);

/** Records of one import. No two imports of a company have a record in common. */
export function recordsOf(at: number, company: Company): readonly object[] {
  const { company_id, namedBy, sortedBy } = company;
  const records = sortedBy === 'nothing' ? scattered(at, company) : sorted(at, company, SHAPES[sortedBy]);
  if (namedBy === 'addresses')
    return records.map(({ user, ...record }) => ({ ...record, user: { email: addressIn(company_id, user.email) } }));
  return records.map(({ user, content, ...record }) => ({
    ...record,
    user: { external_user_id: externalUser(user.email) },
    content: { type: 'course', external_course_id: externalCourse(content.platform_course_id) },
  }));
}

function sorted(at: number, { people }: Company, shape: { readonly learners: number; readonly courses: number }) {
  const blocks = people / shape.learners;
  const from = { learners: (at % blocks) * shape.learners, courses: Math.floor(at / blocks) * shape.courses };
  const byCourse = importOf(shape, from);
  return byCourse.map((_, i) => byCourse[positionOf(i, shape)] as (typeof byCourse)[number]);
}

function scattered(at: number, { people, courses: taken }: Company) {
  const pairs = shuffled(people * taken).slice(at * RECORDS_PER_IMPORT, (at + 1) * RECORDS_PER_IMPORT);
  return pairs.flatMap((pair) =>
    importOf({ learners: 1, courses: 1 }, { learners: pair % people, courses: Math.floor(pair / people) }),
  );
}

const shuffles = new Map<number, readonly number[]>();

/** The numbers below `count`, shuffled in the same way in every run. */
function shuffled(count: number): readonly number[] {
  const known = shuffles.get(count);
  if (known !== undefined) return known;
  const [numbers, dice] = [Array.from({ length: count }, (_, i) => i), new Dice(count)];
  for (let last = count - 1; last > 0; last -= 1) {
    const other = dice.below(last + 1);
    [numbers[last], numbers[other]] = [numbers[other] as number, numbers[last] as number];
  }
  shuffles.set(count, numbers);
  return numbers;
}

/** The platform's data of one company: courses of a hundred classes, and each learner and course under an external id. */
export async function load(stores: EveryStore, { company_id, people, courses: taken }: Company): Promise<void> {
  const users = learners(people).map((user) => ({
    ...user,
    company_id,
    email: addressIn(company_id, user.email),
  }));
  const catalog = courses(taken + 1).map((course) => ({ ...course, classes: course.classes.slice(0, CLASSES) }));
  await planted(stores.platform).putCompanies([{ ...COMPANY, company_id }]);
  for (let at = 0; at < users.length; at += 5_000)
    await stores.mappings.putUserMappings(
      company_id,
      users
        .slice(at, at + 5_000)
        .map(({ email, user_id }) => ({ external_user_id: externalUser(email), email, user_id, updated_at: EPOCH })),
    );
  await planted(stores.platform).putCourses(company_id, catalog);
  const mappings = catalog.map(({ platform_course_id }) => ({
    external_course_id: externalCourse(platform_course_id),
    platform_course_id,
    updated_at: EPOCH,
  }));
  await stores.mappings.putCourseMappings(company_id, mappings);
  await planted(stores.platform).putUsers([
    { ...ADMIN, company_id, email: addressIn(company_id, ADMIN.email) },
    ...users,
  ]);
}
