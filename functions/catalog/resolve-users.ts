/** Which e-mail addresses belong to users that an import can name (§4.2 operation 2). */
import type { DirectoryStore } from './directory-store.ts';
import { emailKey, emailRule, isEmailAddress, hasActiveLicense } from '../records/identifiers.ts';
import type { ResolveReport, ResolvedUser, User, RecordErrorCode, ResolveStatus } from '../shared/model.ts';

export const NO_SUCH_USER = 'No user in this company has this e-mail address.';
export const NO_ACTIVE_LICENSE = 'This user has no active license.';

/** Finds for each address whether a user of the company with an active license has it (§4.2 operation 2). Writes nothing. */
export async function resolveUsers(
  company_id: string,
  emails: readonly unknown[],
  directory: DirectoryStore,
): Promise<ResolveReport> {
  const found = await directory.users(company_id, addressKeys(emails), true);
  const users = emails.map((email) => resolved(email, found));
  const counts = { active: 0, inactive: 0, not_found: 0, invalid: 0 };
  for (const { status } of users) counts[status] += 1;
  return { users, counts };
}

function resolved(sent: unknown, users: ReadonlyMap<string, User>): ResolvedUser {
  const email = typeof sent === 'string' ? sent : null;
  const unresolved = (status: ResolveStatus, error_code: RecordErrorCode, message: string, user_id: number | null) => ({
    email,
    status,
    user_id,
    errors: [{ error_code, message, field: 'email' }],
  });
  if (!isEmailAddress(sent)) return unresolved('invalid', 'invalid_record', `email ${emailRule(sent)}.`, null);
  const user = users.get(emailKey(sent));
  if (user === undefined) return unresolved('not_found', 'user_not_found', NO_SUCH_USER, null);
  const { user_id } = user;
  if (!hasActiveLicense(user)) return unresolved('inactive', 'user_inactive', NO_ACTIVE_LICENSE, user_id);
  return { email, status: 'active', user_id, errors: [] };
}

/** The distinct lookup forms of the addresses among these values; malformed ones are left out. */
export function addressKeys(values: readonly unknown[]): string[] {
  return [...new Set(values.filter(isEmailAddress).map(emailKey))];
}
