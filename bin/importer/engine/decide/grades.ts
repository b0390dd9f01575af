/** Grades in letters or in words: beside a result or a day of completion they say nothing more; alone a person says what they are. */
import { saysTopic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';
import { isScoreHeader } from '../profile/roles.ts';
import { datesIn, type Part } from './part.ts';
import type { Meant } from './word-rules.ts';

/** Many a course is passed with a `C`; with a `D` one may have failed. */
export const isGoodGrade = ({ is, column }: Part): boolean => isScoreHeader(column) && /^[A-CP][+-]?$/.test(is);

/** Results, with the grades that agree with each. */
const AGREEING: readonly (readonly [Meant, RegExp])[] = [
  ['failed', /^[A-F][+-]?$/],
  ['not passed', /^[A-F][+-]?$/],
  ['passed', /^[A-E][+-]?$/],
];

/** Whether what other columns say is not contradicted by a grade. */
export const isAgreeingGrade = ({ is, column }: Part, meant: ReadonlySet<Meant>): boolean =>
  (isScoreHeader(column) && AGREEING.some(([meaning, grades]) => meant.has(meaning) && grades.test(is))) ||
  // `Excellent`.
  ((meant.has('completed') || meant.has('passed')) &&
    (isScoreHeader(column) || column.roles.has('exam')) &&
    saysTopic(plainText(is), 'good_grade'));

/** A good grade, like all of its column, beside the day of completion, which completes by itself. */
export const isGradeOfCompletion = (part: Part, parts: readonly Part[]): boolean =>
  part.column.values.every((is) => isGoodGrade({ ...part, is })) &&
  datesIn(parts).some(({ role, column }) => role === 'progress.completed_at' && column.topics.has('completion'));
