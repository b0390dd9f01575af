import { mappingList } from '../http/mapping-requests.ts';
import { listUserMappings as route } from '../shared/routes.ts';

/** `GET …/users/mappings` (§4.2 operation 4). */
export const handler = mappingList(
  route,
  'user-mappings',
  (mappings, ...from) => mappings.listUserMappings(...from),
  ({ external_user_id }) => external_user_id,
);
