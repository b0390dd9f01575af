/** Courses from a day to a day: without a word nobody knows who finished them. */
import { isOfShape } from '../profile/shaped-rows.ts';
import { type FileContext, isOfAll } from './begun.ts';
import { ownValue } from '../ground/own-value.ts';
import { saysTopic, type Topic } from '../lexicon/topics.ts';
import { isOtherDay } from '../profile/roles.ts';
import type { Suggestion } from '../language/findings.ts';
import { datesIn, type Part, type SuggestedBy } from './part.ts';
import type { CountedKind } from './tally.ts';

/** Each row has a day of a beginning and `End date`, as also of a course that is booked. */
export function areSpans(parts: readonly Part[], { rows = 0, areBegun = false }: FileContext): boolean {
  const days = datesIn(parts).filter(({ column }) => isOfAll(column, rows));
  return days.some(isEnd) && (areBegun || !days.every(isEnd));
}

/** Of the course or of the learner: its header says of no completion. */
export const isEnd = ({ column, role, name }: Pick<Part, 'column' | 'role' | 'name'>): boolean =>
  role === 'progress.completed_at' && !isOfShape(name) && !column.topics.hasAny('completion', 'certificate');

const OF_END: readonly Topic[] = ['ended', 'day', 'answer_filler'];

/** `Access end` is of something else than the course. */
const saysEndAlone = (plain: string): boolean =>
  plain.split(' ').every((word) => OF_END.some((topic) => saysTopic(word, topic)));

interface Ends {
  readonly by: ReadonlyMap<string, SuggestedBy>;
  readonly areBegun: boolean;
  readonly suggestion: Pick<Suggestion, 'date'>;
  readonly kinds: readonly (Omit<CountedKind, 'samples'> & {
    readonly suggestion: Pick<Suggestion, 'date' | 'outcome'>;
  })[];
}

/** The end of courses that began on other days: of nobody who is done is it to come, and of everybody in progress it is. */
export function isEndToCome({ by, areBegun, suggestion: { date }, kinds }: Ends): boolean {
  const { column } = by.get(date ?? '') ?? {};
  if (column === undefined || !areBegun || !column.topics.has('ended')) return false;
  if (isOtherDay(column) || !saysEndAlone(column.plain)) return false;
  const dated = kinds.filter(({ values }) => ownValue(values, date ?? '') === 'a date');
  return dated.every(({ suggestion, toCome, rows }) => {
    const future = toCome.get(column.reference) ?? 0;
    if (suggestion.date === date) return future === 0;
    return suggestion.outcome !== 'in_progress' || future === rows;
  });
}
