/** Companies whose people changed between the old system and the platform, with the truth of who is who. */
import type { OldUser, PlatformUser } from '../../../../bin/importer/engine/match/users.ts';
import type { Dice } from '../../../kit/dice.ts';

const FIRST =
  'Ana José María Lucía Łukasz Zofia Jürgen Anke Zoë Chloé François Renée Çağla Işıl Elif Giulia Matteo João Inês Søren Astrid Priya Arjun Wei Mei Hana Kenji Olga Dmitri Amina Farid Grace Ben Emma Noah Liam Olivia Sophie Tom Ida'.split(
    ' ',
  );
const LAST =
  'López García Fernández Kowalski Wiśniewska Müller Groß Schäfer Dubois Lefèvre Yılmaz Öztürk Rossi Bianchi Silva Gonçalves Sørensen Østergård Patel Sharma Wang Li Tanaka Suzuki Ivanova Volkov Haddad Mensah Castillo Smith Jones Brown Taylor Evans Nguyen Novák Horvat Popescu Jansen O’Neill'.split(
    ' ',
  );

/** Surnames are many: in a company of a few hundred, about one in a hundred has a namesake. */
const ENDINGS = 'ez ski sson mann berg oğlu ini eau ova wicz stein feld dahl by ham ton ley worth ides ić'.split(' ');

function surname(dice: Dice): string {
  const last = dice.pick(LAST);
  return dice.oneIn(5) ? last : `${last.slice(0, dice.between(3, 4))}${dice.pick(ENDINGS)}`;
}

interface Person {
  readonly names: readonly string[];
  readonly email: string;
}

export interface Labelled extends OldUser {
  /** The address of the same person on the platform; `undefined` for one who is not there. */
  readonly truth: string | undefined;
}

export interface Company {
  readonly users: readonly PlatformUser[];
  readonly old: readonly Labelled[];
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replaceAll('đ', 'd')
    .replaceAll(/[^a-z]/g, '');

const [NOW, BEFORE, OTHER] = ['acme.example', 'acme-old.example', 'brand.example'] as const;

/** Two names, or as often in Spain three or four. */
function namesOf(dice: Dice): string[] {
  const more = dice.chance(0.2) ? [surname(dice)] : [];
  return [dice.pick(FIRST), ...(dice.chance(0.15) ? [dice.pick(FIRST)] : []), surname(dice), ...more];
}

const mailboxOf = (names: readonly string[], scheme: 'full' | 'short'): string => {
  const [first, last] = [plain(names[0] ?? ''), plain(names.at(-1) ?? '')];
  return scheme === 'full' ? `${first}.${last}` : `${first.slice(0, 1)}${last}`;
};

/** As another system writes a name: in another order, in capitals, without accents; or not at all. */
function written(names: readonly string[], dice: Dice): string | undefined {
  const name = names.join(' ');
  return dice.pick([
    name,
    name,
    name,
    `${names.at(-1)}, ${names.slice(0, -1).join(' ')}`,
    name.toUpperCase(),
    name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    undefined,
  ]);
}

export function companyOf(dice: Dice, size: number): Company {
  const taken = new Set<string>();
  const hire = (names = namesOf(dice)): Person => {
    const mailbox = mailboxOf(names, 'full');
    const domain = dice.chance(0.9) ? NOW : OTHER;
    let email = `${mailbox}@${domain}`;
    for (let number = 2; taken.has(email); number += 1) email = `${mailbox}${number}@${domain}`;
    taken.add(email);
    return { names, email };
  };
  const staff = Array.from({ length: size }, () => hire());
  const stayed = staff.filter(() => dice.chance(0.8)).flatMap((person) => accountsOf(person, dice));
  const left = Array.from({ length: Math.round(size * 0.15) }, () => leaver(staff, dice));
  const users = staff.map(({ names, email }) => ({ email, name: names.join(' ') }));
  return { users, old: dice.shuffled([...stayed, ...left]).map((each, index) => ({ ...each, id: `E${index}` })) };
}

type Account = Omit<Labelled, 'id'>;

/** The accounts of a person in the old system, by how they differ from the user of the platform. */
function accountsOf({ names, email }: Person, dice: Dice): Account[] {
  const [mailbox = '', domain = ''] = email.split('@');
  const account = (address: string | undefined, own = names): Account => ({
    email: address,
    name: written(own, dice),
    truth: email,
  });
  const married = [...names.slice(0, -1), surname(dice)];
  const kinds = [
    () => [account(email)],
    () => [account(email)],
    () => [account(email.toUpperCase())],
    () => [account(`${mailbox}+${dice.pick(['lms', 'training', '2019'])}@${domain}`)],
    () => [account(`${mailbox}@${BEFORE}`)],
    () => [account(`${mailbox}@${BEFORE}`), account(`${mailbox}+test@${domain}`)],
    () => [account(`${mailboxOf(names, 'short')}@${domain}`)],
    () => [account(`${mailboxOf(married, 'full')}@${NOW}`, married)],
    () => [account(`training+${mailbox}@${NOW}`)],
    () => [account(undefined)],
  ];
  return dice.pick(kinds)();
}

/** One who has left: sometimes a namesake of a user, or one whose address was given to a user. */
function leaver(staff: readonly Person[], dice: Dice): Account {
  const other = dice.pick(staff);
  const own = namesOf(dice);
  const [email, names] = dice.pick([
    ...Array<[string, string[]]>(36).fill([`${mailboxOf(own, 'full')}@${dice.pick([NOW, BEFORE])}`, own]),
    [`${mailboxOf(other.names, 'short')}${dice.below(90)}@${NOW}`, [...other.names]],
    [other.email, own],
  ] as [string, string[]][]);
  return { email, name: names.join(' '), truth: undefined };
}
