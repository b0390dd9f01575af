import * as v from 'valibot';
import { deployedQuotas } from '../auth/quotas.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { mappingStore } from '../catalog/mapping-store.ts';
import { registerUserMappings as register } from '../catalog/register-mappings.ts';
import { mappingRequest } from '../http/bodies.ts';
import { bodyOf } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';

const body = mappingRequest(v.unknown());

/** `POST …/users/mappings` (§4.2 operation 3): upserts links of external user ids. Errors: 413 over 500 entries, 400, 429. */
export const handler = migrationOperation(
  (database, environment) => ({
    stores: {
      directory: directoryStore(database),
      mappings: mappingStore(database),
      quotas: deployedQuotas(database, environment),
    },
  }),
  async (request, services) => {
    const { company } = request.caller;
    const { mappings } = bodyOf(body, request);
    await services.stores.quotas.spend(company.company_id, { imports: 1 }, services.clock.nowMs());
    return { statusCode: 200, body: await register(company.company_id, mappings, services) };
  },
);
