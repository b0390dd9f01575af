import { resolveUsers } from '../catalog/resolve-users.ts';
import { migrationOperation } from '../http/handler.ts';
import { batchMember } from '../http/request.ts';
import type { ProtectedOperation } from '../http/types.ts';
import { MAX_EMAILS_PER_RESOLVE } from '../shared/limits.ts';

/** `POST …/users/resolve` (§4.2 operation 2): one answer for each address, in the order sent. Errors: 413 over 100 addresses, 400. */
export const resolveUsersOfCompany: ProtectedOperation = async ({ caller: { company }, json }, { stores }) => {
  const emails = batchMember(json(), 'emails', MAX_EMAILS_PER_RESOLVE);
  return { statusCode: 200, body: await resolveUsers(company.company_id, emails, stores.directory) };
};

export const handler = migrationOperation(resolveUsersOfCompany);
