import { migrationOperation } from '../http/handler.ts';
import { cursorFrom, pageOf, sealCursor } from '../http/paging.ts';
import { limitFrom } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

const SCOPE = 'courses';

/** `GET …/catalog/courses` (§4.2 operation 1): the company's catalog by course id, with the ids of its classes. */
export const listCourses: ProtectedOperation = async ({ caller: { company }, query }, { stores }) => {
  const limit = limitFrom(query, PAGE_LIMITS.courses);
  const after = cursorFrom<number>(query, company, SCOPE);
  const { items, last } = pageOf(await stores.directory.listCourses(company.company_id, limit + 1, after), limit);
  const courses = items.map(({ platform_course_id, title, has_exam, classes }) => ({
    platform_course_id,
    title,
    has_exam,
    classes,
  }));
  return {
    statusCode: 200,
    body: { courses, next_cursor: last && sealCursor(company, SCOPE, last.platform_course_id) },
  };
};

export const handler = migrationOperation(listCourses);
