/** The results of a dry run, held against the independent reading of the rules: status, error codes with their fields, warnings. */
import type { CourseHistory, LearnerCourse } from '../../../functions/shared/model.ts';
import { referenceBatch, type ReferenceResult } from '../../reference/record.ts';
import { type Lane, type PairState, pairOf, type ReferenceWorld } from '../../reference/world.ts';
import { OWN, platformData } from '../support/data.ts';
import type { Sent } from '../support/target.ts';
import { FuzzWorld } from './fuzz-world.ts';

export interface Result {
  readonly external_record_id: string | null;
  readonly status: string;
  readonly errors: readonly { readonly error_code: string; readonly field?: string; readonly message: string }[];
  readonly warnings: readonly { readonly warning_code: string }[];
  readonly progress: LearnerCourse | null;
}

const MANY = 1000;
/** A limit of storage, which the reference does not know. */
const PAIR_IS_FULL = /contributions|KB/;

export async function referenceFaults(fuzz: FuzzWorld, sent: Sent, results: readonly Result[]): Promise<string[]> {
  const { records } = JSON.parse(textOf(sent.body)) as { records: unknown[] };
  const world = await referenceWorld(fuzz, results);
  const expected = referenceBatch(records, world, new Date(fuzz.world.nowMs()).toISOString());
  return results.flatMap((result, at) => {
    if (result.errors.some(({ message }) => PAIR_IS_FULL.test(message))) return [];
    FuzzWorld.totals.judged += 1;
    const [said, should] = [saidBy(result), shouldBe(expected[at] as ReferenceResult)];
    return said === should ? [] : [`disagrees: ${said}; the reference: ${should}; ${JSON.stringify(records[at])}`];
  });
}

const textOf = (body: Sent['body']) => (typeof body === 'string' ? body : Buffer.from(body ?? '').toString());

type Fault = { readonly error_code: string; readonly field?: string };

/** Of very many bad classes the service names the first and counts the rest; the reference names them all. */
const MOST_CLASS_FAULTS = 10;

function faultNames(faults: readonly Fault[]): string[] {
  const isOfClasses = ({ field = '' }: Fault) => field.startsWith('progress.classes');
  const counted = faults.filter(isOfClasses).length > MOST_CLASS_FAULTS;
  return faults
    .filter((fault) => !counted || !isOfClasses(fault))
    .map(({ error_code, field }) => `${error_code} at ${field ?? 'the record'}`)
    .toSorted();
}

function saidBy({ status, errors, warnings }: Result): string {
  return JSON.stringify([status, faultNames(errors), warnings.map(({ warning_code }) => warning_code).toSorted()]);
}

function shouldBe({ status, codes, warnings }: ReferenceResult): string {
  return JSON.stringify([status, faultNames(codes), warnings.toSorted()]);
}

/** What the company owns by now, as plain data. */
async function referenceWorld({ world }: FuzzWorld, results: readonly Result[]): Promise<ReferenceWorld> {
  const { mappings, progress } = world.stores;
  const { users, courses } = companyData;
  const ids = results.flatMap(({ external_record_id }) => external_record_id ?? []);
  const pairs = users.flatMap(({ user_id }) =>
    courses.map(({ platform_course_id }) => ({ user_id, platform_course_id })),
  );
  const [userLinks, courseLinks, identities, stored] = await Promise.all([
    mappings.listUserMappings(OWN, MANY),
    mappings.listCourseMappings(OWN, MANY),
    progress.identities(OWN, ids),
    progress.courseHistories(OWN, pairs),
  ]);
  const name = ({ user_id, platform_course_id }: LearnerCourse) => pairOf(user_id, platform_course_id);
  return {
    users,
    courses,
    userMappings: new Map(userLinks.map((link) => [link.external_user_id, link.user_id])),
    courseMappings: new Map(courseLinks.map((link) => [link.external_course_id, link.platform_course_id])),
    pairs: new Map([...stored.values()].map((item) => [name(item), stateOf(item)])),
    identities: new Map([...identities].map(([id, pair]) => [id, name(pair)])),
  };
}

/** Dates do not decide about codes and warnings. */
function stateOf({ native }: CourseHistory): PairState {
  const lane: Lane | null = native && {
    completion_pct: native.completion_pct,
    certified: native.approved_course === 1,
    certified_at: null,
    started_at: null,
    last_activity_at: null,
    completed_at: null,
    classes: new Map(native.classes.map(({ platform_class_id }) => [platform_class_id, null])),
  };
  return { native: lane, records: [] };
}

interface UserRow {
  readonly id: number;
  readonly company_id: string;
  readonly email: string;
  readonly license: string;
}
interface CourseRow {
  readonly company_id: string;
  readonly platform_course_id: number;
  readonly has_exam: boolean;
  readonly classes: readonly { readonly platform_class_id: number }[];
}

const companyData = ((): Pick<ReferenceWorld, 'users' | 'courses'> => {
  const data = platformData();
  const users = data.users as unknown as UserRow[];
  const courses = data.courses as unknown as CourseRow[];
  return {
    users: users
      .filter(({ company_id }) => company_id === OWN)
      .map(({ id, email, license }) => ({ user_id: id, email, active: license === 'active' })),
    courses: courses
      .filter(({ company_id }) => company_id === OWN)
      .map(({ platform_course_id, has_exam, classes }) => ({
        platform_course_id,
        has_exam,
        classes: classes.map(({ platform_class_id }) => platform_class_id),
      })),
  };
})();
