import type { DirectoryStore } from './directory-store.ts';
import { emailKey, isEmailAddress } from '../records/identifiers.ts';
import type { Problem } from '../shared/codes.ts';
import type { ResolveReport, ResolvedUser, User } from '../shared/model.ts';

/** Judges one item of `emails`. `users` holds the company's users by e-mail address in lookup form. */
export function resolveEntry(sent: unknown, users: ReadonlyMap<string, User>): ResolvedUser {
  const email = typeof sent === 'string' ? sent : null;
  if (!isEmailAddress(sent)) {
    return {
      email,
      status: 'invalid',
      user_id: null,
      errors: [problem('invalid_record', 'email must be an e-mail address')],
    };
  }
  const user = users.get(emailKey(sent));
  if (user === undefined) {
    return {
      email,
      status: 'not_found',
      user_id: null,
      errors: [problem('user_not_found', 'email is of no user of the company')],
    };
  }
  const { user_id, license } = user;
  if (license === 'active') return { email, status: 'active', user_id, errors: [] };
  return { email, status: 'inactive', user_id, errors: [problem('user_inactive', 'the user has no active license')] };
}

/** How many entries have each status; repeats count. */
export function countStatuses(users: readonly ResolvedUser[]): ResolveReport['counts'] {
  const counts = { active: 0, inactive: 0, not_found: 0, invalid: 0 };
  for (const { status } of users) counts[status] += 1;
  return counts;
}

function problem(error_code: Problem['error_code'], message: string): Problem {
  return { error_code, message, field: 'email' };
}

/** Tells of each address whether it is of a user with an active license in the company (§4.2 operation 2). Writes nothing. */
export async function resolveUsers(
  company_id: string,
  emails: readonly unknown[],
  directory: DirectoryStore,
): Promise<ResolveReport> {
  const users = await directory.users(company_id, addressKeys(emails), true);
  const resolved = emails.map((email) => resolveEntry(email, users));
  return { users: resolved, counts: countStatuses(resolved) };
}

/** The distinct addresses among the values, in lookup form. */
export function addressKeys(values: readonly unknown[]): string[] {
  return [...new Set(values.filter(isEmailAddress).map(emailKey))];
}
