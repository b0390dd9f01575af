import { registerCourseMappings } from '../catalog/register-mappings.ts';
import { registration } from '../http/mapping-requests.ts';

/** `POST …/catalog/mappings` (§4.2 operation 5). */
export const handler = registration(registerCourseMappings);
