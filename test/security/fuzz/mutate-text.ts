/** Mutations of the text and the bytes of a body: what no JSON value can say. */
import { gzipSync } from 'node:zlib';
import type { Dice } from '../../kit/dice.ts';
import { HOSTILE_NUMERALS } from '../support/hostile-values.ts';

type Mutation = (text: string, dice: Dice) => string | Uint8Array;

const cut = (text: string, dice: Dice, put: string): string => {
  const at = dice.below(text.length + 1);
  return text.slice(0, at) + put + text.slice(at + dice.below(2));
};

/** Puts a numeral where the text has a number. */
const numeral: Mutation = (text, dice) => {
  const numbers = [...text.matchAll(/(?<=[:[,])-?\d[\d.]*(?=[,\]}])/g)];
  if (numbers.length === 0) return text;
  const { index, 0: found } = dice.pick(numbers);
  return text.slice(0, index) + dice.pick(HOSTILE_NUMERALS) + text.slice(index + found.length);
};

/** Repeats a member's name, in front of the member or behind it. */
const duplicateKey: Mutation = (text, dice) => {
  const members = [...text.matchAll(/"(\w+)":/g)];
  if (members.length === 0) return text;
  const { index, 0: name } = dice.pick(members);
  return `${text.slice(0, index)}${name}${dice.pick(['null', '1', '"x"', '[]', '{}', '{"__proto__":1}'])},${text.slice(index)}`;
};

const COMMON: readonly Mutation[] = [
  numeral,
  numeral,
  duplicateKey,
  duplicateKey,
  (text, dice) => cut(text, dice, ''),
  (text, dice) => cut(text, dice, String.fromCharCode(dice.below(128))),
  (text, dice) =>
    cut(text, dice, dice.pick(['\\ud800', '\\u0000', '\u202e', '\u0301', '\\', '"', '}', ']', ',', '\\u005f_proto__'])),
  (text, dice) => text.slice(0, dice.below(text.length)),
  (text) => `\ufeff${text}`,
  (text) => `${text} `,
  (text) => `${text}${text}`,
  (text) => `[${text}]`,
  (text) => `/* */${text}`,
  (text) => text.replaceAll('"', "'"),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => gzipSync(text),
  (text, dice) => {
    const bytes = Buffer.from(text);
    bytes[dice.below(bytes.length)] = 128 + dice.below(128);
    return bytes;
  },
  (text) => Buffer.from(text),
  () => '',
  () => 'null',
  () => '"text"',
  () => '[]',
  () => '{}',
  () => 'NaN',
];

const HEAVY: readonly Mutation[] = [
  () => '['.repeat(20_000),
  () => `{"a":`.repeat(20_000),
  () => `{"records":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  () => `{"records":[${'{},'.repeat(60_000)}{}]}`,
  () => `{"dry_run":true,"records":[{"external_record_id":"${'x'.repeat(100_000)}"}]}`,
  () => `{"emails":["${'a'.repeat(6 * 1024 * 1024)}"]}`,
  (text) => text + ' '.repeat(5 * 1024 * 1024),
  () => `{${Array.from({ length: 20_000 }, (_, at) => `"m${at}":${at}`).join(',')}}`,
  () => `{"records":[${'9'.repeat(1_000_000)}],"dry_run":true}`,
  () => `"${'\\u0000'.repeat(100_000)}"`,
];

export function mutatedText(text: string, dice: Dice): string | Uint8Array {
  return dice.oneIn(2000) ? dice.pick(HEAVY)(text, dice) : dice.pick(COMMON)(text, dice);
}

export const heavyTexts = (text: string, dice: Dice) => HEAVY.map((mutation) => mutation(text, dice));
