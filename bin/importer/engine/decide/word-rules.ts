/** What a word of a state column says of its row: an ordered table. */
import { ownValue } from '../ground/own-value.ts';
import {
  beginsWithCompleted,
  isBareDate,
  type Meaning,
  meaningOf,
  meansDone,
  plainText,
  saysCame,
  saysStopped,
  type STATES,
} from '../lexicon/words.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { isStatusHeader, wordIn } from '../profile/roles.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { isRevoked } from '../apply/revoked.ts';
import { withoutPercent } from '../language/classes.ts';
import { asks, asksAlone, asksWhoCame } from './asks.ts';
import type { Part } from './part.ts';
import { ruleFor } from './rule.ts';
import { hasParticipants, isFlag, isHarmless, saysParticipant } from './column-facts.ts';

/** How far a row says that a learner is. */
export type Meant = (typeof STATES)[number] | 'not passed' | 'taken back';

interface WordRule {
  readonly name: string;
  /** As that of a kind; the word is that of the first column. */
  readonly example: string;
  readonly needs: (part: Part) => boolean;
  /** `undefined`: nothing of its row. */
  readonly says: Meant | 'unknown' | undefined | ((part: Part) => Meant | 'unknown' | undefined);
}

const isHarmlessPart = ({ role, column }: Part): boolean => role !== 'status' && isHarmless(column);
const isAnswer = (part: Part): boolean => ['yes', 'no'].includes(plainMeaning(part) ?? '');
const isOfExam = ({ role }: Part): boolean => role === 'assessment.status';

/** True if a yes says nothing of completion: the column asks something else, or more. */
const isOfOtherQuestion = ({ column, read }: Part): boolean => {
  const asked = asks(column);
  return asked === undefined || (asked !== 'taken back' && read.read === 'text' && !asksAlone(column));
};

/** A mark below a course, where every other text says who is not done, and fewer do: it is of those who are, and not of those who have to be. */
function isBesideStates({ column, name }: Part): boolean {
  const texts = isOfShape(name) ? column.values : [];
  const areKnown =
    texts.some((text) => STATES_BESIDE_MARKS.has(wordIn(column, text)) && !saysTopic(plainText(text), 'negated')) &&
    texts.every((text) => MARKS_AND_STATES.has(wordIn(column, text)));
  const marks = [...column.texts].filter(([text]) => wordIn(column, text) === 'yes');
  return areKnown && marks.reduce((sum, [, cells]) => sum + cells, 0) * 2 > column.filled;
}
/** Not `Not required`: a mark may then be of who has to do it. */
const STATES_BESIDE_MARKS: ReadonlySet<ReturnType<typeof meaningOf>> = new Set<Meaning>(['in_progress', 'not_started']);
const MARKS_AND_STATES: ReadonlySet<ReturnType<typeof meaningOf>> = new Set<Meaning>([
  'yes',
  'no',
  'in_progress',
  'not_started',
  'incomplete',
]);

/** A word of a state: the others of the meanings are answered above. */
export const stateOf = (part: Part): Meant | undefined => {
  const meaning = plainMeaning(part);
  return meaning === 'yes' || meaning === 'no' ? undefined : meaning;
};

const KNOWN_WORD: WordRule = {
  name: 'known_word',
  example: 'Status: In progress / Status: Completed',
  needs: () => true,
  says: stateOf,
};

const A_DAY_THAT_TELLS = [
  'Status: Completed; Completion date: 2024-01-02',
  'Status: In progress; Completion date: ',
  'Status: Completed; Completion date: 2024-01-03',
  'Status: In progress; Completion date: ',
].join(' / ');

/** The first that fits says what the word means. */
export const WORD_RULES: readonly WordRule[] = [
  {
    name: 'stopped_beside_courses',
    example: 'Type: Waiver; Completion date: 2024-01-02 / Type: Assignment; Completion date: 2024-01-03',
    needs: (part) => isHarmlessPart(part) && saysStopped(part.is),
    says: 'taken back',
  },
  {
    name: 'role_beside_participants',
    example: 'Type: Speaker; Issue date: 2024-01-02 / Type: Participant; Issue date: 2024-01-02',
    needs: ({ role, column }) => role !== 'status' && hasParticipants(column),
    says: ({ is }) => (saysParticipant(is) ? undefined : 'unknown'),
  },
  {
    name: 'remark_in_unknown_words',
    example: 'Notes: See file 7; Status: Completed / Notes: ; Status: Completed / Notes: ; Status: Not started',
    needs: (part) => isHarmlessPart(part) && part.column.topics.has('remarks') && !isHarmlessRemark(part.is),
    says: 'unknown',
  },
  {
    name: 'of_people_and_courses',
    example: 'User status: Active; Completion date: 2024-01-02 / User status: Deleted; Completion date: 2024-01-02',
    needs: isHarmlessPart,
    says: undefined,
  },
  {
    name: 'term_is_over',
    example:
      'enrollment_state: completed; Completion date: 2024-01-02 / enrollment_state: active; Completion date: 2024-01-03',
    needs: (part) => part.column.topics.has('enrolment_state') && meansDone(part.is),
    says: 'unknown',
  },
  {
    name: 'active_beside_completed',
    example: 'Status: Active / Status: Completed',
    needs: (part) => isActive(part) && part.column.values.some(meansDone),
    says: 'in_progress',
  },
  {
    name: 'completion_revoked',
    example: 'Action: Revoked completion; Status: Withdrawn / Action: Completed; Status: Completed',
    needs: (part) => plainMeaning(part) === undefined && isRevoked(part.is),
    says: 'taken back',
  },
  {
    name: 'phrase_on_a_day_of_completion',
    example: `Status: Completed through RPL; Completion date: 2024-01-02 / ${A_DAY_THAT_TELLS}`,
    needs: (part) =>
      part.isOnTellingDay === true &&
      plainMeaning(part) === undefined &&
      isStatusHeader(part.column) &&
      beginsWithCompleted(part.is),
    says: 'completed',
  },
  {
    name: 'word_of_issue',
    example:
      '@table: a word that nobody knows, in just the rows that have the day of a certificate, says that it was issued',
    needs: (part) => part.isIssued === true,
    says: 'passed',
  },
  {
    name: 'stopped_beside_done',
    example: 'Status: Exempt / Status: Completed',
    needs: (part) => plainMeaning(part) === undefined && saysLeft(part),
    says: 'taken back',
  },
  {
    name: 'word_not_known',
    example: 'Status: Frobnicated; Completion date: 2024-01-02 / Status: Completed; Completion date: 2024-01-03',
    needs: (part) => plainMeaning(part) === undefined,
    says: 'unknown',
  },
  {
    name: 'answer_that_tells_nothing',
    example: 'Is enrolled: Yes; Completion date: 2024-01-02 / Is enrolled: No; Completion date: 2024-01-03',
    needs: (part) =>
      isAnswer(part) &&
      asks(part.column) === undefined &&
      (saysNothing(part) || part.column.topics.has('enrolled_flag')),
    says: undefined,
  },
  {
    name: 'no_of_who_came',
    example: 'Attended: No; Date: 2024-01-02 / Attended: Yes; Date: 2024-01-02',
    needs: (part) => plainMeaning(part) === 'no' && asksWhoCame(part.column),
    says: 'incomplete',
  },
  {
    name: 'mark_beside_states',
    example: '@table: a mark below a course is of who did it, where other cells say who is not done',
    needs: (part) => isAnswer(part) && isBesideStates(part),
    says: (part) => (plainMeaning(part) === 'yes' ? 'completed' : 'incomplete'),
  },
  {
    name: 'answer_to_another_question',
    example: 'Valid: No; Status: Completed',
    needs: (part) => isAnswer(part) && isOfOtherQuestion(part),
    says: 'unknown',
  },
  {
    name: 'not_taken_back',
    example: 'Revoked: No; Issue date: 2024-01-02 / Revoked: Yes; Issue date: 2024-01-03',
    needs: (part) => plainMeaning(part) === 'no' && asks(part.column) === 'taken back',
    says: undefined,
  },
  {
    name: 'yes_under_its_header',
    example: 'Passed: Yes; Date: 2024-01-02 / Passed: No; Date: 2024-01-03',
    needs: (part) => plainMeaning(part) === 'yes',
    says: ({ column }) => asks(column),
  },
  {
    name: 'no_under_its_header',
    example: 'Passed: No / Passed: Yes',
    needs: (part) => plainMeaning(part) === 'no',
    says: ({ column }) => (asks(column) === 'passed' ? 'not passed' : 'incomplete'),
  },
  {
    name: 'incomplete_and_stopped',
    example: 'Status: Cancelled; Progress: 50 % / Status: Completed; Progress: 100 %',
    needs: (part) => plainMeaning(part) === 'incomplete' && saysStopped(part.is),
    says: 'taken back',
  },
  {
    name: 'exam_passed_or_failed',
    example: 'Exam result: Passed; Exam date: 2024-01-02 / Exam result: Failed; Exam date: 2024-01-02',
    needs: (part) => isOfExam(part) && ['passed', 'failed'].includes(plainMeaning(part) ?? ''),
    says: stateOf,
  },
  {
    name: 'exam_completed',
    example: 'Exam result: Completed; Completion date: 2024-01-02 / Exam result: Failed; Completion date: 2024-01-02',
    needs: (part) => isOfExam(part) && plainMeaning(part) === 'completed',
    says: 'unknown',
  },
  {
    name: 'exam_without_a_result',
    example:
      'Exam result: Not attempted; Status: Completed; Completion date: 2024-01-02 / Exam result: Passed; Status: Completed; Completion date: 2024-01-02',
    needs: isOfExam,
    says: undefined,
  },
  KNOWN_WORD,
];

/** The rule that says what the word of a part means. */
export const wordRuleFor = (part: Part): WordRule => ruleFor(WORD_RULES, part) ?? KNOWN_WORD;

/** `undefined` for a word that says nothing of its row, `unknown` where a person has to say it. */
export function meantBy(part: Part): Meant | 'unknown' | undefined {
  const { says } = wordRuleFor(part);
  return typeof says === 'function' ? says(part) : says;
}

const HARMLESS_REMARKS: ReadonlySet<ReturnType<typeof meaningOf>> = new Set(['completed', 'passed', 'yes']);

/** It takes nothing from what other columns say. */
const isHarmlessRemark = (text: string): boolean =>
  HARMLESS_REMARKS.has(meaningOf(text)) || saysTopic(plainText(text), 'remark');

/** More words are prose. */
const MOST_OF_STATUS = 3;

/** `Exempt` where others completed or came: a word of leaving, and none of what may be over after it was done. */
function saysLeft({ is, column }: Part): boolean {
  const plain = plainText(is);
  if (!saysStopped(is) || plain.split(' ').length > MOST_OF_STATUS) return false;
  if (OF_MORE.some((topic) => saysTopic(plain, topic))) return false;
  return column.values.some((text) => meansDone(text) || saysCame(text));
}
const OF_MORE = ['expiry', 'paused', 'completion', 'pass'] as const;

/** A learner who is active may have completed or not. */
export const isActive = ({ is, column }: Part): boolean =>
  /^(active|enabled)$/i.test(is) || (/\bapprov/.test(column.plain) && /^approved$/i.test(is));

/** `Is suspended = No` in every row says nothing of one of them, and no more does a no in place of a date; `Valid = No` does. */
const saysNothing = (part: Part): boolean =>
  plainMeaning(part) === 'no' &&
  (part.read.read === 'date' || (part.column.values.length === 1 && !part.column.topics.has('state')));

const FLAGS: Readonly<Record<string, 'yes' | 'no'>> = { 0: 'no', 1: 'yes', '-1': 'yes' };

/** A day alone says yes, as a flag may. */
export function plainMeaning({ is, column, read }: Part): ReturnType<typeof meaningOf> {
  if (read.read === 'dated' && isBareDate(is)) return 'yes';
  return (
    (isFlag(column) ? ownValue(FLAGS, is) : undefined) ??
    wordIn(column, read.read === 'counted' ? withoutPercent(is) : is)
  );
}
