/**
 * The spellings of a name (§13.2): an address or an external id in any case and width, with blanks or invisible characters around
 * or in it, percent-encoded. Only an erasure compares names in this way, and only in records that were resolved to no user.
 */

/** Blanks, control characters, and characters that are not shown. U+2800 is shown as a blank. */
const INVISIBLE = String.raw`\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const INVISIBLES = new RegExp(`[${INVISIBLE}]+`, 'gu');
/** Characters that can be next to an address in a text and are no part of one. */
const SEPARATOR = `${INVISIBLE}"(),:;<>\\[\\]\\\\@=&?/`;
const SYNTAX = /[$()*+.?[\\\]^{|}/]/g;
/** Encoded bytes, which may have been broken as any text. */
const ENCODED = new RegExp(`(?:%[${INVISIBLE}]*[0-9a-f][${INVISIBLE}]*[0-9a-f])+`, 'giu');
/** A text may be encoded once by each system that it passed through. */
const MOST_ENCODINGS = 3;

/**
 * The form in which two spellings of an external id are equal.
 *
 * @example
 * ['Emp-7', ' emp-7 ', 'EMP%2D7'].map(spelledId); // => ['emp-7', 'emp-7', 'emp-7']
 */
export function spelledId(id: string): string {
  return visible(folded(decoded(id)));
}

/**
 * Whether a text contains one of the addresses as a whole, in any spelling.
 *
 * @example
 * const names = addressFinder(['ann@acme.test']);
 * ['Ann <ANN@acme.test>', 'ann%40acme.test', 'joann@acme.test'].map(names); // => [true, true, false]
 */
export function addressFinder(addresses: Iterable<string>): (text: string) => boolean {
  const wanted = [...addresses].map((address) => visible(folded(address)));
  return (text) => {
    const readings = [...new Set([folded(text), folded(decoded(text))])];
    return readings.some((reading) => {
      const letters = visible(reading);
      return wanted.some((address) => letters.includes(address) && addressPattern(address).test(reading));
    });
  };
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
const visible = (text: string): string => text.replaceAll(INVISIBLES, '');

/** Bytes that are no UTF-8 become U+FFFD, which is in no name. */
function decoded(text: string): string {
  let plain = text;
  for (let encoding = 0; encoding < MOST_ENCODINGS && plain.includes('%'); encoding += 1)
    plain = plain.replaceAll(ENCODED, (bytes) =>
      Buffer.from(visible(bytes).replaceAll('%', ''), 'hex').toString('utf8'),
    );
  return plain;
}

/** `ann@acme.test`, not the end of `joann@acme.test` nor the beginning of `ann@acme.test.org`. */
function addressPattern(address: string): RegExp {
  const letters = Array.from(address, (letter) => letter.replace(SYNTAX, String.raw`\$&`));
  const spelled = letters.join(`[${INVISIBLE}]*`);
  return new RegExp(`(?<![^${SEPARATOR}])${spelled}(?=\\.?(?:$|[${SEPARATOR}]))`, 'u');
}
