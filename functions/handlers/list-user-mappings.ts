import { mappingList } from '../http/mapping-requests.ts';

/** `GET …/users/mappings` (§4.2 operation 4). */
export const handler = mappingList(
  'user-mappings',
  (mappings, ...from) => mappings.listUserMappings(...from),
  ({ external_user_id }) => external_user_id,
);
