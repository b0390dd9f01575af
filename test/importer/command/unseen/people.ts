/** The people, courses and notations of files that nobody built for, and what is written down beside them. */
import { textRow } from '../support/workbook.ts';

/** What the suggestions alone store, and what they leave to a person. */
export interface Unseen {
  readonly name: string;
  readonly file?: string;
  readonly bytes: string | Buffer;
  /** Progress afterwards: `ben 101`: `100 2024-01-02 C2024-01-02` is completed and certified on that day. */
  readonly end: Readonly<Record<string, string>>;
  readonly rejected?: number;
  readonly leftOut?: number;
  /** What about the whole file a person has to decide. */
  readonly undecided?: readonly string[];
  /** The texts of kinds without a suggestion contain these. */
  readonly open?: readonly string[];
  readonly encoding?: string;
  readonly sheetsLeft?: readonly string[];
  /** A sentence. */
  readonly refused?: string;
}

export const NAMES = {
  ben: 'ben.castillo',
  chi: 'chiara.romano',
  gra: 'grace.mensah',
  han: 'hana.suzuki',
  len: 'lena.bauer',
};
export const [BEN, CHI, GRA, HAN] = Object.values(NAMES).map((name) => `${name}@acme.test`) as [
  string,
  string,
  string,
  string,
];
export const [SEC, DAT, WEL] = [
  'Information Security Essentials',
  'Data Protection in Practice',
  'Welcome to Acme',
] as const;

/** A table by its lines, whose cells are separated by bars. */
export const table = (separator: string, ...lines: readonly string[]): string =>
  lines.map((line) => line.split('|').join(separator)).join('\n') + '\n';
export const csv = (...lines: readonly string[]): string => table(',', ...lines);

export const sheet = (...lines: readonly string[]): string =>
  lines.map((line, index) => textRow(index + 1, line.split('|'))).join('');

/** `ben.castillo 101`: `ben 101`. */
export const shortName = (name: string): string => {
  const [learner = '', course = ''] = name.split(' ');
  return `${Object.entries(NAMES).find(([, full]) => full === learner)?.[0] ?? learner} ${course}`;
};
