/** What the rules say of a kind of rows, in English. */
import { grouped } from '../engine/ground/text.ts';
import type { Texts } from './texts.ts';

/** More names of one address are not read. */
const MOST_NAMES = 5;

/** `beside 2 names: Ann Smith; Ben Castillo`. */
export const besideNames = (names: readonly string[]): string =>
  `beside ${names.length > MOST_NAMES ? `more than ${MOST_NAMES}` : names.length} names: ${names.slice(0, MOST_NAMES).join('; ')}`;

export const EN_KINDS = {
  own_reason: ({ text }) => text,
  day_below_the_course: () => 'its date is taken for the day of completion, not of expiry',
  item_is_no_course: ({ column, text }) => `other rows of this name are courses, and ${column} = ${text} is none`,
  word_unknown: ({ column, text }) => `what ${column} = ${text} says of a row is not known here`,
  cell_is_no_date: () => 'a cell is no date: correct it, or leave the rows out',
  cell_is_no_percentage: () => 'a cell is no percentage: correct it, or leave the rows out',
  row_taken_back: () => 'the row is marked as taken back',
  one_result_is_missing: ({ column }) => `${column} is empty, where other rows passed or failed`,
  result_says_no_pass: ({ column, text }) => `another column says passed, ${column} = ${text} does not`,
  percentages_contradict: () => 'the percentages contradict each other, or exceed 100',
  passed_and_failed: () => 'passed and failed contradict each other',
  failed_on_a_day: () => 'the words say failed',
  failed_on_several_days: () => 'several dates may be the day',
  failed_without_a_day: () => 'there is no date to fail on',
  done_and_not_done: () => 'one column says done, another one not',
  done_below_the_whole: () => 'the words say done, the percentage does not',
  passed_on_the_last_activity: () => 'the words say passed, and the last activity is the only date',
  words_say_passed: () => 'the words say passed',
  completed_on_the_last_activity: () => 'the words say completed, and the last activity is the only date',
  words_say_completed: () => 'the words say completed',
  done_on_several_days: () => 'several dates may be the day',
  done_without_a_day: () => 'there is no date to complete on',
  not_done_with_a_day: () => 'the words say not completed, but there is a date',
  not_done_with_the_whole: () => 'the words say not completed, the percentage says 100',
  several_percentages: () => 'of several percentages, none is known to be that of the course',
  words_say_in_progress: () => 'the words say in progress',
  begun_and_not_done: () => 'there is a day of start, and none of completion',
  not_done_maybe_begun: () => 'the words say not completed, and not whether it was begun',
  words_say_not_started: () => 'not started: the words say not started or not completed',
  percentage_of_course_or_exam: () => 'nothing says whether the percentage is that of the course or of an exam',
  below_the_whole_with_a_day: () => 'there is a date, but less than 100 %',
  percentage_between: () => 'between 0 and 100 %',
  the_whole_with_a_day: () => '100 %, with a date',
  the_whole_without_a_day: () => '100 %, and no date to complete on',
  zero_with_a_date: () => '0 %, and a date that may be of something else',
  date_of_something: () => 'a date alone does not say what it is of',
  day_of_a_certificate: () => 'there is the date of a certificate',
  completion_below_the_course: () => 'its date is taken for the day of completion, not of expiry',
  day_of_completion: () => 'there is a date of completion',
  nothing_says_how_far: () => 'no column says how far a learner is',
  not_done_where_all_began: () => 'every row has a day of start, and this one none of completion',
  neither_progress_nor_day: () => 'not completed: neither progress nor a day of completion',
  statement_takes_another_back: () => 'the statement takes another one back',
  statements_taken_back_unnamed: () => 'statements of the file take others back, and do not say which',
  day_of_rows_in_progress: ({ column }) =>
    `rows in progress have a date of ${column}, too: it may be that of their start`,
  days_to_come: ({ column, dates, future }) =>
    `of ${dates} dates of ${column} ${future} in the future: they may be days of expiry`,

  // What a person has to say of a file
  column_is_open: ({ what, column, others }) => {
    const names = others.map((other) => `"${other}"`).join(', ');
    return column === null
      ? `No column names the ${what}.${names === '' ? '' : ` It may be ${names}.`}`
      : `"${column}" may name the ${what}, and so may ${names}.`;
  },
  dates_may_be_swapped: ({ column, text, formats }) =>
    `"${column}": "${text}" may be day first or month first (${formats.join(' or ')}).`,
  dates_of_both_orders: ({ column, day, month, formats }) =>
    `"${column}": ${grouped(day)} of the dates can only be day first, ${grouped(month)} only month first (${formats.join(' or ')}). Rows of the other order are rejected, and the rest is read as you choose; or leave the column out.`,
  address_of_several: ({ address, names }) =>
    `${address} stands ${besideNames(names)}. Is it the address of one person? Otherwise its rows are left out.`,
  fractions_are_open: ({ column, samples }) =>
    `No number of "${column}" is above 1. Is ${samples.map(({ text, percent }) => `${text} → ${percent} %`).join(', ')} right? Otherwise ${samples[0]?.text} is ${samples[0]?.text} %.`,
  shape_is_open: ({ shape }) => `${shape} Is that so?`,
  free_text_is_open: ({ column }) =>
    `"${column}" has too many different texts for a state. Does it say what becomes of a row?`,
  parts_are_open: ({ column }) =>
    `"${column}" differs between the rows of a learner in one course, so it may name parts of it. Is each row the whole course?`,
} satisfies Partial<Texts>;
