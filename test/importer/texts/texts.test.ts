/** Every code of the engine has a sentence in every language. Milliseconds. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Code, type Codes, type PlainCode, type Said, say } from '../../../bin/importer/engine/ground/codes.ts';
import { sentenceIn, type Texts } from '../../../bin/importer/texts/texts.ts';

const TEXTS = join(import.meta.dirname, '../../../bin/importer/texts');
const FILES = readdirSync(TEXTS).flatMap((name) => /^([a-z]{2})\.ts$/.exec(name)?.slice(1) ?? []);
/** Each file has the sentences of its language under its name: `EN`, `DE`. */
const LANGUAGES = await Promise.all(
  FILES.map(async (language) => {
    const file = (await import(join(TEXTS, `${language}.ts`))) as Readonly<Record<string, Texts>>;
    return [language, file[language.toUpperCase()] as Texts] as const;
  }),
);

const FILE = { path: 'history.csv' };

const RESULTS = { import_id: 'i1', place: { path: 'results.jsonl', line: 3, last: 5 } };

/** Values of each code that has some, as a file could give them. */
const EXAMPLES: { readonly [Each in Exclude<Code, PlainCode>]: Codes[Each] } = {
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
  line_too_long: { bytes: 1_048_576 },
  table_too_wide: { columns: 20_000, most: 16_384 },
  row_of_other_width: { columns: 4, header: 5 },
  row_may_be_title: { columns: 1, header: 5, text: 'Total: 12' },
  rows_of_group_differ: { line: 4, member: 'user.email' },
  column_missing: { column: 'E-mail', wantedBy: 'user.email', similar: undefined, columns: ['Id', 'Course'] },
  column_twice: { column: 'Id', first: 1, last: 4 },
  quote_around_rows: { lines: 3 },
  json_without_array: { array: 'data.statements' },
  record_too_deep: { levels: 30 },
  file_of_old_excel: FILE,
  file_is_binary_workbook: FILE,
  file_is_open_document: FILE,
  file_is_archive: { ...FILE, first: 'a.csv', files: 3 },
  workbook_damaged: { ...FILE, problem: say('part_cut_off', {}) },
  part_packed_otherwise: { method: 12 },
  workbook_unreadable: { ...FILE, problem: say('shared_texts_empty', {}) },
  part_of_many_tags: { part: 'xl/styles.xml' },
  part_too_deep: { most: 64 },
  part_too_large: { part: 'xl/styles.xml', mebibytes: 2100 },
  workbook_not_xml: { ...FILE, problem: 'unclosed tag: c' },
  workbook_of_document_type: FILE,
  workbook_of_many_parts: { ...FILE, most: 10_000 },
  workbook_of_many_sheets: { ...FILE, most: 1000 },
  workbook_part_missing: FILE,
  workbook_without_sheets: FILE,
  sheet_named_twice: { ...FILE, sheet: 'History' },
  sheet_in_other_file: { ...FILE, sheet: 'History' },
  sheet_unknown: { ...FILE, sheet: 'History', sheets: ['Cover', 'Data'] },
  row_misnumbered: { number: '0', most: 1_048_576 },
  cell_misplaced: { cell: 'A1' },
  value_beyond_table: { columns: 7 },
  mapping_not_json: { ...FILE, problem: 'Unexpected end of JSON input' },
  mapping_invalid: { ...FILE, problems: [{ at: 'record.user.email', is: say('empty_text', {}) }] },
  value_unexpected: { message: 'Invalid type: Expected string but received 5', expected: 'string', received: '5' },
  no_member_of_a_record: { members: ['user.email', 'progress.started_at'] },
  no_source: { members: ['column', 'constant'] },
  not_one_of_members: { members: ['is', 'is_not', 'empty'] },
  must_be_either: { values: ['import', 'leave_out'] },
  must_be_one_of: { values: ['completed', 'failed', 'leave_out'] },
  must_become_one_of: { values: ['passed', 'failed'] },
  format_names_twice: { part: 'year' },
  without_effect_with: { member: 'date', outcome: 'leave_out' },
  without_effect_with_json: { members: ['separator', 'values'] },
  kind_of_other_column: { column: 'State', columns: [] },
  kind_without_column: { column: 'State' },
  kind_without_date: { day: ':import_day' },
  kind_date_is: { column: 'Completed', is: 'empty' },
  kind_date_unknown: { column: 'Completed' },
  kind_percent_is: { column: 'Percent', is: '100', outcome: 'in_progress' },
  kind_percent_unknown: { column: 'Percent' },
  file_changed: FILE,
  at_line: { line: 3 },
  at_line_of_sheet: { sheet: 'History', line: 3 },
  record_repeated: { id: 'a-1', file: 'history.csv', line: 4 },
  row_incomplete: { what: 'learner', column: 'E-mail' },
  kind_undecided: { values: { State: 'done' }, odd: [{ cell: 'soon', column: 'Completed', wanted: 'date' }] },
  kind_date_missing: { values: { State: 'done' }, column: 'Completed', is: 'never' },
  kind_date_in_future: { values: { State: 'done' }, column: 'Completed', date: '2031-01-02' },
  address_undecided: { address: 'ana@x.test', names: ['Ana Smith', 'Ben Castillo'] },
  pair_undecided: { line: 7, file: 'b.csv' },
  value_unnamed: { value: 'Done', column: 'State' },
  value_unreadable: { value: 'n/a', column: 'Started', expected: say('a_date', { formats: ['iso', 'DD/MM/YYYY'] }) },
  a_date: { formats: ['iso'] },
  a_number: { decimal: ',' },
  one_of: { values: ['passed', 'failed'] },
  own_reason: { text: 'a test account' },
  item_is_no_course: { column: 'Type', text: 'Video' },
  word_unknown: { column: 'Type', text: 'Video' },
  attended_is_no_completion: { column: 'Attendance', text: 'Attended' },
  certificate_on_no_day: { column: 'Certified' },
  row_taken_back: { column: 'Status', text: 'Revoked' },
  ended_without_completion: { column: 'Status', text: 'Withdrawn' },
  ended_beside_more: { column: 'Status', text: 'Withdrawn' },
  one_result_is_missing: { column: 'Date' },
  result_says_no_pass: { column: 'Type', text: 'Video' },
  day_of_rows_in_progress: { column: 'Date' },
  known_of_system: { name: { en: 'the report of a system', de: 'der Bericht eines Systems' } },
  system_knows_no_such_row: { name: { en: 'the report of a system' } },
  days_to_come: { column: 'Date', dates: 10, future: 4 },
  column_in_a_tie: { others: ['E-mail'] },
  column_known: { found: 3, of: 4 },
  column_is_open: { what: 'learner', column: 'Login', others: ['E-mail'] },
  dates_may_be_swapped: { column: 'Date', text: '03/04/2024', formats: ['DD/MM/YYYY', 'MM/DD/YYYY'] },
  dates_of_both_orders: { column: 'Date', day: 3, month: 1, formats: ['DD/MM/YYYY', 'MM/DD/YYYY'] },
  address_of_several: { address: 'kiosk@acme.test', names: ['Ann Smith', 'Ben Castillo'] },
  fractions_are_open: { column: 'Progress', samples: [{ text: '0.5', percent: 50 }] },
  shape_is_open: { shape: [say('courses_side_by_side', {})] },
  mapping_undecided: { ...FILE, open: ['learner', 'dates'] },
  no_kind_confirmed: FILE,
  file_of_other_columns: { ...FILE, first: 'other.csv', columns: ['Id', 'Course'] },
  file_without_header: { ...FILE, line: 1, address: 'ann@acme.test' },
  file_without_objects: FILE,
  records_need_no_mapping: FILE,
  columns_are: { what: 'courses', count: 3, like: 'Security', cells: ':progress' },
  columns_are_no_courses: { columns: ['Department'] },
  empty_cells_have_text_above: { columns: ['Email', 'Name'] },
  headings_are_a_column: { column: ':section' },
  headings_name: { what: 'course' },
  items_of_list_are_rows: { list: 'courses' },
  sheets_name: { what: 'learners', names: ['A', 'B', 'C', 'D', 'E', 'F', 'G'] },
  free_text_is_open: { column: 'Notes' },
  parts_are_open: { column: 'Lesson' },
  set_without_rows: { name: 'history.csv' },
  orders_contradict: { column: 'Date', swapped: 4, either: 2 },
  file_changed_meanwhile: { path: 'history.csv' },
  run_reverted: { run_id: 'spring' },
  run_cancelled: { run_id: 'spring' },
  run_of_other_name: { run_id: 'spring' },
  columns_refused: { path: 'a.csv', line: 1, problem: say('no_column_of_people', {}), columns: ['Who'] },
  members_refused: { path: 'a.json', problem: say('no_column_of_people', {}) },
  no_column_for: { field: 'user.email' },
  no_such_column: { column: 'Who' },
  too_many_courses: { path: 'a.csv', most: 20_000 },
  evidence_malformed: { part: 'header' },
  evidence_unknown_key: { kid: 'k1' },
  evidence_key_misnamed: { kid: 'k1' },
  evidence_forged: { kid: 'k1' },
  evidence_signed: { kid: 'k1', iss: 'https://service', at: '2026-01-02T03:04:05.000Z' },
  evidence_imports_hold: { count: 3 },
  evidence_imports_fewer: { count: 2, signed: 3 },
  evidence_imports_added: { count: 1 },
  evidence_import_reverted: { import_id: 'i1', at: '2026-01-02T03:04:05.000Z' },
  evidence_import_erased: { import_id: 'i1' },
  evidence_counts_differ: { member: 'failed', sum: 3, signed: 2 },
  evidence_results_hold: { count: 3 },
  evidence_results_differ: RESULTS,
  evidence_results_erased: RESULTS,
  evidence_results_counted: { ...RESULTS, count: 2, signed: 3 },
  evidence_results_moved: { ...RESULTS, index: 4, expected: 3 },
  evidence_results_unknown: RESULTS,
  evidence_results_unreadable: { place: { path: 'results.jsonl', line: 3 } },
  evidence_no_digest: { import_id: 'i1' },
  evidence_records_hold: { count: 3 },
  evidence_records_differ: RESULTS,
  evidence_records_erased: RESULTS,
  evidence_records_lacking: RESULTS,
  files_without_evidence: { names: ['keys.json'] },
  file_without_keys: { path: 'evidence.json' },
};

const CODES = Object.keys(LANGUAGES[0]?.[1] ?? {}).map(
  (code) => ({ code, params: { ...EXAMPLES[code as keyof typeof EXAMPLES] } }) as unknown as Said,
);

describe.each(LANGUAGES)('%s', (_, texts) => {
  it.each(CODES.map((said) => [said.code, said] as const))('%s', (code, said) => {
    const sentence = sentenceIn(texts, said);
    expect(sentence).not.toMatch(/undefined|\[object|\$\{|\{"|NaN/);
    expect(sentence).not.toContain(code);
    expect(sentence.trim()).not.toBe('');
    // The terminal's advice is the command's own.
    expect(sentence).not.toMatch(/--[a-z]|\bnpx\b|init-mapping/);
  });
});
