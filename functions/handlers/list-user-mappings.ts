import { mappingStore } from '../catalog/mapping-store.ts';
import { download } from '../http/operations.ts';
import { pageOf } from '../http/paging.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';

/** `GET …/users/mappings` (§4.2 operation 4): the user mappings currently registered, by external id. */
export const handler = download(
  (database) => ({
    stores: { mappings: mappingStore(database) },
  }),
  async (request, { stores }) => {
    const { company_id } = request.caller.company;
    const { items: mappings, next_cursor } = await pageOf(request, {
      scope: 'user-mappings',
      limits: PAGE_LIMITS.mappings,
      read: (limit, after: string | undefined) => stores.mappings.listUserMappings(company_id, limit, after),
      positionOf: ({ external_user_id }) => external_user_id,
    });
    return { statusCode: 200, body: { mappings, next_cursor } };
  },
);
