/** Numbers that say how far a learner is in a course, and those that are results, counts and ages. */
import { areFractions, type ColumnProfile } from '../profile/table-profile.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { isScoreHeader } from '../profile/roles.ts';
import type { Role } from '../lexicon/headers.ts';

/** Numbers that say how far a learner is: by the header, by their sign, or by a range that only a percentage has. */
export function isPercentage(column: ColumnProfile, role: Role | undefined): boolean {
  if (role === 'progress.completion_pct') return true;
  if (role !== undefined || isScoreHeader(column)) return false;
  if ((SAYS_SHARE.test(column.plain) || SAYS_PROGRESS.test(column.plain)) && !SAYS_OTHER.test(column.plain))
    return inRange(column, 0.5);
  return !NO_PERCENTAGE.test(column.plain) && looksLikeShare(column);
}

/** More different texts are neither codes nor words of a state that nobody knows. */
export const FEW_TEXTS = 12;

const looksLikeShare = (column: ColumnProfile): boolean =>
  column.values.some((text) => text.includes('%')) ||
  ((areFractions(column) || column.texts.size > FEW_TEXTS) && inRange(column) && hasWhole(column));

const SAYS_SHARE = /percent|pct|%/;
/** Even where a sign of percentages stands beside them. */
const OF_ELSE = 'hours?|minutes?|days?|count|number|elapsed|attendance|attended|quality|accuracy';
const SAYS_OTHER = new RegExp(`\\b(${OF_ELSE}|qa)\\b`);

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

export const NO_PERCENTAGE = new RegExp(
  `\\b(${OF_ELSE}|seconds?|duration|time|points?|credits?|attempts?|no|nr|age|year|grade|score|mark|cost|price|fee|cpd|ceu|id|code|rank|order|level|version|weight|max|min|total|avg|average|mean|rate|rating|stars?|assessments|assignments|missing|turned in|submissions|tasks|quizzes|tests|exams|exercises|lp|stt|num|numero|nummer|sira|sorszam|номер)\\b| n$|번호|순번|序号|番号|編号|項番|ลําดับ|stunden|dauer|punkte|heures|horas|puntos|pkt|godzin`,
);

const SAYS_PROGRESS =
  /^(completion|completed|complete|done)$|\b0 100\b|progress|fortschritt|avance|progres|fremdrift|framsteg|edistym|прогресс|προοδ|tien do|ความคืบหน้า/;
const OF_PARTS =
  /\b(lessons?|modules?|units?|chapters?|steps?|topics?|activit\w+|classes|videos?|lektion\w*|kapitel|moduln?o?s?|leccion\w*|lecons?|lezion\w*|lekcj\w*)\b/;
/** Its header says that its percentages are those of a course, not of an exam. */
export const saysProgress = ({ plain, reference }: ColumnProfile, role: Role | undefined): boolean =>
  role === 'progress.completion_pct' || SAYS_PROGRESS.test(plain) || OF_PARTS.test(plain) || isOfShape(reference);
