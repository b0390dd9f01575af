import { mappingStore } from '../catalog/mapping-store.ts';
import { download } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

/** `GET …/catalog/mappings` (§4.2 operation 6): the course mappings currently registered, by external id. */
export const handler = download(
  (database) => ({
    stores: { mappings: mappingStore(database) },
  }),
  async (request, { stores }) => {
    const { company_id } = request.caller.company;
    const { items: mappings, next_cursor } = await pageOf(request, {
      scope: 'course-mappings',
      limits: PAGE_LIMITS.mappings,
      read: (limit, after: string | undefined) => stores.mappings.listCourseMappings(company_id, limit, after),
      positionOf: ({ external_course_id }) => external_course_id,
    });
    return { statusCode: 200, body: { mappings, next_cursor } };
  },
);
