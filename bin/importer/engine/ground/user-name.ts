/** Names of people and the parts of their addresses, as they are compared. */

/** Letters that have no accent to remove. */
const PLAIN: Readonly<Record<string, string>> = {
  ł: 'l',
  ı: 'i',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** The words of a name in any order, without accents and case: `López, Ana` has those of `Ana Lopez`. */
export const nameWords = (name: string | undefined): readonly string[] =>
  (name ?? '')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łıøđðþßæœ]/g, (letter) => PLAIN[letter] ?? letter)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .toSorted();

/** The words of a name as one text; empty for a name of fewer than two words, which many people have. */
export const fullName = (name: string | undefined): string => {
  const words = nameWords(name);
  return words.length < 2 ? '' : words.join(' ');
};

/** Both names are known, and no word of one is in the other: two people, or one who has changed their whole name. */
export function namesContradict(a: string | undefined, b: string | undefined): boolean {
  const [left, right] = [nameWords(a), nameWords(b)];
  return left.length > 0 && right.length > 0 && !left.some((word) => right.includes(word));
}

/** An e-mail address in its parts. */
export interface Address {
  /** Without its tag: `ana` of `ana+course@acme.test`. */
  readonly mailbox: string;
  readonly domain: string;
  readonly hasTag: boolean;
}

/** `undefined` for a text that is no address. */
export function addressOf(text: string | undefined): Address | undefined {
  const [, local = '', tag, domain = ''] =
    /^([^\s@+]+)(\+[^\s@]*)?@([^\s@](?=[^.]*\..)[^\s@]+)$/.exec((text ?? '').trim().toLowerCase()) ?? [];
  return local === '' ? undefined : { mailbox: local, domain, hasTag: tag !== undefined };
}
