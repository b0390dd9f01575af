/**
 * Everything that the engine has to say: why a file is refused, why a row is rejected, what is suggested and why. It names a code and
 * its values, and has no sentence: command and page have the words (`bin/importer/texts`), each in its languages.
 *
 * A new code is a line here; it does not compile before each language has its sentence.
 */

/** A code that says all by itself. */
type None = Readonly<Record<string, never>>;

interface OfFile {
  /** Name of the file; a path where there are paths. */
  readonly path: string;
}

/** The values of each code. A value that is a code itself is said within the sentence. */
export interface Codes {
  // Files
  file_without_rows: OfFile;
  file_empty: OfFile;
  file_compressed: OfFile;
  file_is_pdf: OfFile;
  file_is_sql_dump: OfFile;
  file_is_web_page: OfFile;
  file_is_table_of_html: OfFile;
  file_is_xml: OfFile;
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
  workbook_part_missing: OfFile;
  workbook_without_sheets: OfFile;
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
}

export type Code = keyof Codes;

/** A code and its values, as data: it can be stored, sent to another thread, and said in any language. */
export type Said<Some extends Code = Code> = {
  readonly [Each in Some]: { readonly code: Each; readonly params: Codes[Each] };
}[Some];

/** Names a code with its own values. */
export function say<Some extends Code>(code: Some, params: Codes[Some]): Said;
export function say(code: Code, params: Codes[Code]): { readonly code: Code; readonly params: Codes[Code] } {
  return { code, params };
}
