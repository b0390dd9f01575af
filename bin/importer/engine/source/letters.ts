/** Which encoding the letters of a text are in: the one in which they are those of one language. */
import type { Encoding } from './text-file.ts';

/** Letters beyond ASCII of languages, by the encodings that have them; of equal ones the first is taken. */
const ALPHABETS: readonly (readonly [letters: string, encodings: readonly Encoding[]])[] = [
  ...[
    'äöüß',
    'éèêëàâçîïôûùœæ',
    'ñáéíóúüªº',
    'ãõáâàéêíóôúçªº',
    'àèéìòù',
    'åäöéæøü',
    'áðéíóúýþæö',
    'äõöüšž',
    'éèëïöüáóí',
  ].map((letters) => [letters, ['windows-1252', 'macintosh']] as const),
  ...['áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'ąćęłńóśźż', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž'].map(
    (letters) => [letters, ['windows-1250', 'iso-8859-2']] as const,
  ),
  ['çğıi̇öşüâî', ['windows-1254']],
  ['ąčęėįšųūž', ['windows-1257']],
  ['āčēģīķļņšūž', ['windows-1257']],
];

/** Letters of whole alphabets, the most frequent first: no word has Latin letters beside them. */
const SCRIPTS: typeof ALPHABETS = [
  ['оеаинтслрвкмдпуяыьгзбчйхжшюцщэфъёєіїґўј', ['windows-1251', 'koi8-u', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic']],
  ['αοιετσνηυρπκμλςωγδχθφβξζψάέήίόύώϊϋΐΰ', ['windows-1253']],
  ['יוהלאתמרשבנםדחקפעכטגצסזןךףץ', ['windows-1255']],
  ['اليمنوترةبدسعفحكقشجصضطهخذئأإىزغثظءآؤ', ['windows-1256']],
];
const FREQUENT = 12;

/** The pairs of bytes that common letters have in the encodings of East Asia. */
const PAIRS: readonly (readonly [
  encoding: Encoding,
  isCommon: (pair: number) => boolean,
  isNeeded: (pair: number) => boolean,
])[] = [
  [
    'shift_jis',
    (pair) => (pair >= 0x8140 && pair <= 0x8396) || (pair >= 0x889f && pair <= 0x9872),
    (pair) => pair >= 0x829f && pair <= 0x9872,
  ],
  [
    'euc-jp',
    (pair) => (pair >= 0xa1a1 && pair <= 0xa5f6) || (pair >= 0xb0a1 && pair <= 0xcfd3),
    (pair) => pair >= 0xa4a1 && pair <= 0xa5f6,
  ],
  ['euc-kr', (pair) => pair >= 0xb0a1 && pair <= 0xc8fe, () => true],
  [
    'gb18030',
    (pair) => (pair & 0xff) > 0xa0 && ((pair >= 0xb0a1 && pair <= 0xd7f9) || (pair >= 0xa1a1 && pair <= 0xa3fe)),
    () => true,
  ],
  ['big5', (pair) => pair >= 0xa140 && pair <= 0xc67e, () => true],
];

/** Signs that every text may have; a byte that an encoding does not have is none. */
const NEUTRAL = /[\s\p{P}\p{Sc}°©®™]/u;
const isNeutral = (letter: string): boolean => letter < '\u{80}' || NEUTRAL.test(letter);

/** The encoding of words with letters beyond ASCII; `windows-1252` if no language fits. */
export function encodingByLetters(bytes: Uint8Array): Encoding {
  const words = foreignWords(bytes);
  const scores = new Map<Encoding, number>();
  const note = (encoding: Encoding, score: number): void =>
    void scores.set(encoding, Math.max(score, scores.get(encoding) ?? 0));
  for (const [letters, encodings] of ALPHABETS)
    for (const encoding of encodings) note(encoding, shareOf(decoded(words, encoding), letters, false));
  for (const [letters, encodings] of SCRIPTS)
    for (const encoding of encodings) {
      const text = decoded(words, encoding);
      note(encoding, shareOf(text, letters, true) * 0.8 + shareOf(text, letters.slice(0, FREQUENT), true) * 0.2);
    }
  for (const [encoding, isCommon, isNeeded] of PAIRS) note(encoding, shareOfPairs(words, isCommon, isNeeded));
  const [[best, score] = ['windows-1252', 0]] = [...scores].toSorted(([, a], [, b]) => b - a);
  return score > 0.7 ? best : 'windows-1252';
}

const decoded = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);

/** The share of the letters that are those of a language; capitals within a word are not, nor Latin ones in one of another script. */
function shareOf(text: string, letters: string, isScript: boolean): number {
  let [all, own] = [0, 0];
  let before = ' ';
  for (const letter of text) {
    if (!isNeutral(letter)) {
      all += 1;
      const small = letter.toLowerCase();
      const isOdd = (letter !== small && before !== before.toUpperCase()) || (isScript && /[a-z]/i.test(before));
      if (letters.includes(small) && !isOdd) own += 1;
    }
    before = letter;
  }
  return all === 0 ? 0 : own / all;
}

function shareOfPairs(
  words: Uint8Array,
  isCommon: (pair: number) => boolean,
  isNeeded: (pair: number) => boolean,
): number {
  let [all, own, needed] = [0, 0, 0];
  for (let at = 0; at < words.length; at += 1) {
    const lead = words[at] ?? 0;
    if (lead < 0x80) continue;
    const pair = lead * 256 + (words[at + 1] ?? 0);
    all += 1;
    own += isCommon(pair) ? 1 : 0;
    needed += isNeeded(pair) ? 1 : 0;
    at += 1;
  }
  return all === 0 || needed === 0 ? 0 : own / all;
}

/** The addresses and numbers of a table are in no language. */
function foreignWords(sample: Uint8Array): Uint8Array {
  const kept: number[] = [];
  let word: number[] = [];
  let isForeign = false;
  for (const byte of [...sample, 0x20]) {
    word.push(byte);
    isForeign ||= byte >= 0x80;
    if (byte > 0x2f) continue;
    if (isForeign) kept.push(...word);
    [word, isForeign] = [[], false];
  }
  return Uint8Array.from(kept);
}
