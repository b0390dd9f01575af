/** What the first pass over the files has found. */
import type { RecordSet } from '../../engine/apply/record-set.ts';
import { foreignColumns } from '../../engine/apply/record-source.ts';
import { grouped, rowsText } from '../../engine/ground/text.ts';
import { leftOutRows, type Survey } from '../../engine/run/survey.ts';

export function surveyLines({ sources, isGrouped }: RecordSet, survey: Survey): string[] {
  const { rows, records, skipped, digests, repeats, firstRepeat, unconfirmed } = survey;
  const joined = isGrouped ? `, joined to ${grouped(records + repeats)} records,` : '';
  return [
    ...sources.map(fileLine),
    ...sources.flatMap(foreignLines),
    `${rowsText(rows)}${joined} in ${grouped(digests.length)} ${digests.length === 1 ? 'batch' : 'batches'}`,
    ...(skipped > 0 ? [`${countedRows(skipped)} skipped, as the mapping says.`] : []),
    ...Object.entries(survey.leftOut).map(
      ([reason, count]) => `${countedRows(count)} left out, as confirmed: ${reason}.`,
    ),
    ...(unconfirmed > 0
      ? [`${countedRows(unconfirmed)} not sent: of kinds that nobody has confirmed, or without a learner or course.`]
      : []),
    ...(firstRepeat === undefined
      ? []
      : [
          `${grouped(repeats)} ${repeats === 1 ? 'record repeats' : 'records repeat'} the external_record_id of an earlier one and will not be imported; the first is on line ${firstRepeat.entry.row.line}, and repeats line ${firstRepeat.first.line} of ${firstRepeat.first.file}.`,
        ]),
  ];
}

const countedRows = (count: number): string => `${grouped(count)} ${count === 1 ? 'row is' : 'rows are'}`;

function fileLine({ file }: RecordSet['sources'][number]): string {
  const { path, format, sheet, sheets = [], encoding, delimiter, headerLine } = file;
  const below = headerLine > 1 ? `, header on line ${headerLine}` : '';
  const read = sheets.filter(({ isImported }) => isImported).map(({ name }) => `"${name}"`);
  if (sheet !== undefined) return `${path}: ${read.length > 1 ? 'sheets' : 'sheet'} ${read.join(', ')}${below}`;
  return format === 'csv'
    ? `${path}: CSV, ${encoding}, columns separated by ${JSON.stringify(delimiter)}${below}`
    : `${path}: ${format}`;
}

/** A file of the interface's names has no mapping that would have said what each column is: a misspelt one is not imported. */
function foreignLines({ file, mapping, mappingPath }: RecordSet['sources'][number]): string[] {
  if (mapping === undefined || mappingPath !== undefined) return [];
  const others = foreignColumns(file.columns, mapping).map((column) => JSON.stringify(column));
  const more = others.length > MOST_COLUMNS ? [`${grouped(others.length - MOST_COLUMNS)} more`] : [];
  const listed = [...others.slice(0, MOST_COLUMNS), ...more].join(', ');
  return others.length === 0 ? [] : [`${file.path}: not imported, because the interface has no such name: ${listed}`];
}

const MOST_COLUMNS = 10;

/** The line about rows that were joined to records; none if each row is a record. */
export function joinedLines({ isGrouped }: RecordSet, survey: Survey): string[] {
  const { rows, records, repeats, unconfirmed } = survey;
  const skipped = survey.skipped + leftOutRows(survey);
  const joined = `${grouped(rows - unconfirmed)} joined to ${grouped(records + repeats)} records`;
  return isGrouped
    ? [`${grouped(rows + skipped)} rows: ${joined}, ${grouped(unconfirmed)} rejected, ${grouped(skipped)} left out`]
    : [];
}
