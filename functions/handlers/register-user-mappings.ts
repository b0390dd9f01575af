import { registerUserMappings } from '../catalog/register-mappings.ts';
import { registration } from '../http/mapping-requests.ts';
import { registerUserMappings as route } from '../shared/routes.ts';

/** `POST …/users/mappings` (§4.2 operation 3). */
export const handler = registration(route, registerUserMappings);
