import { deletion } from '../http/mapping-requests.ts';
import { deleteUserMapping as route } from '../shared/routes.ts';

/** `DELETE …/users/mappings/{external_user_id}` (§4.8). */
export const handler = deletion(route, 'external_user_id', (mappings, ...of) => mappings.removeUserMapping(...of));
