import { convertDate } from './date-format.ts';
import { guessColumns } from './guess-columns.ts';
import { type Field, FIELDS } from './fields.ts';
import type { Mapping, ValueSource } from './schema.ts';

/** What a guess is based on: the header and some rows of a CSV file, and how the file is written. */
export interface TableSample {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly delimiter: string;
  readonly encoding: string;
}

export interface GuessedMapping {
  readonly mapping: Mapping;
  /** What a person has to check, as text. */
  readonly doubts: readonly string[];
}

/** A draft of a mapping, guessed from the headers and the values of a CSV file. */
export function guessMapping(sample: TableSample): GuessedMapping {
  const columns = guessColumns(sample.columns);
  const doubts: string[] = [];
  const numbers = [...columns].filter(([field]) => FIELDS[field] === 'number');
  const hasDecimalComma = numbers.some(([, name]) => textsOf(sample, name).some((text) => /^\d+,\d+\s*%?$/.test(text)));
  const record: Record<string, string | ValueSource> = {};
  for (const [field, column] of columns) record[field] = sourceFor(field, column, textsOf(sample, column), doubts);
  fillRecordId(record, columns, doubts);
  fillIdentifiers(record, columns, doubts);
  const isPlain = sample.delimiter === ',' && sample.encoding === 'utf-8';
  const mapping: Mapping = {
    ...(isPlain ? {} : { delimiter: sample.delimiter }),
    ...(hasDecimalComma ? { decimal: ',' } : {}),
    record: { external_record_id: '', ...record },
  };
  return { mapping, doubts };
}

/** The filled cells of a column. */
function textsOf({ columns, rows }: TableSample, column: string): string[] {
  const index = columns.indexOf(column);
  return rows.map((cells) => cells[index]?.trim() ?? '').filter((text) => text !== '');
}

function sourceFor(field: Field, column: string, texts: readonly string[], doubts: string[]): string | ValueSource {
  const kind = FIELDS[field];
  if (kind === 'date') return dateSource(column, texts, doubts);
  if (kind === 'status') return statusSource(column, texts, doubts);
  return kind === 'number' && areFractions(texts) ? { column, scale: 100 } : column;
}

/** All values are between 0 and 1, and at least one is neither. */
function areFractions(texts: readonly string[]): boolean {
  const numbers = texts.map((text) => Number(text.replace(',', '.')));
  return numbers.every((number) => number >= 0 && number <= 1) && numbers.some((number) => number > 0 && number < 1);
}

const DATE_FORMATS = [
  'iso',
  'epoch_ms',
  'epoch',
  'DD/MM/YYYY HH:mm',
  'DD/MM/YYYY',
  'D/M/YYYY',
  'D/M/YYYY H:mm',
  'M/D/YYYY',
  'M/D/YYYY H:mm',
  'M/D/YY',
  'MM/DD/YYYY hh:mm A',
  'M/D/YYYY h:mm A',
  'DD.MM.YYYY',
  'DD.MM.YYYY HH:mm',
  'DD-MM-YYYY',
  'DD-MM-YYYY HH:mm',
  'D MMMM YYYY',
  'D MMMM YYYY, h:mm A',
  'dddd, D MMMM YYYY, h:mm A',
  'dddd, D MMMM YYYY',
  'MMM D, YYYY',
  'D MMM YYYY',
];
const DAY_FIRST = /^D/;
const MONTH_FIRST = /^M\/|^MM\//;

function dateSource(column: string, texts: readonly string[], doubts: string[]): string | ValueSource {
  const [sample = ''] = texts;
  const dates = texts.filter((text) => text !== '0');
  const fitting = dates.length === 0 ? [] : DATE_FORMATS.filter((format) => dates.every((text) => fits(text, format)));
  const [format] = fitting;
  if (format === undefined) {
    if (sample !== '') doubts.push(`"${column}": no known date format fits "${sample}". Set "dates".`);
    return column;
  }
  if (fitting.some((each) => DAY_FIRST.test(each)) && fitting.some((each) => MONTH_FIRST.test(each)))
    doubts.push(`"${column}": "${sample}" may be day first or month first; ${format} is assumed.`);
  if (format === 'iso') return column;
  const zeroMeansNever = texts.includes('0') && format.startsWith('epoch');
  return { column, dates: format, ...(zeroMeansNever ? { empty: ['0'] } : {}) };
}

/** Any number is a valid epoch, so only those from 1990 to 2100 count as dates. */
function fits(text: string, format: string): boolean {
  const date = convertDate(text, format, undefined);
  if (date === undefined) return false;
  if (!format.startsWith('epoch')) return true;
  const year = new Date(date).getUTCFullYear();
  return year >= 1990 && year <= 2100;
}

const STATUSES: readonly (readonly [status: string, words: RegExp])[] = [
  ['passed', /^(pass|passed|passing|yes|y|true|1|completed.?passed|complete|completed|satisfied|aprobado|bestanden)$/i],
  ['failed', /^(fail|failed|failing|no|n|false|0|completed.?failed|suspenso|nicht bestanden)$/i],
  ['not_taken', /^(not.?taken|not.?attempted|not.?started|incomplete|browsed|unknown|in.?progress|-)$/i],
];

function statusSource(column: string, texts: readonly string[], doubts: string[]): string | ValueSource {
  const values: Record<string, string> = {};
  const unknown: string[] = [];
  for (const text of new Set(texts)) {
    const status = STATUSES.find(([, words]) => words.test(text))?.[0];
    if (status === undefined) unknown.push(`"${text}"`);
    else values[text] = status;
  }
  if (unknown.length > 0) doubts.push(`"${column}": set in "values" what ${unknown.slice(0, 5).join(', ')} means.`);
  const needsNoValues = Object.entries(values).every(([from, to]) => from.toLowerCase().replaceAll(' ', '_') === to);
  return needsNoValues ? column : { column, values };
}

/** An export without record ids has one row for each user and course, so the two identify the record. */
function fillRecordId(record: Record<string, unknown>, columns: ReadonlyMap<Field, string>, doubts: string[]): void {
  if (columns.has('external_record_id')) return;
  const user = columns.get('user.external_user_id') ?? columns.get('user.email');
  const course = columns.get('content.platform_course_id') ?? columns.get('content.external_course_id');
  if (user !== undefined && course !== undefined) record['external_record_id'] = { template: `{${user}}/{${course}}` };
  else if (user !== undefined) {
    record['external_record_id'] = { template: `{${user}}/COURSE` };
    doubts.push('external_record_id: replace COURSE by the id of the course.');
  } else doubts.push('external_record_id: no column identifies the user. Fill it in.');
}

function fillIdentifiers(record: Record<string, unknown>, columns: ReadonlyMap<Field, string>, doubts: string[]): void {
  if (columns.has('user.email')) {
    // The e-mail address is enough; an id of the old system would have to be registered first.
    delete record['user.external_user_id'];
  } else if (columns.has('user.external_user_id'))
    doubts.push('user.external_user_id: register the ids with map-users first.');
  else doubts.push('user.email: no column with e-mail addresses was recognised. Fill it in.');
  if (columns.has('content.platform_course_id')) return;
  doubts.push(
    columns.has('content.external_course_id')
      ? 'content.external_course_id: register the ids with map-courses first.'
      : 'content.platform_course_id: no column names the course. For an export of one course set { "constant": 101 }.',
  );
}
