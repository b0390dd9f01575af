/** The names by which records refer to a person: those that are registered, and those that their records have. */
import type { Erasure } from './store.ts';
import type { DirectoryStore } from '../catalog/directory-store.ts';
import type { MappingStore } from '../catalog/mapping-store.ts';
import { emailKey } from '../records/identifiers.ts';
import { NO_ACCOUNT, type Person } from '../records/person.ts';
import type { UserMapping } from '../shared/model.ts';

export type Names = Erasure['names'];
type Named = Pick<Erasure, 'company_id' | 'user_id' | 'names'>;

interface NamingStores {
  readonly directory: Pick<DirectoryStore, 'users'>;
  readonly mappings: Pick<MappingStore, 'listUserMappings' | 'userMappings'>;
}

const MOST_NAMES = 2_000;
const MAPPINGS_ON_A_PAGE = 5_000;

export const sizeOf = ({ emails, external_ids }: Names): number => emails.length + external_ids.length;

export function union(a: Names, b: Names): Names {
  const of = (kind: keyof Names) => [...new Set([...a[kind], ...b[kind]])].slice(0, MOST_NAMES);
  return { emails: of('emails'), external_ids: of('external_ids') };
}

export function personNamed({ user_id, names: { emails, external_ids } }: Omit<Named, 'company_id'>): Person {
  return { user_id, emails: new Set(emails), external_ids: new Set(external_ids) };
}

/** The mappings that lead to the person. */
export async function mappingsOf(
  { company_id, user_id }: Omit<Named, 'names'>,
  { mappings }: Pick<NamingStores, 'mappings'>,
): Promise<UserMapping[]> {
  if (user_id === NO_ACCOUNT) return [];
  const theirs: UserMapping[] = [];
  let after: string | undefined;
  do {
    const page = await mappings.listUserMappings(company_id, MAPPINGS_ON_A_PAGE, after);
    theirs.push(...page.filter((mapping) => mapping.user_id === user_id));
    after = page.length < MAPPINGS_ON_A_PAGE ? undefined : page.at(-1)?.external_user_id;
  } while (after !== undefined);
  return theirs;
}

export const idOfMapping = ({ external_user_id }: UserMapping): string => external_user_id;

export const namesOfMappings = (mappings: readonly UserMapping[]): Names => ({
  emails: mappings.map(({ email }) => emailKey(email)),
  external_ids: mappings.map(idOfMapping),
});

export async function registeredNames(erasure: Omit<Named, 'names'>, stores: NamingStores): Promise<Names> {
  return namesOfMappings(await mappingsOf(erasure, stores));
}

/** Without the names that belong to another user now: their records are not the person's. */
export async function ownNames(
  { company_id, user_id, names }: Named,
  { directory, mappings }: NamingStores,
): Promise<Names> {
  const users = await directory.users(company_id, names.emails, true);
  const registered = await mappings.userMappings(company_id, names.external_ids);
  const isOthers = (holder: { readonly user_id: number } | undefined) =>
    holder !== undefined && holder.user_id !== user_id;
  return {
    emails: names.emails.filter((email) => !isOthers(users.get(email))),
    external_ids: names.external_ids.filter((id) => !isOthers(registered.get(id))),
  };
}
