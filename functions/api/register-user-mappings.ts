import { MAX_MAPPINGS_PER_REQUEST } from '../domain/limits.ts';
import { batchMember } from '../runtime/batch-member.ts';
import type { ProtectedOperation } from '../runtime/http.ts';
import { migrationOperation } from '../runtime/operation.ts';
import { registerUserMappings } from '../workflow/register-mappings.ts';

/** `POST …/users/mappings` (§4.2 operation 3): upserts links of external user ids. Errors: 413 over 500 entries, 400. */
export const registerMappings: ProtectedOperation = async ({ caller: { company }, json }, services) => {
  const mappings = batchMember(json(), 'mappings', MAX_MAPPINGS_PER_REQUEST);
  return { statusCode: 200, body: await registerUserMappings(company.company_id, mappings, services) };
};

export const handler = migrationOperation(registerMappings);
