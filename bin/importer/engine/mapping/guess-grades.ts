/** The grade books of courses, one file a course: a column for each exercise, and one or two for the final grade. */
import type { ValueSource } from './schema.ts';
import { areFractions, type ColumnProfile } from './table-profile.ts';

/** `Quiz 1 [Total Pts: 100 Score] |92376` of Blackboard: the points of an exercise, or of the whole course. */
const POINTS = /\[Total Pts: (?:up to )?([\d.]+) ?(\w+)?[^\]]*\]/i;
/** `Quiz 1 Points Grade <Numeric MaxPoints:10 Weight:5>` of Brightspace. */
const GRADE = /\b(points grade|text grade|grade symbol|weighted grade)\b.*<.*>$/i;
const FINAL = /^(adjusted|calculated) final grade (numerator|denominator)$/i;

/** A column of a grade book: a grade is neither a course nor a part of one. */
export const isGrade = ({ name }: ColumnProfile): boolean =>
  name.length < 400 && (POINTS.test(name) || GRADE.test(name) || FINAL.test(name));

export interface FinalGrade {
  readonly column: ColumnProfile;
  readonly source: string | ValueSource;
}

/** The grade of the whole course, the weighted one first; `undefined` for a table that is no grade book. */
export function finalGrade(columns: readonly ColumnProfile[]): FinalGrade | undefined {
  const graded = columns.filter((column) => isGrade(column) && column.isNumber);
  const total = ['weighted total', 'total', 'overall grade']
    .flatMap((name) => graded.filter((column) => column.name.toLowerCase().startsWith(`${name} [`)))
    .find((column) => POINTS.test(column.name));
  return total === undefined ? ratioIn(graded) : outOf(total);
}

function outOf(column: ColumnProfile): FinalGrade {
  const [, points = '', kind = ''] = POINTS.exec(column.name) ?? [];
  const isShare = kind.toLowerCase() === 'percentage' || Number(points) === 100;
  const { reference } = column;
  return { column, source: isShare ? reference : { column: reference, out_of: Number(points) } };
}

/** The grade that a teacher has corrected comes first, if it is filled. */
function ratioIn(graded: readonly ColumnProfile[]): FinalGrade | undefined {
  for (const kind of ['adjusted', 'calculated']) {
    const [column, whole] = ['numerator', 'denominator'].map((part) =>
      graded.find(({ name }) => name.toLowerCase() === `${kind} final grade ${part}`),
    );
    if (column !== undefined && whole !== undefined)
      return { column, source: { column: column.reference, out_of: whole.reference } };
  }
  return undefined;
}

/** The column of the points that an exam has, if they are not 100. */
export const maximumOf = (columns: readonly ColumnProfile[]): ColumnProfile | undefined =>
  columns.find(
    ({ plain, isNumber, values }) =>
      /^max(imum)?( possible)? (score|points|grade|mark)s?$|^(score|points|grade) max(imum)?$|^points possible$/.test(
        plain,
      ) &&
      isNumber &&
      values.some((text) => Number(text) !== 100),
  );

const MOST_POINTS = 20;

/** Points are no percentage: of 10 or of 20, or of what the header or another column says. */
export function hasScale(
  column: ColumnProfile,
  { doubts, maximum }: { readonly doubts: string[]; readonly maximum: ColumnProfile | undefined },
): boolean {
  if (column.name.includes('%') || areFractions(column)) return true;
  const most = /(?:out of|sur|\/) ?(\d+)/i.exec(column.name)?.[1] ?? maximum?.reference;
  const points = column.values.filter((text) => /\d/.test(text));
  if (points.some((text) => text.includes('%'))) return true;
  if (most !== undefined && most !== '100') {
    doubts.push(`"${column.reference}": ${points[0]} is points of "${most}", so it is not used. Set "out_of".`);
    return false;
  }
  if (points.some((text) => Number(text.replace(',', '.')) > MOST_POINTS)) return true;
  doubts.push(`"${column.reference}": ${points[0]} may be points of 10 or of 20, so it is not used. Set "out_of".`);
  return false;
}
