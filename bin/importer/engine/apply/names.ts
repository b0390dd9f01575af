/** Names beside an address: one that several people share is nobody's. */
import { ownValue } from '../ground/own-value.ts';
import { distance } from 'fastest-levenshtein';
import { say } from '../ground/codes.ts';
import { addressOf, nameWords } from '../ground/user-name.ts';
import { bareAddress } from '../dates/convert-value.ts';
import { columnOf } from '../language/named-columns.ts';
import type { Mapping } from '../language/schema.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { Cells, ValueReaders } from './value-reader.ts';
import { remembered } from '../ground/remembered.ts';
import { type Decision, rejected } from './kinds.ts';
import type { Choices, SharedAddress } from '../language/findings.ts';

/** Columns of names of learners: by their header, or because most of their words are in the addresses beside them. */
export function namesOf(columns: readonly ColumnProfile[], learner: ColumnProfile | undefined): ColumnProfile[] {
  const mailboxes = (learner?.values ?? []).flatMap((text) => addressOf(bareAddress(text))?.mailbox ?? []);
  const isOfSomeone = (text: string): boolean => {
    if (!isName(text)) return false;
    const words = nameWords(text);
    const isIn = (mailbox: string) => words.filter((word) => word.length > 2 && mailbox.includes(word));
    return mailboxes.some((mailbox) => isIn(mailbox).length * 2 >= words.length);
  };
  return columns.filter(
    ({ topics, values }) =>
      topics.hasAny('full_name', 'first_name', 'last_name') ||
      (values.length > 1 && values.filter(isOfSomeone).length * 2 > values.length),
  );
}

/** The column of the learner; `undefined` for none, and for several. */
const learnerIn = ({ record }: Mapping): string | undefined =>
  columnOf(record['user.email'] ?? record['user.external_user_id']);

/** Who a text of the learner's column is: `Ana <ana@x.test>` and `mailto:ANA@x.test` are `ana@x.test`. */
const personOf = (text = ''): string => bareAddress(text.trim()).toLowerCase();

/** @param ways the places of a name, or of its parts. Every row is read so: most tables have one column of names */
function nameReader(ways: readonly (readonly number[])[]): (cells: Cells) => string | undefined {
  const [[place = -1, ...places] = [], ...others] = ways;
  if (places.length + others.length === 0) return (cells) => cells[place]?.trim();
  return (cells) => ways.map((way) => way.map((each) => cells[each]?.trim() ?? '').join(', ')).find(isName);
}

/**
 * Adds the learner of a row with the name beside it, the family name first; nothing without a header that says so,
 * and for a learner whom the shape of the table adds.
 */
export function nameNoter(
  beside: NamesBeside,
  headers: readonly ColumnProfile[],
  { mapping, columns }: ValueReaders,
): (cells: Cells) => void {
  const learner = learnerIn(mapping);
  if (learner === undefined || learner.startsWith(':')) return () => {};
  const course = columnOf(mapping.record['content.platform_course_id'] ?? mapping.record['content.external_course_id']);
  const at = (reference: string): number => columns.indexOf(reference, 'names');
  const some = headers.filter(
    (column) => column.reference !== learner && column.reference !== course && !column.topics.has('other_person'),
  );
  const [full = [], [last] = [], [first] = []] = (['full_name', 'last_name', 'first_name'] as const).map((topic) =>
    some.filter(({ topics }) => topics.has(topic)).map(({ reference }) => at(reference)),
  );
  const parts = last === undefined || first === undefined ? [] : [[last, first]];
  const ways = [...full.map((index) => [index]), ...parts];
  if (ways.length === 0) return () => {};
  const [index, nameOf] = [at(learner), nameReader(ways)];
  return (cells) => beside.add(personOf(cells[index]), nameOf(cells) ?? '');
}

/** @param open shared addresses that no person has decided yet, with the names beside them */
export function sharedDecider(
  { mapping, columns }: ValueReaders,
  open: ReadonlyMap<string, readonly string[]> = new Map(),
): (cells: Cells) => Decision | undefined {
  const learner = learnerIn(mapping);
  const chosen = mapping.choices?.shared ?? {};
  const out = new Set(Object.keys(chosen).filter((address) => ownValue(chosen, address) === 'leave_out'));
  if (learner === undefined || out.size + open.size === 0) return () => undefined;
  const index = columns.indexOf(learner, 'record');
  return (cells) => {
    const address = personOf(cells[index]);
    if (out.has(address)) return { is: 'left out', reason: 'the address of several people' };
    const names = open.get(address);
    return names && rejected(say('address_undecided', { address, names }));
  };
}

/** Rows of more addresses are not compared. */
const MOST_ADDRESSES = 100_000;
/** Names, with one address or several. */
const MOST_NAMES = 5000;
const MOST_DIFFERENT = 6;

/** The names beside each address, in bounded memory. */
export class NamesBeside {
  readonly #names = new Map<string, string[]>();
  readonly #addressOf = new Map<string, string | null>();

  add(learner: string, name: string): void {
    const known = this.#names.get(learner);
    if (known?.[0] === name || learner === '' || !isName(name)) return;
    this.#note(name, learner);
    if (known === undefined) {
      if (this.#names.size < MOST_ADDRESSES) this.#names.set(learner, [name]);
    } else if (known.length < MOST_DIFFERENT && !known.some((other) => isOne(`${learner}\n${other}\n${name}`)))
      known.push(name);
  }

  #note(name: string, learner: string): void {
    const before = this.#addressOf.get(name);
    if (before === undefined && this.#addressOf.size < MOST_NAMES) this.#addressOf.set(name, learner);
    else if (before !== undefined && before !== learner) this.#addressOf.set(name, null);
  }

  /** Addresses whose owner `chosen` does not name. Texts that most rows share are titles, or names of groups. */
  shared(chosen: Choices['shared'] = {}): SharedAddress[] {
    const several = [...this.#addressOf.values()].filter((address) => address === null).length;
    if (several * 2 > this.#addressOf.size) return [];
    return [...this.#names].flatMap(([text, names]) =>
      names.length > 1 && ownValue(chosen, text) === undefined ? [{ text, names }] : [],
    );
  }
}

const isName = (text: string): boolean => !/[\d@]/.test(text) && /\p{L}/u.test(text.normalize('NFKD'));

const isOne = remembered((three) => {
  const [address = '', a = '', b = ''] = three.split('\n');
  return mayBeOne(a, b) || isOwn(address, a, b);
});

/** Without a comma the given name is first. */
const givenOf = (name: string): string =>
  nameWords(/,\s*(\S+)/.exec(name)?.[1] ?? name.trim().split(/\s+/)[0])[0] ?? '';

/** The same word, its initial, its short form, or a slip of a key. */
const isAlike = (a: string, b: string): boolean =>
  a === b ||
  (Math.min(a.length, b.length) !== 2 && (a.startsWith(b) || b.startsWith(a))) ||
  (/^[a-z]{3,}\n[a-z]{3,}$/.test(`${a}\n${b}`) && a.length + b.length > 6 && distance(a, b) === 1);

/** Two names may be of one person: two spellings, one a part of the other, or the same given name with another family name. */
function mayBeOne(a: string, b: string): boolean {
  const [shorter = [], longer = []] = [nameWords(a), nameWords(b)].toSorted((x, y) => x.length - y.length);
  const left = [...longer];
  const isPart = shorter.every((word) => {
    const same = left.indexOf(word);
    const at = same === -1 ? left.findIndex((other) => isAlike(word, other)) : same;
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
  const [x, y] = [givenOf(a), givenOf(b)];
  return isPart || (Math.min(x.length, y.length) > 1 && isAlike(x, y));
}

/** Another given name of the same family, in an address of one of the two: a nickname. */
function isOwn(address: string, a: string, b: string): boolean {
  const mailbox = (addressOf(address)?.mailbox ?? '').replaceAll(/[^a-z]/g, '');
  const [x, y] = [nameWords(a), nameWords(b)];
  const family = x.find((word) => y.includes(word));
  if (family === undefined || !mailbox.includes(family)) return false;
  return [...x, ...y].some(
    (word) => word !== family && ((word.length > 2 && mailbox.includes(word)) || mailbox === `${word[0]}${family}`),
  );
}
