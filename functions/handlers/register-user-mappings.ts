import { registerUserMappings as register } from '../catalog/register-mappings.ts';
import { migrationOperation } from '../http/operations.ts';
import { batchMember } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { MAX_MAPPINGS_PER_REQUEST } from '../shared/limits.ts';

/** `POST …/users/mappings` (§4.2 operation 3): upserts links of external user ids. Errors: 413 over 500 entries, 400, 429. */
export const registerUserMappings: ProtectedOperation = async ({ caller: { company }, json }, services) => {
  const mappings = batchMember(json(), 'mappings', MAX_MAPPINGS_PER_REQUEST);
  await services.stores.quotas.spend(company.company_id, { imports: 1 }, services.clock.nowMs());
  return { statusCode: 200, body: await register(company.company_id, mappings, services) };
};

export const handler = migrationOperation(registerUserMappings);
