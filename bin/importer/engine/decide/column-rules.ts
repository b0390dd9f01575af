/** Whether a column says what becomes of a row: an ordered table. Columns are found by their values; headers settle ties. */
import type { StateColumn } from '../language/findings.ts';
import type { Role } from '../lexicon/headers.ts';
import { saysStopped } from '../lexicon/words.ts';
import { areLasting, isDayOfCompletion, isOtherDay, isScoreHeader, saysState } from '../profile/roles.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import {
  DATE_ROLES,
  differsInEveryRow,
  hasKnownWord,
  isByHeader,
  isCode,
  isConstant,
  isFlag,
  isHarmless,
  isMeasure,
  isOfFewWords,
  isOfWords,
  MOST_WORDS,
  numbersOf,
} from './column-facts.ts';
import { FEW_TEXTS } from './percentages.ts';
import { type Rule, ruleFor, rowsOf, where } from './rule.ts';

/** What the rules ask of a column. */
export interface ColumnFacts {
  readonly column: ColumnProfile;
  readonly role: Role | undefined;
  /** How it would be read. */
  readonly read: StateColumn;
  /** Its words, without the dates and the percentages in them. */
  readonly words: ColumnProfile;
  /** What a person said: whether it is one of state. */
  readonly asked: boolean | undefined;
  /** The rows of the column with the most filled cells. */
  readonly rows: number;
  /** It names the learner, the course or the record, or people around them. */
  readonly isTaken: boolean;
  readonly isWhole: boolean;
  readonly isMark: boolean;
  readonly isCodeOfText: boolean;
  readonly isPlace: boolean;
  readonly isOtherPercentage: boolean;
  /** The whole of which it counts a part. */
  readonly whole: ColumnProfile | undefined;
  /** The pass mark of its scores, or the column of it. */
  readonly mark: StateColumn['out_of'];
}

/** `maybe`: it is one of state if it varies with those that are. */
type ColumnVerdict =
  | { readonly is: 'state' | 'maybe'; readonly read: StateColumn }
  | { readonly is: 'free text' | 'aside' };

const aside = (): ColumnVerdict => ({ is: 'aside' });
const state = ({ read }: ColumnFacts): ColumnVerdict => ({ is: 'state', read });

const row = rowsOf<ColumnFacts, ColumnVerdict>(aside);

export type ColumnRule = Rule<ColumnFacts, ColumnVerdict>;
const when = where<ColumnFacts, ColumnVerdict>;
const areWords = ({ read }: ColumnFacts): boolean => isOfWords(read);

/** What stands beside it, or what a person said. */
const BESIDE: readonly ColumnRule[] = [
  row({
    name: 'column_put_out',
    example: '@chosen: a flag that does not matter',
    needs: ({ asked }) => asked === false,
  }),
  ...when(
    ({ asked }) => asked === undefined,
    [
      row({
        name: 'names_whose_row_it_is',
        example: '@table: items of JSON are not crossed with a list beside them',
        needs: ({ isTaken }) => isTaken,
      }),
      row({
        name: 'whole_of_a_part',
        example: 'Units: 3; Units completed: 2 / Units: 2; Units completed: 2',
        needs: ({ isWhole }) => isWhole,
      }),
      row({
        name: 'pass_mark_of_a_score',
        example: 'Pass mark %: 8; Mark %: 7 / Pass mark %: 8; Mark %: 9 / Pass mark %: 8; Mark %: 9',
        needs: ({ isMark }) => isMark,
      }),
      row({
        name: 'code_beside_its_text',
        example: 'Status ID: 1; Status: Completed / Status ID: 2; Status: Failed',
        needs: ({ isCodeOfText }) => isCodeOfText,
      }),
      row({
        name: 'state_of_a_country',
        example: 'State: Ohio; Status: Completed / State: Utah; Status: Failed',
        needs: ({ isPlace }) => isPlace,
      }),
      row({
        name: 'percentage_beside_progress',
        example: 'Percentage: 100 %; Progress: 100 % / Percentage: 40 %; Progress: 50 %',
        needs: ({ isOtherPercentage }) => isOtherPercentage,
      }),
    ],
  ),
  row({
    name: 'part_of_a_whole',
    example: 'Steps completed: 2; Steps total: 4 / Steps completed: 4; Steps total: 4',
    needs: ({ whole }) => whole !== undefined,
    says: ({ whole }) => ({ is: 'state', read: { read: 'share', out_of: whole?.reference } }),
  }),
  row({
    name: 'score_with_a_pass_mark',
    example: 'Score: 70; Passing score: 80 / Score: 90; Passing score: 80 / Score: 95; Passing score: 80',
    needs: ({ mark }) => mark !== undefined,
    says: ({ mark }) => ({ is: 'state', read: { read: 'mark', out_of: mark } }),
  }),
  row({
    name: 'column_brought_in',
    example: '@export: open-edx/grades-audit.csv',
    needs: ({ asked }) => asked === true,
    // Numbers that a person brings in are percentages, or stand beside words; texts are compared as they are.
    says: ({ column, read }) => ({
      is: 'state',
      read: read.read === 'text' && isMeasure(column) ? numbersOf(column) : read,
    }),
  }),
];

const hasValues = ({ words }: ColumnFacts): boolean => words.values.length > 0;

const isFew = ({ words, role }: ColumnFacts): boolean => role === undefined && isOfFewWords(words);

/** Why its words say a state, by their values or by its header. */
const OF_STATE: readonly ColumnRule[] = [
  row({
    name: 'header_over_empty_cells',
    example: 'Completion date: ; Status: Incomplete',
    needs: (facts) => !hasValues(facts) && isByHeader(facts.words, facts.role),
    says: state,
  }),
  ...when(
    (facts) => hasValues(facts) && !isMeasure(facts.words),
    [
      row({
        name: 'words_of_a_state',
        example: '@export: xapi/statements.json',
        needs: ({ words }) => saysState(words),
        says: state,
      }),
      row({
        name: 'header_of_a_state',
        example: 'Status: Alpha1 / Status: Beta2 / Status: Gamma3',
        needs: ({ words, role }) => isByHeader(words, role),
        says: state,
      }),
      row({
        name: 'flag',
        example: 'Is suspended: No; Status: Completed',
        needs: ({ words }) => isFlag(words),
        says: state,
      }),
      row({
        name: 'code_of_a_state',
        example: 'Prog: A; Status: Completed / Prog: B; Status: Completed / Prog: A; Status: Completed',
        needs: ({ words, role }) => isCode(words, role),
        says: state,
      }),
      row({
        name: 'word_that_stops_a_row',
        example: 'Comment: parental leave; Score: ; Date: 2024-01-02 / Comment: ; Score: 88; Date: 2024-01-02',
        needs: ({ words }) => isHarmless(words),
        says: state,
      }),
    ],
  ),
];

/** Columns of words. */
const WORDS: readonly ColumnRule[] = [
  row({
    name: 'text_of_an_object',
    example: 'Result: {""a"": 1}; Status: Completed',
    // It says nothing that the members of the object do not say.
    needs: ({ column }) => column.values.some((text) => /^[{[].*[\]}]$/s.test(text)),
  }),
  row({
    name: 'how_long_it_took',
    example: 'Completion time: 1:10:00; Status: Completed',
    needs: ({ column }) => areLasting(column),
  }),
  row({
    name: 'number_of_tries',
    example: 'Attempt status: 1; Status: Failed / Attempt status: 2; Status: Completed',
    needs: ({ column }) => column.topics.has('attempts') && column.isMostlyNumber,
  }),
  row({
    name: 'about_people_or_courses',
    example: 'Department: Sales / Department: Research',
    // A word of it may say that a row does not count; so may a remark in unknown words.
    needs: ({ column, role, rows }) =>
      role !== 'status' &&
      isHarmless(column) &&
      (column.texts.size > FEW_TEXTS ||
        !(column.values.some(saysStopped) || (column.topics.has('remarks') && column.filled * 2 <= rows))),
  }),
  row({
    name: 'differs_in_every_row',
    example: 'Result: 71A / Result: 72B / Result: 73C',
    needs: ({ words }) => differsInEveryRow(words),
  }),
  row({
    name: 'same_in_every_row',
    example: 'Quizzes completed: 0; Status: Completed / Quizzes completed: 0; Status: Failed',
    needs: ({ words, rows }) => isConstant(words, rows),
  }),
  ...when(
    ({ words }) => words.texts.size > MOST_WORDS,
    [
      row({
        name: 'free_text_of_a_state',
        example: '@choice: free text that was put out',
        needs: (facts) => ruleFor(OF_STATE, facts) !== undefined,
        says: () => ({ is: 'free text' }),
      }),
      row({ name: 'many_different_texts', example: '@choice: free text that was put out', needs: () => true }),
    ],
  ),
  ...OF_STATE,
  row({
    name: 'few_words_one_known',
    example: '@table: one word of a state makes a column say what becomes of a row',
    needs: (facts) => isFew(facts) && hasKnownWord(facts.words),
    says: state,
  }),
  row({
    name: 'few_unknown_words',
    example: '@export: open-edx/grades.csv',
    needs: isFew,
    says: ({ read }) => ({ is: 'maybe', read }),
  }),
  row({
    name: 'words_of_no_state',
    example: 'Serial: A7-23; Status: Completed / Serial: B8-11; Status: Completed / Serial: ; Status: Failed',
    needs: () => true,
  }),
];

/** Dates and percentages. */
const MEASURES: readonly ColumnRule[] = [
  row({
    name: 'points_of_a_score',
    example: '@table: 18 of 20 points are no progress',
    needs: ({ read, column }) => read.read === 'share' && (isScoreHeader(column) || column.topics.has('no_percentage')),
  }),
  row({
    name: 'column_of_percentages',
    example: 'Planned progress: 50 % / Planned progress: 100 %',
    needs: ({ read }) => read.read !== 'date',
    says: state,
  }),
  row({
    name: 'day_of_an_outcome',
    example: 'Completion date: 2024-01-02',
    needs: ({ role }) => role === 'progress.completed_at' || role === 'assessment.taken_at',
    says: state,
  }),
  row({
    name: 'day_of_a_start_or_an_activity',
    example: '@export: linkedin-learning/detail-tabs.tsv',
    needs: ({ role }) => DATE_ROLES.has(role),
  }),
  row({
    name: 'day_of_a_deletion',
    example: 'Deleted at: 2024-01-02; Status: Completed',
    needs: ({ column }) => column.roles.has('deleted'),
    says: state,
  }),
  row({
    name: 'day_of_completion_by_its_header',
    example: 'First Completion Date: 2023-01-02; Completion Date: 2024-01-02',
    needs: ({ column }) => isDayOfCompletion(column),
    says: state,
  }),
  row({
    name: 'day_of_something_else',
    example: 'Due date: 2024-01-02; Status: Completed',
    needs: ({ column }) => isOtherDay(column),
  }),
  row({ name: 'day_without_a_name', example: 'When: 2024-01-02; Status: Completed', needs: () => true, says: state }),
];

/** The first that fits decides. */
export const COLUMN_RULES: readonly ColumnRule[] = [...BESIDE, ...when(areWords, WORDS), ...MEASURES];
