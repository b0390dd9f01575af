/** Every code of the engine has a sentence in every language. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { type Code, type Codes, type Said, say } from '../../../bin/importer/engine/ground/codes.ts';
import { DE } from '../../../bin/importer/texts/de.ts';
import { EN } from '../../../bin/importer/texts/en.ts';
import { sentenceIn } from '../../../bin/importer/texts/texts.ts';

const FILE = { path: 'history.csv' };

/** Values of each code, as a file could give them. */
const EXAMPLES: { readonly [Each in Code]: Codes[Each] } = {
  file_without_rows: FILE,
  file_empty: FILE,
  file_compressed: FILE,
  file_is_pdf: FILE,
  file_is_sql_dump: FILE,
  file_is_web_page: FILE,
  file_is_table_of_html: FILE,
  file_is_xml: FILE,
  encoding_unknown: { encoding: 'utf-9' },
  file_refused_at: { ...FILE, line: 3, column: 2, problem: say('quote_never_closes', {}) },
  nul_byte: {},
  not_utf8: {},
  line_too_long: { bytes: 1_048_576 },
  row_too_long: {},
  table_too_wide: { columns: 20_000, most: 16_384 },
  row_of_other_width: { columns: 4, header: 5 },
  row_may_be_title: { columns: 1, header: 5, text: 'Total: 12' },
  columns_named_anew: {},
  rows_of_group_differ: { line: 4, member: 'user.email' },
  csv_row_too_long: {},
  quote_around_rows: { lines: 3 },
  quote_inside_text: {},
  quote_never_closes: {},
  text_after_quote: {},
  not_json: {},
  json_incomplete: {},
  json_of_no_records: {},
  json_value_missing: {},
  json_without_array: { array: 'data.statements' },
  text_after_array: {},
  record_too_deep: { levels: 30 },
  record_too_long: {},
  list_beside: {},
  list_beside_in_items: {},
  file_of_old_excel: FILE,
  file_is_binary_workbook: FILE,
  file_is_open_document: FILE,
  file_is_archive: { ...FILE, first: 'a.csv', files: 3 },
  workbook_damaged: { ...FILE, problem: say('part_cut_off', {}) },
  archive_directory_damaged: {},
  archive_end_damaged: {},
  archive_without_end: {},
  part_cut_off: {},
  part_encrypted: {},
  part_larger_than_said: {},
  part_misplaced: {},
  part_packed_otherwise: { method: 12 },
  workbook_unreadable: { ...FILE, problem: say('shared_texts_empty', {}) },
  part_of_long_text: {},
  part_of_many_tags: { part: 'xl/styles.xml' },
  part_too_deep: { most: 64 },
  part_too_large: { part: 'xl/styles.xml', mebibytes: 2100 },
  shared_text_too_long: {},
  shared_texts_empty: {},
  workbook_not_xml: { ...FILE, problem: 'unclosed tag: c' },
  workbook_of_document_type: FILE,
  workbook_of_many_parts: { ...FILE, most: 10_000 },
  workbook_part_missing: FILE,
  workbook_without_sheets: FILE,
  sheet_in_other_file: { ...FILE, sheet: 'History' },
  sheet_unknown: { ...FILE, sheet: 'History', sheets: ['Cover', 'Data'] },
  sheet_missing: {},
  row_misnumbered: { number: '0', most: 1_048_576 },
  cell_misplaced: { cell: 'A1' },
  cell_text_missing: {},
  table_nearly_empty: {},
  value_beyond_table: { columns: 7 },
  other_sheet_chosen: {},
  sheet_empty: {},
  sheet_hidden: {},
  sheet_of_other_header: {},
};

const CODES = Object.entries(EXAMPLES).map(([code, params]) => ({ code, params }) as unknown as Said);

describe.each([
  ['English', EN],
  ['German', DE],
])('%s', (_, texts) => {
  it.each(CODES.map((said) => [said.code, said] as const))('%s', (code, said) => {
    const sentence = sentenceIn(texts, said);
    expect(sentence).not.toMatch(/undefined|\[object|\{|NaN/);
    expect(sentence).not.toContain(code);
    expect(sentence.trim()).not.toBe('');
    // The terminal's advice is the command's own.
    expect(sentence).not.toMatch(/--[a-z]|\bnpx\b|init-mapping/);
  });
});
