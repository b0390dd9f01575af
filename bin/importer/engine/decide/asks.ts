/** What a yes under a header says. */
import type { ColumnProfile } from '../profile/table-profile.ts';
import { meaningOf, plainText, saysCame } from '../lexicon/words.ts';
import { saysTopic, topicExpression, Topics } from '../lexicon/topics.ts';

const topicsOf = ({ plain, name, topics }: ColumnProfile): Topics =>
  plain === '' ? new Topics(plainText(name)) : topics;

/** Whether a yes under this header completes a course, takes the row back, or says something else. */
export function asks(column: ColumnProfile): 'completed' | 'passed' | 'taken back' | undefined {
  const topics = topicsOf(column);
  if (column.roles.has('deleted') || topics.has('taken_back')) return 'taken back';
  if (topics.has('negated')) return undefined;
  if (topics.hasAny('pass', 'of_exam') || isPass(column)) return 'passed';
  return topics.has('completion') || column.roles.has('completed_at') ? 'completed' : undefined;
}

/** `Bestått`: the header of a result is a word of a pass, in any language. */
const isPass = ({ roles, name, topics }: ColumnProfile): boolean =>
  roles.has('exam') && meaningOf(name) === 'passed' && !topics.has('certificate');

/** `Attended?` */
export const asksWhoCame = ({ plain, name }: ColumnProfile): boolean =>
  [plain, name.replace('?', '').trim()].some(saysCame);

const OF_THE_COURSE = new RegExp(topicExpression('of_the_course'), 'g');

/** The header says nothing but that: `Completion overdue`, `Exam booked` and `Must complete` ask something else. */
export function asksAlone(column: ColumnProfile): boolean {
  const { plain, name, roles } = column;
  if (roles.has('completed_at') || roles.has('status') || isPass(column)) return true;
  const words = (plainText(lastOf(name)) || plain || plainText(name)).replaceAll(OF_THE_COURSE, '').split(' ');
  const saying = words.filter((word) => word !== '' && !saysTopic(word, 'answer_filler'));
  return saying.length > 0 && saying.every(saysAnswer);
}

/** Of a path like `result.success`, the last member asks. */
const lastOf = (name: string): string => /^\w+(?:\.\w+)+$/.exec(name)?.[0].replace(/^.*\./, '') ?? '';

/** A word of a completion or a pass, with its endings; of languages that write no blanks, with what may stand beside it. */
const saysAnswer = (word: string): boolean =>
  HAS_BLANKS.test(word) ? saysTopic(word, 'completion') || saysTopic(word, 'pass') : saysTopic(word, 'answer_alone');

const HAS_BLANKS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}%]/u;
