/** The encoding of a text file: named, marked, or found by its bytes. */
import { refusal, refusalAt } from '../ground/errors.ts';
import { meaningOf, rolesOf } from '../lexicon/words.ts';
import type { Encoding, Inspection } from './text-file.ts';

/**
 * The encoding of a file: its byte-order mark, else the one asked for, else UTF-8 if it is valid, else UTF-16 by its zeros, else what
 * its letters say. A file that is UTF-8 except for some bytes is refused: read otherwise it would contain wrong names.
 *
 * @param asked any label of the WHATWG standard
 * @throws EngineError naming the first byte that does not fit
 */
export function encodingOf(path: string, found: Inspection, asked?: string): Encoding {
  const wanted = asked === undefined ? undefined : asLabel(asked);
  const encoding = found.bom ?? wanted ?? utf16By(found) ?? byBytes(found);
  if (found.firstNul !== undefined && !encoding.startsWith('utf-16'))
    throw refusalAt(path, found.firstNul, 'nul_byte', {});
  if (encoding === 'utf-8' && found.firstNotUtf8 !== undefined)
    throw refusalAt(path, found.firstNotUtf8, 'not_utf8', {});
  return encoding;
}

/** The name of an encoding by one of its labels. @throws EngineError */
function asLabel(label: string): Encoding {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw refusal('encoding_unknown', { encoding: label });
  }
}

/** Of each two bytes of a Latin text in UTF-16 one is zero. */
function utf16By({ head, firstNul }: Inspection): Encoding | undefined {
  if (firstNul === undefined) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 5 < head.length || Math.min(even, odd) * 20 > Math.max(even, odd)) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Bytes of other encodings are UTF-8 now and then, by chance. */
const byBytes = ({ firstNotUtf8, multibyte, notUtf8, sample }: Inspection): Encoding =>
  firstNotUtf8 === undefined || multibyte >= notUtf8 ? 'utf-8' : encodingByLetters(sample);

const WESTERN: readonly string[] = [
  'äöüß',
  'éèêëàâçîïôûùœæ',
  'ñáéíóúüªº',
  'ãõáâàéêíóôúçªº',
  'àèéìòù',
  'åäöéæøü',
  'áðéíóúýþæö',
  'äõöüšž',
  'éèëïöüáóí',
];
const CENTRAL: readonly string[] = ['áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'ąćęłńóśźż', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž'];

/** Letters beyond ASCII of languages, by the encodings that have them; of equal ones the first is taken. */
const ALPHABETS: readonly (readonly [letters: string, encodings: readonly Encoding[]])[] = [
  ...WESTERN.map((letters) => [letters, ['windows-1252']] as const),
  ...CENTRAL.map((letters) => [letters, ['windows-1250', 'iso-8859-2']] as const),
  ['çğıi̇öşüâî', ['windows-1254']],
  ['ąčęėįšųūž', ['windows-1257']],
  ['āčēģīķļņšūž', ['windows-1257']],
  ...WESTERN.map((letters) => [letters, ['macintosh']] as const),
];

/** Letters of whole alphabets, the most frequent first: no word has Latin letters beside them. */
const SCRIPTS: typeof ALPHABETS = [
  ['оеаинтслрвкмдпуяыьгзбчйхжшюцщэфъёєіїґўј', ['windows-1251', 'koi8-u', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic']],
  ['αοιετσνηυρπκμλςωγδχθφβξζψάέήίόύώϊϋΐΰ', ['windows-1253']],
  ['יוהלאתמרשבנםדחקפעכטגצסזןךףץ', ['windows-1255']],
  ['اليمنوترةبدسعفحكقشجصضطهخذئأإىزغثظءآؤ', ['windows-1256']],
  ['านรอกเงมย่ล้วดทสัิีตะปบคุหแจ์พชขใไูโผถืซธศณึษฟำ็ภญฐฆฮฬฎฏฌฑฒฉฝฤๆฯ๊๋', ['windows-874']],
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

/** Signs that every text may have; a byte that an encoding does not have is none, nor is one that begins a text within a word. */
const NEUTRAL = /[\s\p{P}\p{Sc}°©®™]/u;
const isNeutral = (letter: string, before: string): boolean =>
  letter < '\u{80}' || (NEUTRAL.test(letter) && !(/[¿¡¶]/.test(letter) && /\p{L}/u.test(before)));

/** The encoding of words with letters beyond ASCII; `windows-1252` if no language fits. */
function encodingByLetters(bytes: Uint8Array): Encoding {
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
  if (areSigns(decoded(words, 'windows-1252'))) note('windows-1252', 1);
  for (const [encoding, isCommon, isNeeded] of PAIRS) note(encoding, shareOfPairs(words, isCommon, isNeeded));
  const most = Math.max(...scores.values());
  const near = [...scores].filter(([, score]) => score > 0.7 && score > most - NEAR).toSorted(([, a], [, b]) => b - a);
  const known = near.map(([encoding]) => [encoding, knownCells(bytes, encoding)] as const);
  const [[best] = ['windows-1252']] = known.toSorted(([, a], [, b]) => b - a);
  return best;
}

/** Of a text without letters beyond ASCII: each dash, quotation mark and sign of a currency stands where such signs do. */
const areSigns = (text: string): boolean =>
  !/(?![°©®™’‘“”])[^\0-\x7f](?=[a-z])/.test(text) && Array.from(text).every((letter) => isNeutral(letter, ' '));

/** A few words have the letters of several languages: the lists of words tell which. */
const NEAR = 0.2;
const MOST_CELLS = 2000;

/** Headers and words of a status with letters beyond ASCII, which are known in one encoding only. */
function knownCells(bytes: Uint8Array, encoding: Encoding): number {
  const cells = new Set(decoded(bytes, encoding).split(/[\r\n\t,;|"]+/, MOST_CELLS));
  return [...cells].filter(
    (cell) => /[^\0-\x7f]/.test(cell) && (meaningOf(cell) !== undefined || rolesOf(cell).size > 0),
  ).length;
}

const decoded = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);

/** The share of the letters of a language; capitals within a word do not count, nor Latin ones in another script. */
function shareOf(text: string, letters: string, isScript: boolean): number {
  let [all, own] = [0, 0];
  let before = ' ';
  for (const letter of text) {
    if (!isNeutral(letter, before)) {
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
