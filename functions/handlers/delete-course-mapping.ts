import { deletion } from '../http/mapping-requests.ts';
import { deleteCourseMapping as route } from '../shared/routes.ts';

/** `DELETE …/catalog/mappings/{external_course_id}` (§4.8). */
export const handler = deletion(route, 'external_course_id', (mappings, ...of) => mappings.removeCourseMapping(...of));
