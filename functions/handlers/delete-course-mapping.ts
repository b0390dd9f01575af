import { deletion } from '../http/mapping-requests.ts';

/** `DELETE …/catalog/mappings/{external_course_id}` (§4.8). */
export const handler = deletion('external_course_id', (mappings, ...of) => mappings.removeCourseMapping(...of));
