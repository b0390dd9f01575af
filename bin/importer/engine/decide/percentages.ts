/** Numbers that say how far a learner is in a course, and those that are results, counts and ages. */
import { areFractions, type ColumnProfile } from '../profile/table-profile.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { isScoreHeader } from '../profile/roles.ts';
import type { Role } from '../lexicon/headers.ts';

/** Numbers that say how far a learner is: by the header, by their sign, or by a range that only a percentage has. */
export function isPercentage(column: ColumnProfile, role: Role | undefined): boolean {
  if (role === 'progress.completion_pct') return true;
  if (role !== undefined || isScoreHeader(column)) return false;
  if ((SAYS_SHARE.test(column.plain) || column.topics.has('progress')) && !column.topics.has('other_share'))
    return inRange(column, 0.5);
  return !column.topics.has('no_percentage') && looksLikeShare(column);
}

/** More different texts are neither codes nor words of a state that nobody knows. */
export const FEW_TEXTS = 12;

const looksLikeShare = (column: ColumnProfile): boolean =>
  column.values.some((text) => text.includes('%')) ||
  ((areFractions(column) || column.texts.size > FEW_TEXTS) && inRange(column) && hasWhole(column));

const SAYS_SHARE = /percent|pct|%/;
/** A percentage column has learners who have done all of it. */
const hasWhole = (column: ColumnProfile): boolean =>
  column.values.some((text) => numberIn(text) === (areFractions(column) ? 1 : 100));

const numberIn = (text: string): number => Number(text.replaceAll('%', '').replace(',', '.'));

const inRange = ({ values }: ColumnProfile, share = 1): boolean =>
  values.filter((text) => {
    const number = numberIn(text);
    return Number.isNaN(number) || (number >= 0 && number <= 100);
  }).length >=
  values.length * share;

/** Numbers from 0 to 100, and 100 is among them. */
export const areUpTo100 = (column: ColumnProfile): boolean =>
  column.isNumber && inRange(column) && column.values.some((text) => numberIn(text) === 100);

/** Its header says that its percentages are those of a course, not of an exam. */
export const saysProgress = ({ topics, reference }: ColumnProfile, role: Role | undefined): boolean =>
  role === 'progress.completion_pct' || topics.hasAny('progress', 'part_of_course') || isOfShape(reference);
