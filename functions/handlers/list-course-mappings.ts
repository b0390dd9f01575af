import { migrationOperation } from '../http/handler.ts';
import { cursorFrom, pageOf, sealCursor } from '../http/paging.ts';
import { limitFrom } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

const SCOPE = 'course-mappings';

/** `GET …/catalog/mappings` (§4.2 operation 6): the course mappings currently registered, by external id. */
export const listCourseMappings: ProtectedOperation = async ({ caller: { company }, query }, { stores }) => {
  const limit = limitFrom(query, PAGE_LIMITS.mappings);
  const after = cursorFrom<string>(query, company, SCOPE);
  const { items, last } = pageOf(await stores.mappings.listCourseMappings(company.company_id, limit + 1, after), limit);
  const mappings = items.map(({ external_course_id, platform_course_id, updated_at }) => ({
    external_course_id,
    platform_course_id,
    updated_at,
  }));
  return {
    statusCode: 200,
    body: { mappings, next_cursor: last && sealCursor(company, SCOPE, last.external_course_id) },
  };
};

export const handler = migrationOperation(listCourseMappings);
