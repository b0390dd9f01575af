import { resolveUsers as resolve } from '../catalog/resolve-users.ts';
import { migrationOperation } from '../http/operations.ts';
import { batchMember } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { MAX_EMAILS_PER_RESOLVE } from '../shared/limits.ts';

/** `POST …/users/resolve` (§4.2 operation 2): one result for each address, in the order sent. Errors: 413 over 100 addresses, 400. */
export const resolveUsers: ProtectedOperation = async ({ caller: { company }, json }, { stores }) => {
  const emails = batchMember(json(), 'emails', MAX_EMAILS_PER_RESOLVE);
  return { statusCode: 200, body: await resolve(company.company_id, emails, stores.directory) };
};

export const handler = migrationOperation(resolveUsers);
