/** The rows of a table as they are, before a shape is found: titles, totals and headings are none. */
import { beginsLikeSum, filled } from '../read/header.ts';
import { areSums, mayBeSums } from './sum-rows.ts';
import { isAddressText, TableProfile } from './table-profile.ts';
import { anyOf } from '../ground/text-pattern.ts';
import { isAlone } from './shaped-rows.ts';
import type { Source } from '../read/open-source.ts';
import { mapped, type Pieces } from '../read/pieces.ts';

const HEAD_ROWS = 20;
/** Below a matrix: the number of those who have each course, of all, and its share. */
const MOST_SUMS = 3;
/** A longer text is a remark. */
const MOST_HEADING = 120;

/**
 * A learner without a course may have whole rows as well: these are kept.
 *
 * @param sums rows of sums, as `textOf` has them
 */
export async function beginNoRow(
  source: Source,
  titles: readonly string[],
  sums: ReadonlySet<string>,
): Promise<string[]> {
  let left = titles.map((text) => ({ text, begins: anyOf([text]) }));
  if (left.length === 0) return [];
  for await (const rows of rowsWithKinds(source))
    for (const { cells, kind } of rows)
      if (kind === 'row') left = left.filter(({ begins }) => !begins(cells[0] ?? '') || sums.has(textOf(cells)));
  return left.map(({ text }) => text);
}

/**
 * Rows of a wide table that hold nothing but a first cell are titles, totals, or headings of the rows below. A first cell that may be
 * that of a learner is none of the titles: a mapping that skips it would skip the learner's later rows too.
 */
export async function rawTable(source: Source) {
  const profile = new TableProfile(source.columns);
  /** The first cells of narrow rows, as patterns. */
  const titles = new Set<string>();
  const alone = new Set<string>();
  const rows: (readonly string[])[] = [];
  const subtotals = new Map<string, readonly string[]>();
  const sections = new Set<string>();
  let last: RowWithKind[] = [];
  const add = ({ cells, heading }: RowWithKind): void => {
    profile.add(cells);
    sections.add(heading);
    if (rows.length < HEAD_ROWS) rows.push(cells);
  };
  const take = (row: RowWithKind): void => {
    const { cells, first, kind, sum } = row;
    if (kind === 'subtotal') {
      if (subtotals.has(sum)) titles.add(`*${sum}`);
      else subtotals.set(sum, cells);
    } else if (kind === 'total') titles.add(patternOf(first));
    else if (kind === 'heading') alone.add(first.slice(0, MOST_HEADING));
    else if (mayBeSums(cells) && last.length < MOST_SUMS) last.push(row);
    else {
      for (const each of [...last, row]) add(each);
      last = [];
    }
  };
  for await (const piece of rowsWithKinds(source)) for (const row of piece) take(row);
  const sums = last.filter(({ cells }) => areSums(cells, profile));
  for (const { first } of sums) titles.add(patternOf(first));
  for (const row of last) if (!sums.includes(row)) add(row);
  // A name that only looks so.
  for (const [sum, cells] of subtotals) if (!titles.has(`*${sum}`)) profile.add(cells);
  const mayBeOfRow = formOfFirstCells(profile);
  for (const text of alone) if (!mayBeOfRow(text)) titles.add(patternOf(text));
  // A line below the last row is no heading.
  const learners = [...sections].filter(isAddressText).length;
  return {
    profile,
    titles,
    sums: new Set(sums.map(({ cells }) => textOf(cells))),
    rows,
    headings: { learners, others: sections.size - learners - Number(sections.has('')) },
    hasSections: areSections([...sections].filter((text) => profile.columns[0]?.texts.has(text) !== true)),
  };
}

const textOf = (cells: readonly string[]): string => cells.join('\t');

const patternOf = (first: string): string => `${withoutCount(first.slice(0, 60))}*`;

/** Names differ by a few words. */
const MORE_WORDS = 2;

/** Whether a first cell is of the form that those of the rows have, as that of a learner without a course is. */
function formOfFirstCells({ columns: [first] }: TableProfile): (text: string) => boolean {
  const { isAddress = false, values = [] } = first ?? {};
  const most = Math.max(0, ...values.map((text) => text.split(' ').length)) + MORE_WORDS;
  const others = [IS_SENTENCE, ...CHARACTERS].filter((of) => !values.some((text) => of.test(text)));
  return (text) => {
    if (beginsLikeSum([text])) return false;
    if (isAddress || isAddressText(text)) return isAddressText(text);
    return text.split(' ').length <= most && !others.some((of) => of.test(text));
  };
}

/** `End of report`: a name does not end so. */
const IS_SENTENCE = /^\p{Lu}.* \p{Ll}+[.!]?$/u;
/** A name may have a comma, a dot, a hyphen or an apostrophe where no other has one. */
const CHARACTERS = [/\p{L}/u, /\d/, /[^\p{L}\p{M}\p{N}\s,.'’-]/u];

/** `Total` of `Total: 12`. */
const withoutCount = (text: string): string => text.replace(/(?<![\d.,])[\d.,]+$/, '').replace(/(?<![\s:])[\s:]+$/, '');

/** Headings above rows say something of these, unless they only count, as `Page 2 of 9` does, or are rows of nothing but an id. */
function areSections(texts: readonly string[]): boolean {
  const said = texts.filter((text) => text !== '' && !isAddressText(text) && (!IS_ID.test(text) || IS_DATE.test(text)));
  const words = new Set(said.map((text) => text.replaceAll(/\d+/g, '')));
  return said.length > 0 && (words.size * 2 > said.length || [...words].every((text) => !/\p{L}/u.test(text)));
}

const IS_ID = /^(?=\D*\d)\S+$/;
const IS_DATE = /^\d+\D\d+\D\d+$/;

interface RowWithKind {
  readonly cells: readonly string[];
  readonly first: string;
  readonly kind: RowKind;
  /** What a row of sums has behind the text of the rows above. */
  readonly sum: string;
  readonly heading: string;
}

function rowsWithKinds(source: Source): Pieces<RowWithKind> {
  let [row, heading] = ['', ''];
  return mapped(source.anyRows(), ({ cells = [] }) => {
    const first = cells[0]?.trim() ?? '';
    const sum = behind(row, first) || behind(heading, first);
    const kind = kindIn(source, cells, sum);
    if (kind === 'row' && first !== '') row = first;
    if (kind === 'heading') heading = first.slice(0, MOST_HEADING);
    return { cells, first, kind, sum, heading };
  });
}

const behind = (above: string, first: string): string =>
  above !== '' && first[above.length] === ' ' && first.startsWith(above) ? first.slice(above.length) : '';

type RowKind = 'row' | 'total' | 'subtotal' | 'heading';

function kindIn({ columns }: Source, cells: readonly string[], sum: string): RowKind {
  if (columns.length <= 2) return 'row';
  // A course may be called Total Quality; the row of a sum has no address and few cells.
  const isSum = !cells.some((cell) => cell.includes('@')) && filled({ cells }) * 2 <= cells.length + 1;
  if (isSum && beginsLikeSum(cells)) return 'total';
  if (cells.length <= 2 || isAlone(cells)) return /^\s*points possible/i.test(cells[0] ?? '') ? 'total' : 'heading';
  return isSubtotal(sum, cells) ? 'subtotal' : 'row';
}

/** `ana@x.test Total` below rows of `ana@x.test`: the text of the rows above with a word of sums behind it, and sums. */
const isSubtotal = (sum: string, [, ...cells]: readonly string[]): boolean =>
  /^ \D+$/.test(sum) && beginsLikeSum([sum]) && cells.every((cell) => /^[\d\s.,:%-]*$/.test(cell));
