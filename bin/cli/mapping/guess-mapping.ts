import type { Source } from '../source/open-source.ts';
import { FIELDS, type Field } from './fields.ts';
import { guessColumns } from './guess-field.ts';
import { guessDates, guessDecimal, guessScale, guessStatuses } from './guess-notation.ts';
import type { Mapping, ValueSource } from './schema.ts';

export interface GuessedMapping {
  readonly mapping: Mapping;
  /** What a person has to look at, in words. */
  readonly doubts: readonly string[];
}

const SAMPLE_ROWS = 200;

/** A mapping as the headers and the first rows of a CSV file suggest it: a draft, to be looked at. */
export async function guessMapping(source: Source): Promise<GuessedMapping> {
  const columns = guessColumns(source.columns);
  const samples = await sampleTexts(source);
  const doubts: string[] = [];
  const decimal = guessDecimal(
    [...columns].filter(([field]) => FIELDS[field] === 'number').flatMap(([, name]) => samples(name)),
  );
  const record: Record<string, string | ValueSource> = {};
  for (const [field, column] of columns) record[field] = sourceFor(field, column, samples(column), doubts);
  fillRecordId(record, columns, doubts);
  fillIdentifiers(record, columns, doubts);
  const isPlain = source.delimiter === ',' && source.encoding === 'utf-8';
  const mapping = {
    ...(isPlain ? {} : { delimiter: source.delimiter }),
    ...(decimal === undefined ? {} : { decimal }),
    record: { external_record_id: '', ...record },
  };
  return { mapping, doubts };
}

function sourceFor(field: Field, column: string, samples: readonly string[], doubts: string[]): string | ValueSource {
  const kind = FIELDS[field];
  if (kind === 'date') return dateSource(column, samples, doubts);
  if (kind === 'status') return statusSource(column, samples, doubts);
  const scale = kind === 'number' ? guessScale(samples) : undefined;
  return scale === undefined ? column : { column, scale };
}

function dateSource(column: string, samples: readonly string[], doubts: string[]): string | ValueSource {
  const [sample = ''] = samples;
  const { format, ambiguous } = guessDates(samples.filter((text) => text !== '0'));
  if (format === undefined) {
    if (sample !== '') doubts.push(`"${column}": no known date format fits "${sample}"; set "dates"`);
    return column;
  }
  if (ambiguous) doubts.push(`"${column}": "${sample}" may be day or month first; ${format} is assumed`);
  if (format === 'iso') return column;
  const never = samples.includes('0') && format.startsWith('epoch') ? { empty: ['0'] } : {};
  return { column, dates: format, ...never };
}

function statusSource(column: string, samples: readonly string[], doubts: string[]): string | ValueSource {
  const values = guessStatuses(samples);
  const unknown = [...new Set(samples)].filter((text) => values[text] === undefined).slice(0, 5);
  if (unknown.length > 0)
    doubts.push(`"${column}": say in "values" what ${unknown.map((text) => `"${text}"`).join(', ')} means`);
  const isOwnWords = Object.entries(values).every(([from, to]) => from.toLowerCase().replaceAll(' ', '_') === to);
  return isOwnWords ? column : { column, values };
}

/** Of an export without ids of its own, user and course make the record: it is the history of the two. */
function fillRecordId(record: Record<string, unknown>, columns: ReadonlyMap<Field, string>, doubts: string[]): void {
  if (columns.has('external_record_id')) return;
  const user = columns.get('user.external_user_id') ?? columns.get('user.email');
  const course = columns.get('content.platform_course_id') ?? columns.get('content.external_course_id');
  if (user !== undefined && course !== undefined) record['external_record_id'] = { template: `{${user}}/{${course}}` };
  else if (user !== undefined) {
    record['external_record_id'] = { template: `{${user}}/COURSE` };
    doubts.push('external_record_id: put the id of the course for COURSE');
  } else doubts.push('external_record_id: no column names the user; fill it in');
}

function fillIdentifiers(record: Record<string, unknown>, columns: ReadonlyMap<Field, string>, doubts: string[]): void {
  if (columns.has('user.email')) {
    // An id of the old system would have to be registered first; the address does without.
    delete record['user.external_user_id'];
  } else if (columns.has('user.external_user_id'))
    doubts.push('user.external_user_id: register the ids with map-users first');
  else doubts.push('user.email: no column with e-mail addresses was recognised; fill it in');
  if (columns.has('content.platform_course_id')) return;
  if (columns.has('content.external_course_id'))
    doubts.push('content.external_course_id: register the ids with map-courses first');
  else
    doubts.push(
      'content.platform_course_id: no column names the course; for an export of one course set { "constant": 101 }',
    );
}

async function sampleTexts(source: Source): Promise<(column: string) => string[]> {
  const rows: (readonly string[])[] = [];
  for await (const { cells = [] } of source.rows()) {
    rows.push(cells);
    if (rows.length >= SAMPLE_ROWS) break;
  }
  return (column) => {
    const index = source.columns.indexOf(column);
    return rows.map((cells) => cells[index]?.trim() ?? '').filter((text) => text !== '');
  };
}
