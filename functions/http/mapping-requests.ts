/** The operations on mappings, of users and of courses (§4.2 operations 3 to 6). */
import * as v from 'valibot';
import { deployedQuotas } from '../auth/quotas.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { mappingStore, type MappingStore } from '../catalog/mapping-store.ts';
import type { registerCourseMappings, registerUserMappings } from '../catalog/register-mappings.ts';
import { mappingRequest } from './bodies.ts';
import { bodyOf, expectNoBody } from './json-body.ts';
import { download, migrationOperation } from './operations.ts';
import { pageOf } from './paging.ts';
import { RequestRejected } from './types.ts';
import { isExternalIdText } from '../records/identifiers.ts';
import { quoted } from '../records/text.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import type { CompanyRoute } from '../shared/routes.ts';

/** Upserts links of external ids. Errors: 413 over 500 entries, 400, 429. */
export function registration(
  route: CompanyRoute,
  register: typeof registerUserMappings | typeof registerCourseMappings,
) {
  const body = mappingRequest(v.unknown());
  return migrationOperation(
    route,
    (database, environment) => ({
      stores: {
        directory: directoryStore(database),
        mappings: mappingStore(database),
        quotas: deployedQuotas(database, environment),
      },
    }),
    async (request, services) => {
      const { company_id } = request.caller.company;
      const { mappings } = bodyOf(body, request);
      const headers = await services.stores.quotas.spend(company_id, { imports: 1 }, services.clock.nowMs());
      return { statusCode: 200, headers, body: await register(company_id, mappings, services) };
    },
  );
}

/** Deletes a link; records that it resolved keep what they have. A malformed id is linked to nothing. Errors: 404 `mapping_not_found`. */
export function deletion(
  route: CompanyRoute,
  name: 'external_user_id' | 'external_course_id',
  remove: (mappings: MappingStore, company_id: string, id: string) => Promise<boolean>,
) {
  return migrationOperation(
    route,
    (database) => ({ stores: { mappings: mappingStore(database) } }),
    async (request, { stores }) => {
      expectNoBody(request);
      const { [name]: id = '' } = request.path;
      const { company_id } = request.caller.company;
      if (isExternalIdText(id) && (await remove(stores.mappings, company_id, id))) return { statusCode: 204 };
      throw new RequestRejected('mapping_not_found', `No ${name} ${quoted(id)} is registered.`);
    },
  );
}

/** The mappings currently registered, by external id. */
export const mappingList = <Mapping>(
  route: CompanyRoute,
  scope: string,
  list: (mappings: MappingStore, ...from: Parameters<MappingStore['listUserMappings']>) => Promise<readonly Mapping[]>,
  idOf: (mapping: Mapping) => string,
) =>
  download(
    route,
    (database) => ({ stores: { mappings: mappingStore(database) } }),
    async (request, { stores }) => {
      const { company_id } = request.caller.company;
      const { items: mappings, next_cursor } = await pageOf(request, {
        scope,
        limits: PAGE_LIMITS.mappings,
        read: (limit, after: string | undefined) => list(stores.mappings, company_id, limit, after),
        positionOf: idOf,
      });
      return { statusCode: 200, body: { mappings, next_cursor }, shows: mappings.length };
    },
  );
