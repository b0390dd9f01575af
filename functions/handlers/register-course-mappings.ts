import { registerCourseMappings } from '../catalog/register-mappings.ts';
import { registration } from '../http/mapping-requests.ts';
import { registerCourseMappings as route } from '../shared/routes.ts';

/** `POST …/catalog/mappings` (§4.2 operation 5). */
export const handler = registration(route, registerCourseMappings);
