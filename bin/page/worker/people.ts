/** The people that the files name, as the platform knows them. */
import { MAX_EMAILS_PER_RESOLVE } from '../../../functions/shared/limits.ts';
import { memberOf } from '../../importer/mapping/fields.ts';
import { batches } from '../../importer/records/listed-rows.ts';
import { service } from './account.ts';
import { recordSet } from './files.ts';

export interface Person {
  /** The address, or the id of the old system. */
  readonly name: string;
  readonly status: 'inactive' | 'not_found' | 'invalid';
  readonly records: number;
}

export interface People {
  readonly total: number;
  readonly active: number;
  /** Those that the platform does not know, or whose license is not active; the most frequent first. */
  readonly others: readonly Person[];
}

/** Reads the files, and asks the platform for each address and id once. */
export async function findPeople(): Promise<People> {
  const emails = new Map<string, number>();
  const ids = new Map<string, number>();
  for await (const { records } of (await recordSet()).chunks())
    for (const record of records) {
      const email = memberOf(record, 'user.email');
      const id = memberOf(record, 'user.external_user_id');
      if (typeof email === 'string') increment(emails, email);
      else if (typeof id === 'string') increment(ids, id);
    }
  const others = [...(await unusable(emails)), ...(await unregistered(ids))];
  const total = emails.size + ids.size;
  return { total, active: total - others.length, others: others.toSorted((a, b) => b.records - a.records) };
}

const increment = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

async function unusable(emails: ReadonlyMap<string, number>): Promise<Person[]> {
  const found: Person[] = [];
  for await (const entries of batches(emails, MAX_EMAILS_PER_RESOLVE)) {
    const { users } = await service().resolveUsers(entries.map(([email]) => email));
    for (const [position, [name, records]] of entries.entries()) {
      const status = users[position]?.status ?? 'not_found';
      if (status !== 'active') found.push({ name, status, records });
    }
  }
  return found;
}

async function unregistered(ids: ReadonlyMap<string, number>): Promise<Person[]> {
  if (ids.size === 0) return [];
  const unknown = new Map(ids);
  for await (const { external_user_id } of service().userMappings()) unknown.delete(external_user_id);
  return [...unknown].map(([name, records]) => ({ name, status: 'not_found', records }));
}
