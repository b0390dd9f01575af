/** By an administrator's table, or by likely addresses: the interface lists no users, it only checks addresses. */
import { MAX_EMAILS_PER_RESOLVE } from '../../wire/values.ts';
import type { ResolvedUser, Service } from '../../wire/types.ts';
import { batches } from './listed-rows.ts';
import { addressOf } from '../ground/user-name.ts';
import { matchedUsers, type OldUser, type PlatformUser, type UserMatch } from './users.ts';

type Client = Pick<Service, 'resolveUsers' | 'userMappings'>;

interface FindUsersOptions {
  /** All users of the platform, if there is a table of them. */
  readonly users?: readonly PlatformUser[] | undefined;
  /** Domains that the company has given up, and those that their addresses have now. */
  readonly moved: ReadonlyMap<string, string>;
  /** Of which addresses, in lower case, the platform was asked before, and whether an active user has them. */
  readonly asked?: ReadonlyMap<string, boolean>;
}

/** Further domains to try: those that most of the active addresses have. */
const MOST_DOMAINS = 5;

/** The counterpart of each person; every one that is certain has an active license. */
export async function findUsers<Old extends OldUser>(
  client: Client,
  old: readonly Old[],
  { users, moved, asked }: FindUsersOptions,
): Promise<(Old & UserMatch)[]> {
  const registered = new Map<string, string>();
  for await (const { external_user_id, email } of client.userMappings()) registered.set(external_user_id, email);
  const known = users ?? (await likelyUsers(client, old, moved, asked));
  const matched = matchedUsers({ users: known, registered, moved }, old);
  const found = matched.flatMap(({ kind, user }) => (user === undefined || kind === 'registered' ? [] : [user.email]));
  const active = await activeOf(client, users === undefined ? [] : found);
  return matched.map((each) =>
    users === undefined ||
    each.kind === 'registered' ||
    each.user === undefined ||
    active.has(each.user.email.toLowerCase())
      ? each
      : { ...each, kind: 'ambiguous', user: undefined },
  );
}

async function likelyUsers(
  client: Client,
  old: readonly OldUser[],
  moved: ReadonlyMap<string, string>,
  asked?: ReadonlyMap<string, boolean>,
): Promise<PlatformUser[]> {
  const own = (each: OldUser): string[] => ownAddresses(each, moved);
  const first = await activeOf(client, old.flatMap(own), asked);
  const domains = frequentDomains(first);
  const missing = old.filter((each) => !own(each).some((email) => first.has(email)));
  const others = missing.flatMap((each) => otherAddresses(each, domains));
  const second = await activeOf(client, others);
  return [...first, ...second].map((email) => ({ email }));
}

/** The address, without its tag too, and at the domain that its own one became. */
function ownAddresses({ email = '' }: OldUser, moved: ReadonlyMap<string, string>): string[] {
  const address = addressOf(email);
  if (address === undefined) return [];
  const { mailbox, domain } = address;
  const now = moved.get(domain);
  return [email.trim().toLowerCase(), `${mailbox}@${domain}`, ...(now === undefined ? [] : [`${mailbox}@${now}`])];
}

/** At the other domains of the company: the same mailbox, and the first and the last word of the name. */
function otherAddresses({ email, name }: OldUser, domains: readonly string[]): string[] {
  const words =
    (name ?? '')
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[a-z]+/g) ?? [];
  const mailbox = addressOf(email)?.mailbox;
  const mailboxes = [
    ...(mailbox === undefined ? [] : [mailbox]),
    ...(words.length < 2 ? [] : [`${words[0]}.${words.at(-1)}`]),
  ];
  return domains.flatMap((domain) => mailboxes.map((each) => `${each}@${domain}`));
}

function frequentDomains(emails: ReadonlySet<string>): string[] {
  const counts = new Map<string, number>();
  for (const email of emails) {
    const domain = email.slice(email.indexOf('@') + 1);
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_DOMAINS)
    .map(([domain]) => domain);
}

/** The addresses of users with an active license, in lower case. */
async function activeOf(
  client: Client,
  emails: readonly string[],
  asked: ReadonlyMap<string, boolean> = new Map(),
): Promise<Set<string>> {
  const each = [...new Set(emails.map((email) => email.toLowerCase()))];
  const active = new Set(each.filter((email) => asked.get(email)));
  const open = each.filter((email) => !asked.has(email));
  for await (const [email, { status }] of resolvedUsers(client, open, (one) => one))
    if (status === 'active') active.add(email);
  return active;
}

/** Requests that are under way at a time: most of one is waiting. */
const AT_ONCE = 4;

/** Each item with what the platform says of its address (§4.2 operation 2), in order, in as many requests as needed. */
export async function* resolvedUsers<Item>(
  client: Pick<Service, 'resolveUsers'>,
  items: Iterable<Item>,
  emailOf: (item: Item) => string,
): AsyncGenerator<[Item, ResolvedUser]> {
  const asked: Promise<[Item, ResolvedUser][]>[] = [];
  for await (const some of batches(items, MAX_EMAILS_PER_RESOLVE)) {
    const found = resolved(client, some, emailOf);
    // It is reported when its turn comes.
    found.catch(() => undefined);
    if (asked.push(found) >= AT_ONCE) yield* (await asked.shift()) ?? [];
  }
  for (const each of asked) yield* await each;
}

async function resolved<Item>(
  client: Pick<Service, 'resolveUsers'>,
  items: readonly Item[],
  emailOf: (item: Item) => string,
): Promise<[Item, ResolvedUser][]> {
  const { users } = await client.resolveUsers(items.map(emailOf));
  return items.flatMap((item, index): [Item, ResolvedUser][] => {
    const user = users[index];
    return user === undefined ? [] : [[item, user]];
  });
}
