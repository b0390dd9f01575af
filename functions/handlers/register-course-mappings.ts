import * as v from 'valibot';
import { registerCourseMappings as register } from '../catalog/register-mappings.ts';
import { mappingRequest } from '../http/bodies.ts';
import { membersOf } from '../http/request.ts';
import { migrationOperation, verifyingServices } from '../http/operations.ts';
import type { ProtectedOperation } from '../http/types.ts';

const body = mappingRequest(v.unknown());

/** `POST …/catalog/mappings` (§4.2 operation 5): upserts links of external course ids. Errors: 413 over 500 entries, 400, 429. */
export const registerCourseMappings: ProtectedOperation = async ({ caller: { company }, json }, services) => {
  const { mappings } = membersOf(body, json());
  await services.stores.quotas.spend(company.company_id, { imports: 1 }, services.clock.nowMs());
  return { statusCode: 200, body: await register(company.company_id, mappings, services) };
};

export const handler = migrationOperation(registerCourseMappings, {}, verifyingServices);
