/** People of an old system against the users of the platform: the same address, then the same mailbox, then another domain. */
import { groupedBy } from '../../wire/values.ts';
import { type Address, addressOf, fullName, namesContradict } from '../ground/user-name.ts';
import { saysTopic } from '../lexicon/topics.ts';

export interface PlatformUser {
  readonly email: string;
  readonly name?: string | undefined;
}

export interface OldUser {
  /** The person's id in the old system; the address if there is no id. */
  readonly id: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

/**
 * `registered`: the platform knows the id already. `same address`, `same mailbox` (but for a `+tag`), `moved` (to another domain):
 * there is one counterpart. `ambiguous`: a person has to choose. `none`: no user fits.
 */
type UserMatchKind = 'registered' | 'same address' | 'same mailbox' | 'moved' | 'ambiguous' | 'none';

/** The counterpart of a person, or those that may be. */
export interface UserMatch {
  readonly kind: UserMatchKind;
  /** The counterpart; only where it is certain. */
  readonly user: PlatformUser | undefined;
  /** Users that may be meant, the likeliest first. */
  readonly candidates: readonly PlatformUser[];
}

interface KnownUsers {
  readonly users: readonly PlatformUser[];
  /** Addresses by ids of the old system that the platform knows. */
  readonly registered?: ReadonlyMap<string, string> | undefined;
  /** Domains that the company has given up, and those that their addresses have now. */
  readonly moved?: ReadonlyMap<string, string> | undefined;
}

const MOST_CANDIDATES = 3;

/** Mailboxes that people share: a tag there stands for a person. */
const isShared = (mailbox: string): boolean => saysTopic(mailbox, 'shared_mailbox');

export function userMatcher({ users, registered, moved }: KnownUsers): (old: OldUser) => UserMatch {
  const byEmail = new Map(users.map((user) => [user.email.toLowerCase(), user]));
  const alone = [...byEmail.values()];
  const byMailbox = groupedBy(alone, ({ email }) => addressOf(email)?.mailbox ?? email);
  const byName = groupedBy(alone, ({ name }) => fullName(name));
  const namesakes = (name: string | undefined): readonly PlatformUser[] =>
    fullName(name) === '' ? [] : (byName.get(fullName(name)) ?? []);

  /** An address that now belongs to a person with another name was given to another person. */
  function sameAddress({ email = '', name }: OldUser): UserMatch | undefined {
    const user = byEmail.get(email.trim().toLowerCase());
    if (user === undefined) return undefined;
    return namesContradict(name, user.name) ? ambiguous([user]) : certain('same address', user);
  }

  function sameMailbox({ name }: OldUser, { mailbox, domain, hasTag }: Address): UserMatch | undefined {
    const user = hasTag ? byEmail.get(`${mailbox}@${domain}`) : undefined;
    if (user === undefined) return undefined;
    return isShared(mailbox) || namesContradict(name, user.name) ? ambiguous([user]) : certain('same mailbox', user);
  }

  /** At the domain that the company names in place of the old one. */
  function atMovedDomain({ name }: OldUser, { mailbox, domain, hasTag }: Address): UserMatch | undefined {
    const user = byEmail.get(`${mailbox}@${moved?.get(domain) ?? ''}`);
    return user === undefined || hasTag || namesContradict(name, user.name) ? undefined : certain('moved', user);
  }

  /** At another domain; certain with the same full name, which no other user has. */
  function atOtherDomain({ name }: OldUser, { mailbox }: Address): UserMatch | undefined {
    const others = byMailbox.get(mailbox) ?? [];
    const [user] = others;
    if (user === undefined) return undefined;
    const same = namesakes(name);
    const isOne = others.length === 1 && same.length === 1 && same[0] === user;
    return isOne ? certain('moved', user) : ambiguous([...others, ...same]);
  }

  /** Never certain: companies have namesakes, and one who has left may have been followed by another. */
  function sameName({ name }: OldUser): UserMatch {
    const same = namesakes(name);
    return same.length === 0 ? { kind: 'none', user: undefined, candidates: [] } : ambiguous(same);
  }

  function byAddress(old: OldUser, address: Address): UserMatch | undefined {
    const own = sameMailbox(old, address);
    return (
      own ?? (isShared(address.mailbox) ? undefined : (atMovedDomain(old, address) ?? atOtherDomain(old, address)))
    );
  }

  return (old) => {
    const known = registered?.get(old.id);
    if (known !== undefined) return certain('registered', byEmail.get(known.toLowerCase()) ?? { email: known });
    const address = addressOf(old.email);
    return sameAddress(old) ?? (address && byAddress(old, address)) ?? sameName(old);
  };
}

const certain = (kind: UserMatchKind, user: PlatformUser): UserMatch => ({ kind, user, candidates: [user] });

const ambiguous = (candidates: readonly PlatformUser[]): UserMatch => ({
  kind: 'ambiguous',
  user: undefined,
  candidates: [...new Set(candidates)].slice(0, MOST_CANDIDATES),
});

/** Accounts of one person may share a user; of people with different names only the one with its address keeps it. */
export function matchedUsers<Old extends OldUser>(known: KnownUsers, old: readonly Old[]): (Old & UserMatch)[] {
  const match = userMatcher(known);
  const matched = old.map((each) => ({ ...each, ...match(each) }));
  const sharing = groupedBy(
    matched.filter(({ user }) => user !== undefined),
    ({ user }) => user?.email.toLowerCase() ?? '',
  );
  return matched.map((each) => {
    const others = each.user === undefined ? [] : (sharing.get(each.user.email.toLowerCase()) ?? []);
    const isOwn = each.kind === 'registered' || each.kind === 'same address';
    return !isOwn && others.some(({ name }) => namesContradict(name, each.name))
      ? { ...each, ...ambiguous(each.candidates) }
      : each;
  });
}
