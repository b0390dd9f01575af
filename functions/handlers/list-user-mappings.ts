import { migrationOperation } from '../http/handler.ts';
import { cursorFrom, pageOf, sealCursor } from '../http/paging.ts';
import { limitFrom } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

const SCOPE = 'user-mappings';

/** `GET …/users/mappings` (§4.2 operation 4): the user mappings currently registered, by external id. */
export const listUserMappings: ProtectedOperation = async ({ caller: { company }, query }, { stores }) => {
  const limit = limitFrom(query, PAGE_LIMITS.mappings);
  const after = cursorFrom<string>(query, company, SCOPE);
  const { items, last } = pageOf(await stores.mappings.listUserMappings(company.company_id, limit + 1, after), limit);
  const mappings = items.map(({ external_user_id, email, user_id, updated_at }) => ({
    external_user_id,
    email,
    user_id,
    updated_at,
  }));
  return {
    statusCode: 200,
    body: { mappings, next_cursor: last && sealCursor(company, SCOPE, last.external_user_id) },
  };
};

export const handler = migrationOperation(listUserMappings);
