/** What the engine says of mappings, rows and kinds of rows, in English. */
import { grouped } from '../engine/ground/text.ts';
import type { Texts } from './texts.ts';

/** `a, b and c`. */
const listed = (names: readonly string[], last: string): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;

/** What the state columns of a kind of rows say. */
export const shownValues = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, text]) => `${name} = ${text}`)
    .join(', ') || 'every row';

/** More names of one address are not read. */
const MOST_NAMES = 5;

/** `beside 2 names: Ann Smith; Ben Castillo`. */
const besideNames = (names: readonly string[]): string =>
  `beside ${names.length > MOST_NAMES ? `more than ${MOST_NAMES}` : names.length} names: ${names.slice(0, MOST_NAMES).join('; ')}`;

export const EN_KINDS = {
  // The mapping
  mapping_not_json: ({ path, problem }) => `The mapping ${path} is not JSON: ${problem}`,
  mapping_invalid: ({ path, problems }, sayAlso) =>
    [`The mapping ${path} is not valid:`, ...problems.map(({ at, is }) => `  ${at}: ${sayAlso(is)}`)].join('\n'),
  value_unexpected: ({ message }) => message,
  no_such_member: () => 'there is no such member',
  no_member_of_a_record: ({ members }) => `there is no such member of a record; the members are ${members.join(', ')}`,
  empty_text: () => 'must not be empty',
  name_without_colon: () => 'must begin with a colon',
  no_block: () => 'must have a block',
  no_column: () => 'must name a column',
  no_format: () => 'must name a format',
  no_source: ({ members }) => `must be a column name, a list of them, or an object with ${listed(members, 'or')}`,
  no_text: () => 'must name a text',
  not_positive: () => 'must be more than 0',
  not_one_of_members: ({ members }) => `must have exactly one of ${listed(members, 'and')}`,
  must_be_either: ({ values }) => `must be ${listed(values, 'or')}`,
  must_be_one_of: ({ values }) => `must be one of ${values.join(', ')}`,
  must_become_number: () => 'must become a number',
  must_become_one_of: ({ values }) => `must become ${values.join(', ')}`,
  must_become_percentage: () => 'must become a number from 0 to 100',
  template_without_column: () => 'must contain a column in braces, like {Email}',
  format_names_twice: ({ part }) => `names the ${part} twice; put literal letters in brackets, like [Uhr]`,
  format_of_no_day: () =>
    'must be iso, epoch, epoch_ms, epoch_us, epoch_ns, excel, excel_1904, or a pattern with year, month and day, like DD/MM/YYYY',
  language_unknown: () => 'must be a language, like de or pt-BR',
  offset_unknown: () => 'must be an offset, like +01:00',
  time_zone_unknown: () => 'must be an IANA time zone, like Europe/Madrid',
  constant_beside_others: () => 'nothing else has an effect beside constant',
  dates_of_no_date: () => 'dates has an effect for dates only',
  earliest_of_no_date: () => 'earliest and latest have an effect for dates only',
  otherwise_without_values: () => 'otherwise has no effect without values',
  pick_without_groups: () => 'pick has an effect with group_by only',
  scale_beside_out_of: () => 'only one of scale and out_of can apply',
  scale_of_no_number: () => 'scale and out_of have an effect for numbers only',
  values_empty: () => 'values is empty',
  values_of_empty_cell: () => 'values never apply to an empty cell. Use if_empty.',
  without_effect_with: ({ member, outcome }) => `${member} has no effect with ${outcome}`,
  without_effect_with_json: ({ members }) => `with json, ${listed(members, 'and')} have no effect`,
  kinds_missing: () => 'missing',
  said_by_kinds: () => 'what a row becomes is said by "kinds", which a person confirms',
  kind_of_other_column: ({ column, columns }) =>
    `"${column}" is no state column; kinds.columns has ${columns.join(', ') || 'none'}`,
  kind_without_column: ({ column }) => `values has nothing for the state column "${column}"`,
  kind_without_date: ({ day }) => `date must name its column, or be "${day}"`,
  kind_date_is: ({ column, is }) => `date: "${column}" is ${is} in these rows`,
  kind_date_unknown: ({ column }) => `date: "${column}" is no column of dates in kinds.columns or kinds.dates`,
  kind_percent_is: ({ column, is, outcome }) =>
    `percent: "${column}" is ${is} in these rows, which ${outcome} contradicts`,
  kind_percent_unknown: ({ column }) => `percent: "${column}" is no column of percentages in kinds.columns`,
  // Rows
  file_changed: ({ path }) => `${path} has changed since it was imported.`,
  at_line: ({ line }) => `line ${line}`,
  at_line_of_sheet: ({ sheet, line }) => `sheet "${sheet}", line ${line}`,
  record_repeated: ({ id, file, line }) =>
    `external_record_id ${JSON.stringify(id)} occurs before, in ${file} on line ${line}; only that record is imported`,
  row_incomplete: ({ what, column }) =>
    `${column === undefined ? `The row has no ${what}` : `"${column}" is empty in this row, and it names the ${what}`}. Fill it in, and import the row again. If it is a title or a total, delete it.`,
  kind_undecided: ({ values, odd }) => {
    const cells = odd.map(
      ({ cell, column, wanted }) => `${JSON.stringify(cell)} in column "${column}" is no ${wanted}`,
    );
    const rows = Object.keys(values).length === 0 ? 'the rows become' : `a row with ${shownValues(values)} becomes`;
    return `${[...cells, `nobody has confirmed what ${rows}`].join('; ')}.`;
  },
  kind_date_missing: ({ values, column, is }) =>
    `the kind ${shownValues(values)} takes its date from "${column}", which is ${is} in this row. Correct the cell.`,
  kind_date_in_future: ({ values, column, date }) =>
    `the kind ${shownValues(values)} takes its date from "${column}", which is in the future (${date}) in this row. Correct the cell.`,
  address_undecided: ({ address, names }) =>
    `nobody has said whose the rows of ${address}, ${besideNames(names)}, are.`,
  pair_undecided: ({ line, file }) =>
    `the rows of a learner in a course are decided together, and nobody has confirmed what line ${line}${file === undefined ? '' : ` of ${file}`} becomes.`,
  value_unnamed: ({ value, column }) => `no rule of the mapping names "${value}" in column "${column}"`,
  value_unreadable: ({ value, column, expected }, sayAlso) =>
    `"${value}" in column "${column}" is not ${sayAlso(expected)}`,
  a_date: ({ formats }) => `a date like ${formats.join(' or ')}`,
  a_number: ({ decimal }) => `a number (decimal ${decimal === ',' ? 'comma' : 'point'})`,
  a_whole_number: () => 'a whole number',
  one_of: ({ values }) => values.join(', '),

  // Kinds
  own_reason: ({ text }) => text,
  proposed_by: ({ by, text }) => `${by} suggests it: ${text}`,
  day_below_the_course: () => 'its date is taken for the day of completion, not of expiry',
  item_is_no_course: ({ column, text }) => `other rows of this name are courses, and ${column} = ${text} is none`,
  attended_is_no_completion: ({ column, text }) => `${column} = ${text} says who was there, not who completed`,
  certificate_on_no_day: ({ column }) => `${column} says who has a certificate, and nothing says since when`,
  word_unknown: ({ column, text }) => `what ${column} = ${text} says of a row is not known here`,
  cell_is_no_date: () => 'a cell is no date: correct it, or leave the rows out',
  cell_is_no_percentage: () => 'a cell is no percentage: correct it, or leave the rows out',
  ended_without_completion: ({ column, text }) => `no completion: "${column}" is "${text}"`,
  ended_beside_more: ({ column, text }) => `"${column}" is "${text}", and a person has to say whether the row counts`,
  row_taken_back: ({ column, text }) => `${column} = ${text} takes the row back`,
  one_result_is_missing: ({ column }) => `${column} is empty, where other rows passed or failed`,
  day_beside_not_done: ({ column, text }) => `${column} = ${text} says not done, but there is a date`,
  result_says_no_pass: ({ column, text }) => `another column says passed, ${column} = ${text} does not`,
  percentages_contradict: () => 'the percentages contradict each other, or exceed 100',
  passed_and_failed: () => 'passed and failed contradict each other',
  failed_on_a_day: () => 'the words say failed',
  failed_on_several_days: () => 'several dates may be the day',
  file_without_days: () => 'no day in the file: the day of the import is stored',
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
  begun_and_not_done: () => 'there is a day of start or activity, and none of completion',
  not_done_maybe_begun: () => 'the words say not completed, and not whether it was begun',
  not_passed_on_no_day: () => 'no completion: not passed, and no day of an exam',
  attended_once: ({ text }) => `"${text}" is taken for done: nobody came twice to a course`,
  was_not_there: ({ column, text }) => `no completion: "${column}" is "${text}"`,
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
  all_activities_done: () => 'every activity is done, and no column says that of the course',
  some_activities_done: () => 'some activities are done, and the course is not',
  no_activity_done: () => 'no activity is done',
  nothing_says_how_far: () => 'no column says how far a learner is',
  not_done_where_all_began: () => 'every row has a day of start, and this one none of completion',
  neither_progress_nor_day: () => 'not completed: neither progress nor a day of completion',
  known_of_system: ({ name }) => `so ${name['en'] ?? ''} says it`,
  system_knows_no_such_row: ({ name }) => `${name['en'] ?? ''} is not known to have such a row`,
  statement_takes_another_back: () => 'the statement takes another one back',
  statements_taken_back_unnamed: () => 'statements of the file take others back, and do not say which',
  done_on_its_day: ({ column }) => `"${column}" is the day of the course: confirm if it ends on that day`,
  day_of_rows_in_progress: ({ column }) =>
    `rows in progress have a date of ${column}, too: it may be that of their start`,
  failed_on_no_day: () => 'no completion: failed, and no day of an exam',
  no_completion: () => 'no completion: neither a day, nor 100 %, nor a word that says so',
  days_to_come: ({ column, dates, future }) =>
    `of ${dates} dates of ${column} ${future} in the future: they may be days of expiry`,

  // Whether a column says what becomes of a row
  column_put_out: () => 'it was put out by choice',
  names_whose_row_it_is: () => 'it says whose the row is',
  whole_of_a_part: () => 'it is the whole of a part beside it',
  pass_mark_of_a_score: () => 'it is the pass mark of the scores beside it',
  code_beside_its_text: () => 'another column says the same in words',
  state_of_a_country: () => 'it is a state of a country: another column is the status',
  percentage_beside_progress: () => 'it may be of an exam: another column is the progress',
  part_of_a_whole: () => 'it counts a part of the whole beside it',
  score_with_a_pass_mark: () => 'its scores have a pass mark',
  column_brought_in: () => 'a person or the mapping brought it in',
  header_over_empty_cells: () => 'its header speaks of a state, its cells are empty',
  words_of_a_state: () => 'a third of its words are words of a state',
  header_of_a_state: () => 'its header speaks of a state',
  flag: () => 'its values are yes and no',
  code_of_a_state: () => 'its values are codes of a state',
  word_that_stops_a_row: () => 'a word of it says that a row does not count',
  text_of_an_object: () => 'other columns have the members of its objects',
  how_long_it_took: () => 'it says how long something took',
  number_of_tries: () => 'it counts tries, or bounds a score',
  about_people_or_courses: () => 'it is about people or courses',
  differs_in_every_row: () => 'each row has a text of its own',
  same_in_every_row: () => 'every row says the same',
  free_text_of_a_state: () => 'it speaks of a state in too many texts',
  many_different_texts: () => 'it has too many different texts',
  few_words_one_known: () => 'it has few words, and one is of a state',
  few_unknown_words: () => 'it has few words, and none is known: it counts if it varies with a state',
  words_of_no_state: () => 'its words are of no state',
  points_of_a_score: () => 'its shares are points of a score',
  column_of_percentages: () => 'it has percentages',
  day_of_an_outcome: () => 'it has the day of an outcome',
  day_of_a_start_or_an_activity: () => 'it has the day of a start or an activity',
  day_of_a_deletion: () => 'it has the day of a deletion',
  day_of_completion_by_its_header: () => 'its header speaks of a completion',
  day_of_something_else: () => 'its day completes nothing',
  day_without_a_name: () => 'it has days, and no header says of what',
  numbers_up_to_100: () => 'its numbers reach 100: they count if only completed rows have it',
  words_between_numbers: () => 'words between its numbers say not completed, and nothing else says how far anybody is',
  types_of_items: () => 'it has types of items: it counts if they differ in a course',
  types_of_anything: () => 'it has types, and nothing else says a state',
  day_of_start_tells: () => 'only some rows have a day of start or activity, and nothing else says who began',
  name_of_a_state: () => 'the names of sheets or sections are words of a state',
  names_in_words: () => 'the names of sheets or sections are words: they count if they vary with a state',
  same_for_one_learner_or_course: () => 'it is the same in all rows of a learner, or of a course',
  activity_of_the_course: () => 'it is of an activity, of which another column says as much',
  same_types_in_each_course: () => 'its types do not differ within a course',
  varies_with_nothing: () => 'its words vary with no state',
  day_of_unfinished_rows_too: () => 'unfinished rows have the day, too, and another day is of finished rows alone',
  result_of_finished_rows: () => 'most finished rows have less than 100, so it is a result, or what is left to do',
  too_many_kinds: () => 'with it there are more kinds than a person can read',
  tells_no_rows_apart: () => 'its words are as frequent in completed rows as in the others',
  unknown_words_add_nothing: () => 'its unknown words tell no rows apart',

  column_of_system: () => 'the descriptor of the system names it',
  column_chosen: () => 'it was chosen',
  column_in_a_tie: ({ others }) => `${others.join(', ')} may be meant as well`,
  column_known: ({ found, of }) => `the platform knows ${grouped(found)} of ${grouped(of)} of its texts`,
  column_by_its_form: () => 'its header and the form of its texts say so',

  // What a person has to say of a file
  column_is_open: ({ what, column, others }) => {
    const names = others.map((other) => `"${other}"`).join(', ');
    if (column === null) return `No column names the ${what}.${names === '' ? '' : ` It may be ${names}.`}`;
    const why =
      what === 'course'
        ? 'a part of the course: the platform knows none of its texts'
        : 'the learner: no header says so';
    return names === '' ? `"${column}" may name ${why}.` : `"${column}" may name the ${what}, and so may ${names}.`;
  },
  dates_may_be_swapped: ({ column, text, formats }) =>
    `"${column}": "${text}" may be day first or month first (${formats.join(' or ')}).`,
  dates_of_both_orders: ({ column, day, month, formats }) =>
    `"${column}": ${grouped(day)} of the dates can only be day first, ${grouped(month)} only month first (${formats.join(' or ')}). Rows of the other order are rejected, and the rest is read as you choose; or leave the column out.`,
  address_of_several: ({ address, names }) =>
    `${address} stands ${besideNames(names)}. Is it the address of one person? Otherwise its rows are left out.`,
  fractions_are_open: ({ column, samples }) =>
    `No number of "${column}" is above 1. Is ${samples.map(({ text, percent }) => `${text} → ${percent} %`).join(', ')} right? Otherwise ${samples[0]?.text} is ${samples[0]?.text} %.`,
  shape_is_open: ({ shape }, sayAlso) => `${shape.map(sayAlso).join(' ')} Is that so?`,
  free_text_is_open: ({ column }) =>
    `"${column}" has too many different texts for a state. Does it say what becomes of a row?`,
  parts_are_open: ({ column }) =>
    `"${column}" differs between the rows of a learner in one course, so it may name parts of it. Is each row the whole course?`,
  mapping_undecided: ({ path, open }) =>
    `Nothing is imported: the mapping of ${path} leaves undecided: ${open.join(', ')}.`,
  no_kind_confirmed: ({ path }) => `Nothing is imported: the mapping of ${path} confirms no kind of row.`,
  proposals_unreadable: ({ by, at, problem }) =>
    `The suggestions of ${by} cannot be used${at === '' ? '' : `: ${at}`}: ${problem}. Nothing was taken from them.`,
  proposal_of_no_kind: ({ by, kind }) =>
    `${by} suggests something for the kind ${kind}, which is not in the file or is confirmed already. Nothing was taken.`,
  proposal_impossible: ({ by, values, outcome, column }) =>
    `${by} suggests ${outcome}${column === null ? '' : ` with the column "${column}"`} for the rows with ${shownValues(values)}, which is none of their outcomes. Nothing was taken.`,
} satisfies Partial<Texts>;
