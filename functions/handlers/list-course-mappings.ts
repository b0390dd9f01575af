import { mappingList } from '../http/mapping-requests.ts';

/** `GET …/catalog/mappings` (§4.2 operation 6). */
export const handler = mappingList(
  'course-mappings',
  (mappings, ...from) => mappings.listCourseMappings(...from),
  ({ external_course_id }) => external_course_id,
);
