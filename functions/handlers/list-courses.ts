import { directoryStore } from '../catalog/directory-store.ts';
import { download } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { revalidated } from '../http/response.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import { listCourses as route } from '../shared/routes.ts';

/** `GET …/catalog/courses` (§4.2 operation 1): the company's catalog by course id, with the ids of its classes. */
export const handler = download(
  route,
  (database) => ({ stores: { directory: directoryStore(database) } }),
  async (request, { stores }) => {
    const { company_id } = request.caller.company;
    const { items: courses, next_cursor } = await pageOf(request, {
      scope: 'courses',
      limits: PAGE_LIMITS.courses,
      read: (limit, after: number | undefined) => stores.directory.listCourses(company_id, limit, after),
      positionOf: ({ platform_course_id }) => platform_course_id,
    });
    const body = { courses, next_cursor };
    return revalidated(request, { from: body, body: () => body });
  },
);
