import { registerCourseMappings as register } from '../catalog/register-mappings.ts';
import { migrationOperation } from '../http/operations.ts';
import { batchMember } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { MAX_MAPPINGS_PER_REQUEST } from '../shared/limits.ts';

/** `POST …/catalog/mappings` (§4.2 operation 5): upserts links of external course ids. Errors: 413 over 500 entries, 400, 429. */
export const registerCourseMappings: ProtectedOperation = async ({ caller: { company }, json }, services) => {
  const mappings = batchMember(json(), 'mappings', MAX_MAPPINGS_PER_REQUEST);
  await services.stores.quotas.spend(company.company_id, { imports: 1 }, services.clock.nowMs());
  return { statusCode: 200, body: await register(company.company_id, mappings, services) };
};

export const handler = migrationOperation(registerCourseMappings);
