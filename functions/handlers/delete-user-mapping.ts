import { deletion } from '../http/mapping-requests.ts';

/** `DELETE …/users/mappings/{external_user_id}` (§4.8). */
export const handler = deletion('external_user_id', (mappings, ...of) => mappings.removeUserMapping(...of));
