/** Exports with a column for each class of one course, without a preset. */
import { type Meaning, meaningOf, plainText } from '../words/words.ts';
import { isAside, type Role } from './guess-columns.ts';
import { isGrade } from './guess-grades.ts';
import type { ClassColumn, ClassList } from './schema.ts';
import type { ColumnProfile } from './table-profile.ts';

/** Fewer are no classes: an export has single columns of words and dates, too. */
const FEWEST = 2;

/**
 * Columns whose cells say whether a class was viewed, or when. The class is the one of the course whose title is the header.
 * Empty if there is only one of them.
 *
 * @param isUsed true if the draft uses the column for another member
 */
export function classColumns(
  columns: readonly ColumnProfile[],
  isUsed: (column: ColumnProfile) => boolean,
): ClassColumn[] {
  const rows = Math.max(0, ...columns.map(({ filled }) => filled));
  const found = columns.flatMap((column) =>
    isUsed(column) || isAside(column) || isGrade(column) ? [] : (classColumn(column, rows) ?? []),
  );
  return found.length >= FEWEST ? found : [];
}

function classColumn(column: ColumnProfile, rows: number) {
  const { name, reference, values, filled } = column;
  if (name.trim() === '' || values.length === 0) return undefined;
  if (values.every((text) => meaningIn(text) !== undefined)) {
    const viewed = values.filter((text) => DONE.has(meaningIn(text)));
    const not_viewed = values.filter((text) => !DONE.has(meaningIn(text)));
    return viewed.length === 0
      ? undefined
      : { column: reference, viewed, ...(not_viewed.length > 0 && { not_viewed }) };
  }
  // A date in every row belongs to the learner, like the date of birth.
  const dates = filled === rows ? undefined : column.dateFormats.find((each) => !/^(excel|epoch)/.test(each));
  return dates === undefined ? undefined : { column: reference, dates };
}

const DONE: ReadonlySet<Meaning | undefined> = new Set(['completed', 'passed', 'yes']);

function meaningIn(text: string): Meaning | undefined {
  if (text === '1' || text === '0') return text === '1' ? 'yes' : 'no';
  return plainText(text) === 'viewed' ? 'completed' : meaningOf(text);
}

/** The classes of a table with a row for each part of a course; `undefined` if no column says which parts are completed. */
export function classesOf(columns: ReadonlyMap<Role, ColumnProfile>): ClassList | undefined {
  const [module, status, date] = [columns.get('module'), columns.get('status'), columns.get('progress.completed_at')];
  if (module === undefined || module.isNumber || !columns.has('content.external_course_id')) return undefined;
  // A word that is not known must not pass for a part that was not viewed.
  if (status?.values.some((text) => meaningIn(text) === undefined) === true) return undefined;
  const viewed_if = viewedIf(status, date);
  return viewed_if && { column: module.reference, titles: true, viewed_if, ...dateOf(date) };
}

function viewedIf(status: ColumnProfile | undefined, date: ColumnProfile | undefined): ClassList['viewed_if'] {
  if (status !== undefined)
    return { column: status.reference, is: status.values.filter((text) => DONE.has(meaningIn(text))) };
  return date && { column: date.reference, empty: false };
}

function dateOf(date: ColumnProfile | undefined): Pick<ClassList, 'date_column' | 'dates'> {
  if (date === undefined) return {};
  const [dates = 'iso'] = date.dateFormats;
  return { date_column: date.reference, ...(dates === 'iso' ? {} : { dates }) };
}
