/** The names of the rules that decide about columns and kinds of rows: each is the code of its reason. */

/** A code that says all by itself. */
export type None = Readonly<Record<string, never>>;

export interface RuleCodes {
  // What a kind of rows becomes: the names of the rules
  /** A reason that a person wrote into the mapping. */
  own_reason: { readonly text: string };
  /** A suggestion that came from outside, with its reason. */
  proposed_by: { readonly by: string; readonly text: string };
  day_below_the_course: None;
  item_is_no_course: { readonly column: string; readonly text: string };
  attended_is_no_completion: { readonly column: string; readonly text: string };
  certificate_on_no_day: { readonly column: string };
  word_unknown: { readonly column: string; readonly text: string };
  cell_is_no_date: None;
  cell_is_no_percentage: None;
  ended_without_completion: { readonly column: string; readonly text: string };
  ended_beside_more: { readonly column: string; readonly text: string };
  row_taken_back: { readonly column: string; readonly text: string };
  one_result_is_missing: { readonly column: string };
  day_beside_not_done: { readonly column: string; readonly text: string };
  result_says_no_pass: { readonly column: string; readonly text: string };
  percentages_contradict: None;
  passed_and_failed: None;
  failed_on_a_day: None;
  failed_on_several_days: None;
  file_without_days: None;
  failed_without_a_day: None;
  done_and_not_done: None;
  done_below_the_whole: None;
  passed_on_the_last_activity: None;
  words_say_passed: None;
  completed_on_the_last_activity: None;
  words_say_completed: None;
  done_on_several_days: None;
  done_without_a_day: None;
  not_done_with_a_day: None;
  not_done_with_the_whole: None;
  several_percentages: None;
  words_say_in_progress: None;
  begun_and_not_done: None;
  not_done_maybe_begun: None;
  not_passed_on_no_day: None;
  attended_once: { readonly text: string };
  was_not_there: { readonly column: string; readonly text: string };
  words_say_not_started: None;
  percentage_of_course_or_exam: None;
  below_the_whole_with_a_day: None;
  percentage_between: None;
  the_whole_with_a_day: None;
  the_whole_without_a_day: None;
  zero_with_a_date: None;
  date_of_something: None;
  day_of_a_certificate: None;
  completion_below_the_course: None;
  day_of_completion: None;
  all_activities_done: None;
  some_activities_done: None;
  no_activity_done: None;
  nothing_says_how_far: None;
  not_done_where_all_began: None;
  neither_progress_nor_day: None;
  statement_takes_another_back: None;
  statements_taken_back_unnamed: None;
  done_on_its_day: { readonly column: string };
  day_of_rows_in_progress: { readonly column: string };
  failed_on_no_day: None;
  no_completion: None;
  /** `name`: of the system, by language. */
  known_of_system: { readonly name: Readonly<Record<string, string>> };
  system_knows_no_such_row: { readonly name: Readonly<Record<string, string>> };
  days_to_come: { readonly column: string; readonly dates: number; readonly future: number };

  // Whether a column says what becomes of a row: the names of the rules
  column_of_system: None;
  column_put_out: None;
  names_whose_row_it_is: None;
  whole_of_a_part: None;
  pass_mark_of_a_score: None;
  code_beside_its_text: None;
  state_of_a_country: None;
  percentage_beside_progress: None;
  part_of_a_whole: None;
  score_with_a_pass_mark: None;
  column_brought_in: None;
  header_over_empty_cells: None;
  words_of_a_state: None;
  header_of_a_state: None;
  flag: None;
  code_of_a_state: None;
  word_that_stops_a_row: None;
  text_of_an_object: None;
  how_long_it_took: None;
  number_of_tries: None;
  about_people_or_courses: None;
  differs_in_every_row: None;
  same_in_every_row: None;
  free_text_of_a_state: None;
  many_different_texts: None;
  few_words_one_known: None;
  few_unknown_words: None;
  words_of_no_state: None;
  points_of_a_score: None;
  column_of_percentages: None;
  day_of_an_outcome: None;
  day_of_a_start_or_an_activity: None;
  day_of_a_deletion: None;
  day_of_completion_by_its_header: None;
  day_of_something_else: None;
  day_without_a_name: None;
  numbers_up_to_100: None;
  words_between_numbers: None;
  types_of_items: None;
  types_of_anything: None;
  day_of_start_tells: None;
  name_of_a_state: None;
  names_in_words: None;
  same_for_one_learner_or_course: None;
  same_types_in_each_course: None;
  activity_of_the_course: None;
  varies_with_nothing: None;
  day_of_unfinished_rows_too: None;
  result_of_finished_rows: None;
  too_many_kinds: None;
  unknown_words_add_nothing: None;
  tells_no_rows_apart: None;

  // Which column names the learner or the course
  column_chosen: None;
  column_in_a_tie: { readonly others: readonly string[] };
  column_known: { readonly found: number; readonly of: number };
  column_by_its_form: None;
}
