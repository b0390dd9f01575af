import * as v from 'valibot';
import { registerUserMappings as register } from '../catalog/register-mappings.ts';
import { mappingRequest } from '../http/bodies.ts';
import { membersOf } from '../http/request.ts';
import { migrationOperation, verifyingServices } from '../http/operations.ts';
import type { ProtectedOperation } from '../http/types.ts';

const body = mappingRequest(v.unknown());

/** `POST …/users/mappings` (§4.2 operation 3): upserts links of external user ids. Errors: 413 over 500 entries, 400, 429. */
export const registerUserMappings: ProtectedOperation = async ({ caller: { company }, json }, services) => {
  const { mappings } = membersOf(body, json());
  await services.stores.quotas.spend(company.company_id, { imports: 1 }, services.clock.nowMs());
  return { statusCode: 200, body: await register(company.company_id, mappings, services) };
};

export const handler = migrationOperation(registerUserMappings, {}, verifyingServices);
