import { cursorFrom, sealCursor } from '../runtime/cursor.ts';
import type { ProtectedOperation } from '../runtime/http.ts';
import { migrationOperation } from '../runtime/operation.ts';
import { pageOf } from '../runtime/page.ts';
import { limitFrom } from '../runtime/query.ts';

const SCOPE = 'course-mappings';

/** `GET …/catalog/mappings` (§4.2 operation 6): the course mappings currently registered, by external id. */
export const listCourseMappings: ProtectedOperation = async ({ caller: { company }, query }, { stores }) => {
  const limit = limitFrom(query, { max: 500, fallback: 500 });
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
