import { emailKey, isEmailAddress } from '../domain/email.ts';
import { countStatuses, resolveEntry, type ResolvedUser, type ResolveStatus } from '../domain/resolve-entry.ts';
import type { DirectoryStore } from './ports.ts';

export interface ResolveReport {
  readonly users: readonly ResolvedUser[];
  readonly counts: Readonly<Record<ResolveStatus, number>>;
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
