/**
 * Everything that the engine has to say: why a file is refused, why a row is rejected, what is suggested and why. It names a code and
 * its values, and has no sentence: command and page have the words (`bin/importer/texts`), each in its languages.
 *
 * A new code is a line here; it does not compile before each language has its sentence.
 */

import type { Field } from './fields.ts';
import type { None, RuleCodes } from './rule-codes.ts';
import type { OfFile, RunCodes } from './run-codes.ts';

type Values = Readonly<Record<string, string>>;

/** What the cells below the titles of courses say, as the column that a shape adds. */
export type MatrixCells = ':status' | ':progress' | ':completed' | ':completed on' | ':expires on';

/** A cell of a state column that is not of the form of its column. */
export interface OddCell {
  readonly cell: string;
  readonly column: string;
  readonly wanted: 'date' | 'percentage';
}

/** What is wrong with a member of a mapping. */
export interface MappingProblem {
  /** Its path, like `record.progress.classes`. */
  readonly at: string;
  readonly is: Said;
}

/** The values of each code. A value that is a code itself is said within the sentence. */
export interface Codes extends RuleCodes, RunCodes {
  // Files
  file_without_rows: OfFile;
  file_empty: OfFile;
  file_compressed: OfFile;
  file_is_pdf: OfFile;
  file_is_sql_dump: OfFile;
  file_is_web_page: OfFile;
  file_is_table_of_html: OfFile;
  file_is_xml: OfFile;
  reading_takes_too_long: OfFile & { readonly seconds: number };
  reading_takes_too_much_memory: OfFile;
  encoding_unknown: { readonly encoding: string };
  /** What is wrong at a place of a file; lines and columns count from 1. */
  file_refused_at: OfFile & { readonly line: number; readonly column?: number | undefined; readonly problem: Said };
  nul_byte: None;
  not_utf8: None;
  line_too_long: { readonly bytes: number };
  row_too_long: None;
  table_too_wide: { readonly columns: number; readonly most: number };
  row_of_other_width: { readonly columns: number; readonly header: number };
  row_may_be_title: { readonly columns: number; readonly header: number; readonly text: string };
  columns_named_anew: None;
  rows_of_group_differ: { readonly line: number; readonly member: string };
  /** `similar`: a column of nearly this name. */
  column_missing: {
    readonly column: string;
    readonly wantedBy: string;
    readonly similar?: string | undefined;
    readonly columns: readonly string[];
  };
  column_twice: { readonly column: string; readonly first: number; readonly last: number };
  // CSV
  csv_row_too_long: None;
  quote_around_rows: { readonly lines: number };
  quote_inside_text: None;
  quote_never_closes: None;
  text_after_quote: None;
  // JSON
  not_json: None;
  json_incomplete: None;
  json_of_no_records: None;
  json_value_missing: None;
  json_without_array: { readonly array?: string | undefined };
  text_after_array: None;
  record_too_deep: { readonly levels: number };
  record_too_long: None;
  list_beside: None;
  list_beside_in_items: None;
  // Workbooks
  file_of_old_excel: OfFile;
  file_is_binary_workbook: OfFile;
  file_is_open_document: OfFile;
  file_is_archive: OfFile & { readonly first?: string | undefined; readonly files: number };
  workbook_damaged: OfFile & { readonly problem: Said | string };
  archive_directory_damaged: None;
  archive_end_damaged: None;
  archive_without_end: None;
  part_cut_off: None;
  part_encrypted: None;
  part_larger_than_said: None;
  part_misplaced: None;
  part_packed_otherwise: { readonly method: number };
  workbook_unreadable: OfFile & { readonly problem: Said };
  part_of_long_text: None;
  part_of_many_tags: { readonly part: string };
  part_too_deep: { readonly most: number };
  part_too_large: { readonly part: string; readonly mebibytes: number };
  shared_text_too_long: None;
  shared_texts_empty: None;
  workbook_not_xml: OfFile & { readonly problem: string };
  workbook_of_document_type: OfFile;
  workbook_of_many_parts: OfFile & { readonly most: number };
  workbook_of_many_sheets: OfFile & { readonly most: number };
  workbook_part_missing: OfFile;
  workbook_without_sheets: OfFile;
  /** Two sheets are one part of the file. */
  sheet_named_twice: OfFile & { readonly sheet: string };
  sheet_in_other_file: OfFile & { readonly sheet: string };
  sheet_unknown: OfFile & { readonly sheet: string; readonly sheets: readonly string[] };
  sheet_missing: None;
  row_misnumbered: { readonly number: string; readonly most: number };
  cell_misplaced: { readonly cell: string };
  cell_text_missing: None;
  table_nearly_empty: None;
  value_beyond_table: { readonly columns: number };
  other_sheet_chosen: None;
  sheet_empty: None;
  sheet_hidden: None;
  sheet_of_other_header: None;
  // The mapping
  mapping_not_json: OfFile & { readonly problem: string };
  mapping_invalid: OfFile & { readonly problems: readonly MappingProblem[] };
  /** `message`: of valibot, in English. */
  value_unexpected: { readonly message: string; readonly expected: string; readonly received: string };
  no_such_member: None;
  no_member_of_a_record: { readonly members: readonly string[] };
  empty_text: None;
  name_without_colon: None;
  no_block: None;
  no_column: None;
  no_format: None;
  no_source: { readonly members: readonly string[] };
  no_text: None;
  not_positive: None;
  not_one_of_members: { readonly members: readonly string[] };
  must_be_either: { readonly values: readonly string[] };
  must_be_one_of: { readonly values: readonly string[] };
  must_become_number: None;
  must_become_one_of: { readonly values: readonly string[] };
  must_become_percentage: None;
  template_without_column: None;
  format_names_twice: { readonly part: string };
  format_of_no_day: None;
  language_unknown: None;
  offset_unknown: None;
  time_zone_unknown: None;
  constant_beside_others: None;
  dates_of_no_date: None;
  earliest_of_no_date: None;
  otherwise_without_values: None;
  pick_without_groups: None;
  scale_beside_out_of: None;
  scale_of_no_number: None;
  values_empty: None;
  values_of_empty_cell: None;
  without_effect_with: { readonly member: string; readonly outcome: string };
  without_effect_with_json: { readonly members: readonly string[] };
  kinds_missing: None;
  said_by_kinds: None;
  kind_of_other_column: { readonly column: string; readonly columns: readonly string[] };
  kind_without_column: { readonly column: string };
  kind_without_date: { readonly day: string };
  kind_date_is: { readonly column: string; readonly is: string };
  kind_date_unknown: { readonly column: string };
  kind_percent_is: { readonly column: string; readonly is: string; readonly outcome: string };
  kind_percent_unknown: { readonly column: string };
  // Rows
  file_changed: OfFile;
  at_line: { readonly line: number };
  at_line_of_sheet: { readonly sheet: string; readonly line: number };
  record_repeated: { readonly id: string; readonly file: string; readonly line: number };
  row_incomplete: { readonly what: 'learner' | 'course'; readonly column?: string | undefined };
  /** `values`: the classes of the state columns. */
  kind_undecided: { readonly values: Values; readonly odd: readonly OddCell[] };
  kind_date_missing: { readonly values: Values; readonly column: string; readonly is: string };
  kind_date_in_future: { readonly values: Values; readonly column: string; readonly date: string };
  address_undecided: { readonly address: string; readonly names: readonly string[] };
  /** The first undecided row of the learner and course; `file` if it is in another. */
  pair_undecided: { readonly line: number; readonly file?: string };
  value_unnamed: { readonly value: string; readonly column: string };
  value_unreadable: { readonly value: string; readonly column: string; readonly expected: Said };
  a_date: { readonly formats: readonly string[] };
  a_number: { readonly decimal: ',' | '.' };
  a_whole_number: None;
  one_of: { readonly values: readonly string[] };

  // What a person has to say of a file
  column_is_open: {
    readonly what: 'learner' | 'course';
    readonly column: string | null;
    readonly others: readonly string[];
  };
  dates_may_be_swapped: { readonly column: string; readonly text: string; readonly formats: readonly string[] };
  dates_of_both_orders: {
    readonly column: string;
    readonly day: number;
    readonly month: number;
    readonly formats: readonly string[];
  };
  address_of_several: { readonly address: string; readonly names: readonly string[] };
  fractions_are_open: {
    readonly column: string;
    readonly samples: readonly { readonly text: string; readonly percent: number }[];
  };
  shape_is_open: { readonly shape: readonly Said[] };
  free_text_is_open: { readonly column: string };
  parts_are_open: { readonly column: string };
  /** `open`: the topics that a mapping names as undecided. */
  mapping_undecided: OfFile & { readonly open: readonly string[] };
  no_kind_confirmed: OfFile;
  // Suggestions of a program or an assistant; `by` is its name
  proposals_unreadable: { readonly by: string; readonly at: string; readonly problem: string };
  proposal_of_no_kind: { readonly by: string; readonly kind: string };
  proposal_impossible: {
    readonly by: string;
    readonly values: Values;
    readonly outcome: string;
    readonly column: string | null;
  };
  // Tables and their shapes
  no_file_named: None;
  file_of_other_columns: OfFile & { readonly first: string; readonly columns: readonly string[] };
  file_without_header: OfFile & { readonly line: number; readonly address: string };
  file_without_objects: OfFile;
  records_need_no_mapping: OfFile;
  courses_side_by_side: None;
  columns_are: {
    readonly what: 'courses' | 'learners';
    readonly count: number;
    readonly like: string;
    readonly cells: MatrixCells;
  };
  columns_are_no_courses: { readonly columns: readonly string[] };
  empty_cells_have_text_above: { readonly columns: readonly string[] };
  headings_are_a_column: { readonly column: string };
  headings_name: { readonly what: 'course' | 'learner' };
  items_of_list_are_rows: { readonly list: string };
  sheets_name: { readonly what: 'courses' | 'learners'; readonly names: readonly string[] };
  // Matches
  columns_refused: OfFile & { readonly line: number; readonly problem: Said; readonly columns: readonly string[] };
  members_refused: OfFile & { readonly problem: Said };
  no_column_for: { readonly field: Field };
  no_column_of_courses: None;
  no_column_of_people: None;
  no_such_column: { readonly column: string };
  too_many_courses: OfFile & { readonly most: number };
}

/** The name of what is said. */
export type Code = keyof Codes;

/** A code that says all by itself. */
export type PlainCode = { [Each in Code]: Codes[Each] extends None ? Each : never }[Code];

/** A code and its values, as data: it can be stored, sent to another thread, and said in any language. */
export type Said<Some extends Code = Code> = {
  readonly [Each in Some]: { readonly code: Each; readonly params: Codes[Each] };
}[Some];

/** Names a code with its own values. */
export function say<Some extends Code>(code: Some, params: Codes[Some]): Said;
export function say(code: Code, params: Codes[Code]): { readonly code: Code; readonly params: Codes[Code] } {
  return { code, params };
}
