import { mappingList } from '../http/mapping-requests.ts';
import { listCourseMappings as route } from '../shared/routes.ts';

/** `GET …/catalog/mappings` (§4.2 operation 6). */
export const handler = mappingList(
  route,
  'course-mappings',
  (mappings, ...from) => mappings.listCourseMappings(...from),
  ({ external_course_id }) => external_course_id,
);
