/** Courses from a day to a day: without a word nobody knows who finished them. */
import { isOfShape } from '../profile/shaped-rows.ts';
import { type FileContext, isOfAll } from './begun.ts';
import { datesIn, type Part } from './part.ts';

/** Each row has a day of a beginning and `End date`, as also of a course that is booked. */
export function areSpans(parts: readonly Part[], { rows = 0, areBegun = false }: FileContext): boolean {
  const days = datesIn(parts).filter(({ column }) => isOfAll(column, rows));
  return days.some(isEnd) && (areBegun || !days.every(isEnd));
}

/** Of the course or of the learner: its header says of no completion. */
export const isEnd = ({ column, role, name }: Pick<Part, 'column' | 'role' | 'name'>): boolean =>
  role === 'progress.completed_at' && !isOfShape(name) && !column.topics.hasAny('completion', 'certificate');
