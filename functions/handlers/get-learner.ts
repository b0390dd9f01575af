import { directoryStore, type DirectoryStore } from '../catalog/directory-store.ts';
import { mappingStore, type MappingStore } from '../catalog/mapping-store.ts';
import { fitting, cursorFrom, pageOf } from '../http/paging.ts';
import { download } from '../http/operations.ts';
import { learnerFrom, limitFrom, type NamedLearner } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { RequestRejected, type CompanyRequest } from '../http/types.ts';
import { archiveReader, type ArchiveReader } from '../imports/archive.ts';
import { archivedUnder } from '../imports/archived-records.ts';
import { progressReader, type ProgressReader } from '../imports/progress-store.ts';
import { spelledName } from '../records/person.ts';
import { quoted } from '../records/text.ts';
import { courseOfLearner } from '../records/transcript.ts';
import { ARCHIVED_OF_LEARNER, PAGE_LIMITS } from '../shared/limits.ts';
import type { LearnerTranscript, User } from '../shared/model.ts';
import { getLearner as route } from '../shared/routes.ts';

/** `shown`: how many contributions of this course earlier pages have shown; absent if all of them. */
interface LearnerPosition {
  readonly course: number;
  readonly shown?: number;
}

interface CoursePart {
  readonly course: LearnerTranscript['courses'][number];
  readonly position: LearnerPosition;
}

/** Contributions of a course beyond this share of a response are left to the next page; the rest is for its class views. */
const CONTRIBUTIONS_SHARE = 2 / 3;
/** What is archived may take this share of the first page. */
const ARCHIVED_SHARE = 1 / 4;

/** `GET …/progress/learners` (§4.8, §4.12): one query and one read of courses a page, and on the first the archive. Errors: 400, 404 `learner_not_found`. */
export const handler = download(
  route,
  (database) => ({
    stores: {
      archive: archiveReader(database),
      directory: directoryStore(database),
      mappings: mappingStore(database),
      progress: progressReader(database),
    },
  }),
  async (request, { stores }) => {
    const { caller, query } = request;
    const { company_id } = caller.company;
    const scope = `learner:${query['email'] ?? ''}:${query['user_id'] ?? ''}:${query['external_user_id'] ?? ''}`;
    const [named] = checkAll(
      request,
      () => learnerFrom(query),
      () => limitFrom(query, PAGE_LIMITS.learnerCourses),
      () => cursorFrom<LearnerPosition>(query, caller.company, scope),
    );
    const user = await userNamed(company_id, named, stores);
    const archived = query['cursor'] === undefined ? await archivedOf(company_id, named, user, stores) : [];
    if (user === undefined && archived.length === 0) {
      const message = `This company has no learner ${quoted(Object.values(named).join())}.`;
      throw new RequestRejected('learner_not_found', message);
    }
    const { user_id, email, license } = user ?? NOBODY;
    const share = archived.length === 0 ? 1 : 1 - ARCHIVED_SHARE;
    const { items, next_cursor } =
      user_id === null ? NO_COURSES : await coursesPage(request, { scope, share }, user_id, stores);
    const courses = items.map(({ course }) => course);
    return { statusCode: 200, body: { user_id, email, license, courses, archived, next_cursor } };
  },
);

/** Someone whom the platform does not have. */
const NOBODY = { user_id: null, email: null, license: null };
const NO_COURSES = { items: [] as readonly CoursePart[], next_cursor: null };

interface Stores {
  readonly archive: ArchiveReader;
  readonly directory: DirectoryStore;
  readonly mappings: MappingStore;
  readonly progress: ProgressReader;
}

/** A mapping leads to the user that it was registered to, whatever became of the address. */
async function userNamed(
  company_id: string,
  learner: NamedLearner,
  { directory, mappings }: Stores,
): Promise<User | undefined> {
  if ('email' in learner) return (await directory.users(company_id, [learner.email], true)).get(learner.email);
  if ('user_id' in learner) return directory.userById(company_id, learner.user_id);
  const { external_user_id } = learner;
  const mapping = (await mappings.userMappings(company_id, [external_user_id])).get(external_user_id);
  return mapping && directory.userById(company_id, mapping.user_id);
}

/** What is kept under the name that was asked for, and under the address of the account. */
async function archivedOf(company_id: string, learner: NamedLearner, user: User | undefined, stores: Stores) {
  const named = 'user_id' in learner ? [] : Object.values(learner);
  const names = new Set([...named, ...(user ? [user.email] : [])].map(spelledName));
  const archived = await archivedUnder(company_id, names, ARCHIVED_OF_LEARNER, stores);
  return fitting(archived, ARCHIVED_SHARE);
}

interface Room {
  readonly scope: string;
  /** Of the response, for courses. */
  readonly share: number;
}

function coursesPage(
  request: CompanyRequest,
  { scope, share }: Room,
  user_id: number,
  { directory, progress }: Stores,
) {
  const { company_id } = request.caller.company;
  return pageOf(request, {
    scope,
    share,
    limits: PAGE_LIMITS.learnerCourses,
    read: async (limit, after: LearnerPosition = { course: 0, shown: 0 }) => {
      const from = { platform_course_id: after.course, isAfter: after.shown === undefined };
      const histories = await progress.historiesOf(company_id, user_id, { limit, from });
      const ids = histories.map(({ platform_course_id }) => platform_course_id);
      const courses = await directory.courses(company_id, ids, false);
      const items: CoursePart[] = [];
      for (const history of histories) {
        const { platform_course_id } = history;
        const shown = platform_course_id === after.course ? after.shown : 0;
        const part = partOf(courseOfLearner(history, courses.get(platform_course_id)), share, shown);
        items.push(part);
        if (part.position.shown !== undefined) return { items, searchedTo: part.position };
      }
      return items;
    },
    positionOf: ({ position }) => position,
  });
}

function partOf(course: CoursePart['course'], share: number, shown: number = 0): CoursePart {
  const { platform_course_id } = course;
  const left = course.contributions.slice(shown);
  const contributions = fitting(left, share * CONTRIBUTIONS_SHARE);
  const isWhole = contributions.length === left.length;
  const position = { course: platform_course_id, ...(!isWhole && { shown: shown + contributions.length }) };
  return { course: { ...course, contributions }, position };
}
