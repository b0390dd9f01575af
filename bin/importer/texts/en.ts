/** The codes of the engine in English. */
import { grouped } from '../engine/ground/text.ts';
import { EN_KINDS } from './en-kinds.ts';
import type { PlaceInFile } from '../engine/ground/run-codes.ts';
import type { MatrixCells } from '../engine/ground/codes.ts';
import type { Texts } from './texts.ts';

/** `history.csv, line 3–5` */
const placeOf = (place: PlaceInFile | undefined): string =>
  place === undefined ? '–' : `${place.path}, line ${place.line}${place.last === undefined ? '' : `–${place.last}`}`;

/** A sentence that lists the columns of a table, as far as they can be read. */
const columnsAre = (names: readonly string[]): string =>
  `The columns are ${names
    .slice(0, 30)
    .map((name) => `"${name}"`)
    .join(', ')}.`;

/** What a person should know of the cells below the courses. */
const AFTER: Partial<Record<MatrixCells, string>> = {
  ':completed on': ' If these are days of expiry, leave the rows out: they do not say when a course was completed.',
  ':progress': ' Scores, points and hours are no progress.',
  ':expires on': ' Days of expiry do not say when a course was completed: export the days of completion.',
};

export const EN: Texts = {
  // Files
  file_without_rows: ({ path }) =>
    `${path} contains no rows. Export it again over the whole period and without a filter, or leave the file out.`,
  file_empty: ({ path }) => `${path} is empty.`,
  reading_takes_too_long: ({ path, seconds }) =>
    `Reading ${path} has taken more than ${seconds} seconds of work, which no export needs. Export it again, as CSV with the columns that matter.`,
  reading_takes_too_much_memory: ({ path }) =>
    `Reading ${path} needs more memory than there is. Export it again in several files, and give each a part of the rows.`,
  file_compressed: ({ path }) => `${path} is compressed (gzip). Unpack it, and import the file in it.`,
  file_is_pdf: ({ path }) => `${path} is a PDF, from which no table can be read. Export the data as CSV or .xlsx.`,
  file_is_sql_dump: ({ path }) =>
    `${path} is a dump of a database (SQL), and no table. Export the result of a query as CSV, with a line of the names of the columns.`,
  file_is_web_page: ({ path }) =>
    `${path} is a web page, and no export. The old system may have answered with its login page: log in there, export the file again, and look at it before you import it.`,
  file_is_table_of_html: ({ path }) =>
    `${path} is a web page with a table, or XML, and no table of CSV or Excel, whatever its name says. Open it in Excel or LibreOffice and save it as .xlsx or CSV.`,
  file_is_xml: ({ path }) =>
    `${path} is XML. Export it as CSV, JSON or .xlsx, or open it in Excel and save it as .xlsx.`,
  encoding_unknown: ({ encoding }) =>
    `The encoding ${encoding} is not known. Name one of the WHATWG standard, like utf-8, utf-16le, windows-1252, windows-1251 or Shift_JIS.`,
  file_refused_at: ({ path, line, column, problem }, sayAlso) =>
    `${path}, line ${line}${column === undefined ? '' : `, column ${column}`}: ${sayAlso(problem)}`,
  nul_byte: () => 'a NUL byte: this is not a text file.',
  not_utf8: () => 'this is not UTF-8, although the rest of the file is. Save the file as UTF-8.',
  line_too_long: ({ bytes }) => `the line is longer than ${bytes} bytes. Is this the right file?`,
  row_too_long: () => 'the row is longer than 1 MiB.',
  table_too_wide: ({ columns, most }) =>
    `the row has ${grouped(columns)} columns; a table may have ${grouped(most)}. If rows and columns are swapped, transpose the table; else check the delimiter.`,
  row_of_other_width: ({ columns, header }) =>
    `the row has ${columns} columns, the header has ${header}. A delimiter or a quote is missing, or there is one too many.`,
  row_may_be_title: ({ columns, header }) => `the row has ${columns} columns, the header has ${header}.`,
  columns_named_anew: () =>
    'this line names the columns anew, and not as the header does. Put it and the rows below it into a file of their own.',
  rows_of_group_differ: ({ line, member }) =>
    `by group_by this row and line ${line} are one record, but they differ in ${member}. Add its column to group_by.`,
  column_missing: ({ column, wantedBy, similar, columns }) =>
    `there is no column "${column}", which the mapping names for ${wantedBy}. ${similar === undefined ? columnsAre(columns) : `Did you mean "${similar}"?`}`,
  column_twice: ({ column, first, last }) =>
    `column "${column}" occurs twice (columns ${first} and ${last}). Rename one of them, or write "#${first}" for the first.`,
  // CSV
  csv_row_too_long: () => 'the row is longer than 1 MiB. Is a closing quote missing?',
  quote_around_rows: ({ lines }) =>
    `a quote opens in this row and closes ${lines} lines below, and each of these has the columns of a row. Delete the two quotes, or write each of them twice.`,
  quote_inside_text: () => 'there is a quote inside a text that is not quoted.',
  quote_never_closes: () => 'a quote opens in this row and never closes.',
  text_after_quote: () => 'there is text after a closing quote. Write a quote inside a quoted text twice.',
  // JSON
  not_json: () => 'this is not JSON.',
  json_incomplete: () => 'the file ends inside the array. It is incomplete.',
  json_of_no_records: () => 'a JSON file must contain one array of records.',
  json_value_missing: () => 'a value is missing.',
  json_without_array: ({ array = 'of records' }) =>
    `there is no array ${array} in this file. Export the rows as a list of objects, or as CSV.`,
  text_after_array: () => 'there is text after the end of the array.',
  record_too_deep: ({ levels }) => `this record is nested deeper than ${levels} levels.`,
  record_too_long: () => 'this record is longer than 1 MiB.',
  list_beside: () => 'it is another list of the file; import it from a file of its own',
  list_beside_in_items: () => 'it is another list of each item; import it from a file of its own',
  // Workbooks
  file_of_old_excel: ({ path }) =>
    `${path} is in the format of Excel before 2007, or has a password. Save it as .xlsx or CSV, without a password.`,
  file_is_binary_workbook: ({ path }) => `${path} is a binary workbook (.xlsb). Save it as .xlsx or CSV.`,
  file_is_open_document: ({ path }) => `${path} is an OpenDocument file (.ods). Save it as .xlsx or CSV.`,
  file_is_archive: ({ path, first = 'nothing', files }) =>
    `${path} is an archive with ${first}${files > 1 ? ` and ${files - 1} more` : ''}, but not an Excel workbook (.xlsx). Unpack it, and import the files in it.`,
  workbook_damaged: ({ path, problem }, sayAlso) =>
    `${path} is damaged or incomplete (${typeof problem === 'string' ? problem : sayAlso(problem)}). Save or download it again.`,
  archive_directory_damaged: () => 'its directory is damaged',
  archive_end_damaged: () => 'its end is damaged',
  archive_without_end: () => 'its end is missing',
  part_cut_off: () => 'a part is cut off',
  part_encrypted: () => 'a part is encrypted',
  part_larger_than_said: () => 'a part unpacks to more than it says',
  part_misplaced: () => 'a part is not where it should be',
  part_packed_otherwise: ({ method }) => `a part is packed by method ${method}`,
  workbook_unreadable: ({ path, problem }, sayAlso) =>
    `${path} cannot be read: ${sayAlso(problem)}. Save the sheet as CSV.`,
  part_of_long_text: () => 'a text or a tag of it is longer than 4 MiB',
  part_of_many_tags: ({ part }) => `its part ${part} has far too many tags for its size`,
  part_too_deep: ({ most }) => `a part of it has tags within tags, more than ${most} deep`,
  part_too_large: ({ part, mebibytes }) => `its part ${part} would unpack to ${mebibytes} MiB`,
  shared_text_too_long: () => 'a text of it is longer than 1 MiB',
  shared_texts_empty: () => 'too many of its texts are empty',
  workbook_not_xml: ({ path, problem }) => `${path} is damaged: a part of it is not XML (${problem}). Save it again.`,
  workbook_of_document_type: ({ path }) =>
    `${path} cannot be read: a part of it declares a document type, which no workbook does.`,
  workbook_of_many_parts: ({ path, most }) => `${path} has more than ${most} parts: no workbook has.`,
  workbook_of_many_sheets: ({ path, most }) =>
    `${path} has more than ${grouped(most)} sheets. Split it into several workbooks.`,
  workbook_part_missing: ({ path }) => `${path} is damaged: a part of it is missing. Save it again.`,
  workbook_without_sheets: ({ path }) => `${path} has no sheets.`,
  sheet_named_twice: ({ path, sheet }) =>
    `${path} is damaged: its sheet "${sheet}" is also another sheet. Save it again.`,
  sheet_in_other_file: ({ path, sheet }) =>
    `${path} cannot be read: its sheet "${sheet}" is in another file. Save it as CSV.`,
  sheet_unknown: ({ path, sheet, sheets }) => {
    const more = sheets.length > 10 ? ` and ${sheets.length - 10} more` : '';
    const names = sheets.slice(0, 10).map((name) => `"${name}"`);
    return `${path} has no sheet "${sheet}". Its sheets are ${names.join(', ')}${more}.`;
  },
  sheet_missing: () => 'the sheet is missing in the file. Save it again.',
  row_misnumbered: ({ number, most }) =>
    `the next row has the number ${number}: rows count upwards, to ${most}. The file is damaged; save it again.`,
  cell_misplaced: ({ cell }) => `the cell ${cell} is not where it belongs. The file is damaged; save it again.`,
  cell_text_missing: () => 'the text of this cell is missing in the file. Save it again.',
  table_nearly_empty: () =>
    'nearly all cells of the table are empty up to here. Delete the values far to the right of it, or save the table as CSV.',
  value_beyond_table: ({ columns }) =>
    `there is a value beyond the last column of the table, which has ${columns}. Delete it, or give its column a header.`,
  other_sheet_chosen: () => 'another sheet is chosen',
  sheet_empty: () => 'it is empty',
  sheet_hidden: () => 'it is hidden',
  sheet_of_other_header: () => 'it has another header',
  ...EN_KINDS,
  // Runs
  set_without_rows: ({ name }) => `${name} contains no rows to import.`,
  orders_contradict: ({ column, swapped, either }) =>
    `Nothing is imported: the dates of "${column}" have the day first in some rows and the month first in others. That of line ${swapped} does not have the order that the mapping has, and that of line ${either} may have either.`,
  file_changed_meanwhile: ({ path }) => `${path} has changed while it was being imported.`,
  run_reverted: ({ run_id }) =>
    `Run ${run_id} was reverted, so the records that it had applied are no longer on the platform.`,
  run_cancelled: ({ run_id }) =>
    `Run ${run_id} was cancelled: no more of it is imported, and the records that it had applied stay. To take those back, revert the run.`,
  run_imports_missing: ({ run_id, missing }) =>
    `The list of run ${run_id} still lacks imports of its plan: ${grouped(missing)}. Run the command again, or import again on the page: nothing is written twice.`,
  run_of_other_name: ({ run_id }) => `This import was started as run ${run_id}, which has not ended.`,
  // Matches
  columns_refused: ({ path, line, problem, columns }, sayAlso) =>
    `${path}, line ${line}: ${sayAlso(problem)} ${columnsAre(columns)}`,
  members_refused: ({ path, problem }, sayAlso) => `${path}: ${sayAlso(problem)}`,
  no_column_for: ({ field }) => `no column for ${field} was recognised.`,
  no_column_of_courses: () => 'no column of courses was recognised.',
  no_column_of_people: () => 'no column of people was recognised.',
  no_such_column: ({ column }) => `there is no column "${column}".`,
  too_many_courses: ({ path, most }) => `${path} names more than ${most} courses.`,
  // Tables and their shapes
  no_file_named: () => 'Name a file.',
  file_of_other_columns: ({ path, first, columns }) =>
    `${path} has other columns than ${first}: each needs a mapping of its own. ${columnsAre(columns)}`,
  file_without_header: ({ path, line, address }) =>
    `${path} has no names of columns: line ${line} has the address ${address}. Write a line above it that names each column, like Email, Course, Status, Completed on.`,
  file_without_objects: ({ path }) =>
    `${path} has no array of objects, so it has no rows. Export it as CSV, or with an object for each row.`,
  records_need_no_mapping: ({ path }) => `${path} holds records in the format of the interface, which need no mapping.`,
  courses_side_by_side: () => 'Each row has several courses side by side.',
  columns_are: ({ what, count, like, cells }) =>
    `${count} columns like "${like}" are read as ${what}, and their cells as ${cells.slice(1)}.${AFTER[cells] ?? ''}`,
  columns_are_no_courses: ({ columns }) => `Not read as courses: ${columns.join(', ')}.`,
  empty_cells_have_text_above: ({ columns }) =>
    `An empty cell of ${columns.map((name) => `"${name}"`).join(' and ')} has the text of the row above.`,
  headings_are_a_column: ({ column }) =>
    `Rows with nothing but a first cell are headings, which the rows below have as "${column}".`,
  headings_name: ({ what }) => `Rows with nothing but a first cell are the ${what} of the rows below.`,
  items_of_list_are_rows: ({ list }) => `Each item of "${list}" is a row.`,
  sheets_name: ({ what, names }) => {
    const some = names.slice(0, 5).map((name) => `"${name}"`);
    const more = names.length > 5 ? [`${names.length - 5} more`] : [];
    return `The rows do not name their ${what}: these are the names of the sheets or lists, ${[...some, ...more].join(', ')}.`;
  },
  // Evidence
  evidence_malformed: ({ part }) => `This is no evidence of a migration: its ${part} is not as it was signed.`,
  evidence_unknown_key: ({ kid }) =>
    `The key ${kid} is not among those given, so nobody can say who signed this. Fetch the keys of the service again.`,
  evidence_key_misnamed: ({ kid }) =>
    `The key given as ${kid} is another key: that is not its thumbprint (RFC 7638). Fetch the keys of the service yourself.`,
  evidence_forged: ({ kid }) =>
    `The signature does not fit: the evidence was changed, or another key signed it as ${kid}.`,
  evidence_signed: ({ kid, iss, at }) => `The signature holds: the key ${kid} of ${iss} signed it on ${at}.`,
  evidence_no_keys: () =>
    'No keys are given that came another way than the evidence. Anyone could have signed it, so the points below show only that these files fit each other.',
  evidence_no_list: () => 'The list of imports is not given, so neither the imports nor their results were checked.',
  evidence_imports_hold: ({ count }) => `The list of imports is the one that was signed; it has ${count}.`,
  evidence_imports_differ: () =>
    'The list of imports is not the one that was signed: one of them was changed, added, left out or moved.',
  evidence_imports_fewer: ({ count, signed }) =>
    `Of ${signed} imports that were signed, the list has ${count}: some were left out.`,
  evidence_imports_added: ({ count }) =>
    `Imports were added to the run after it was signed: ${count}. The evidence does not speak of them.`,
  evidence_import_reverted: ({ import_id, at }) =>
    `Import ${import_id} was taken back on ${at}, after it was signed. The evidence says what was written then, which no longer counts.`,
  evidence_import_erased: ({ import_id }) => `A person was erased from import ${import_id} after it was signed.`,
  evidence_counts_hold: () => 'The counts are the sums of those of the imports.',
  evidence_counts_differ: ({ member, sum, signed = '–' }) =>
    `The counts that were signed are not the sums of those of the imports: ${member} is ${signed}, the sum is ${sum}.`,
  evidence_no_results: () => 'No results are given, so they were not checked.',
  evidence_results_hold: ({ count }) => `The results are those that were signed, import by import: ${count}.`,
  evidence_results_differ: ({ import_id, place }) =>
    `Import ${import_id}: its results (${placeOf(place)}) are not those that were signed.`,
  evidence_results_erased: ({ import_id, place }) =>
    `Import ${import_id}: its results (${placeOf(place)}) no longer match, because a person was erased from it since. What else was changed in them, if anything, cannot be seen.`,
  evidence_results_counted: ({ import_id, place, count, signed }) =>
    `Import ${import_id}: ${count} of its ${signed} results are given (${placeOf(place)}).`,
  evidence_results_moved: ({ import_id, place, index, expected }) =>
    `Import ${import_id}: ${placeOf(place)} has index ${index} where ${expected} follows: a line is missing, doubled or moved.`,
  evidence_results_unknown: ({ import_id, place }) =>
    `${placeOf(place)} is of import ${import_id}, which is not in the list, or comes later there.`,
  evidence_results_unreadable: ({ place }) =>
    `${placeOf(place)} is no result: it must be a JSON object with import_id and index.`,
  evidence_no_digest: ({ import_id }) =>
    `Import ${import_id} ended before this service made digests, so its results cannot be checked.`,
  evidence_no_records: () => 'The results are given without the records that were sent, so those were not checked.',
  evidence_records_hold: ({ count }) => `The records are those that were sent and signed, import by import: ${count}.`,
  evidence_records_differ: ({ import_id, place }) =>
    `Import ${import_id}: the records (${placeOf(place)}) are not those that were sent and signed.`,
  evidence_records_erased: ({ import_id, place }) =>
    `Import ${import_id}: the records (${placeOf(place)}) no longer match, because a person was erased from it since. What else was changed in them, if anything, cannot be seen.`,
  evidence_records_lacking: ({ import_id, place }) =>
    `Import ${import_id}: ${placeOf(place)} has no record, but others have one.`,
  limit_of_service: () =>
    'It shows what the service received, did and signed. It cannot show whether the export of the old system was true or complete.',
  limit_of_statement: () =>
    'The statement is the word of the person who signed: the service did not check it. Compare the SHA-256 of files that you hold.',
  limit_of_day: () =>
    'It shows the state of its day. What was taken back or erased since is in a list of imports that you fetch today.',
  limit_of_key: () =>
    'Anyone who holds the key can sign anything. You can be sure that a key belongs to the service only if you fetched the keys from it yourself.',
  files_without_evidence: ({ names }) =>
    `There is no evidence in ${names.join(', ')}: neither a compact JWS nor a JSON object with "evidence".`,
  file_without_keys: ({ path }) =>
    `${path} is no file of keys alone. Fetch the keys from the service, at /api/v1/auth/.well-known/evidence-jwks.json, and save them as they are.`,
};
