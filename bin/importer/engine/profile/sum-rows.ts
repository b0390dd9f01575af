/** The rows of sums at the end of a matrix: how many learners have each course, as a number or as a share. */
import { beginsLikeSum } from '../read/header.ts';
import type { ColumnProfile, TableProfile } from './table-profile.ts';

const SUM = /^(\d{1,7})(\s?%)?$/;

/** Nothing but a text in the first cell, and numbers in at least two others: a sum if the columns agree. */
export function mayBeSums(cells: readonly string[]): boolean {
  // Of nearly every row the second cell says already that it is none.
  if (!cells.every((cell, at) => at === 0 || cell.trim() === '' || SUM.test(cell.trim()))) return false;
  const [first = '', ...others] = cells;
  return /\p{L}/u.test(first) && !first.includes('@') && others.filter((cell) => cell.trim() !== '').length > 1;
}

/**
 * Counts of their columns, in which no other row has a number. The row of a learner is none: either it alone has no address, or its
 * text is that of a sum. Where both are so, the sums may be of some of the words.
 */
export function areSums(row: readonly string[], { columns, rows }: TableProfile): boolean {
  const hasNoLearner = columns.some(({ isAddress, filled }, at) => isAddress && filled === rows && !isSum(row[at], at));
  const isSaid = beginsLikeSum(row);
  const sums = columns.flatMap((column, at) => (isSum(row[at], at) ? [sumOf(row[at], column, rows)] : []));
  if (!hasNoLearner && !isSaid) return false;
  return sums.every(({ isExact, isPart }) => isExact || (isPart && hasNoLearner && isSaid));
}

/** The first cell has the text of the sum. */
const isSum = (cell = '', at: number): boolean => at > 0 && cell.trim() !== '';

/** Whether a cell is the number of the learners who have something in a column. */
function sumOf(cell = '', { filled, nothings, texts, numbers, isFlag }: ColumnProfile, rows: number) {
  const count = nothings.reduce((left, text) => left - (texts.get(text) ?? 0), filled);
  const [, number, percent] = SUM.exec(cell.trim()) ?? [];
  const [learners, slack] = percent === undefined ? [Number(number), 0] : [(Number(number) * rows) / 100, rows / 100];
  const isOfMarks = numbers === 0 || isFlag;
  return {
    isExact: isOfMarks && Math.abs(learners - count) <= slack,
    isPart: isOfMarks && learners <= count,
  };
}
