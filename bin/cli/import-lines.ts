/** Lines that an import shows before its dry run and after its end. */
import type { RecordSet } from '../importer/records/batches.ts';
import type { RecordFileOptions } from './files/records.ts';
import type { Survey } from '../importer/run/import-run.ts';
import { grouped } from '../importer/text.ts';
import { ownCommand } from './terminal.ts';

/** Files, rows, batches, and what is left out. */
export function descriptions({ sources, isGrouped }: RecordSet, survey: Survey): string[] {
  const { rows, records, skipped, withoutProgress, digests, repeats, firstRepeat } = survey;
  const files = sources.map(({ file }) => {
    const { path, format, sheet, encoding, delimiter, headerLine } = file;
    const below = headerLine > 1 ? `, header on line ${headerLine}` : '';
    if (sheet !== undefined) return `${path}: sheet "${sheet}"${below}`;
    return format === 'csv'
      ? `${path}: CSV, ${encoding}, columns separated by ${JSON.stringify(delimiter)}${below}`
      : `${path}: ${format}`;
  });
  const batches = digests.length === 1 ? 'batch' : 'batches';
  const joined = isGrouped ? `, joined to ${grouped(records + repeats)} records,` : '';
  return [
    ...files,
    `${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}${joined} in ${grouped(digests.length)} ${batches}`,
    ...(skipped > 0 ? [`${grouped(skipped)} rows are skipped, as the mapping says.`] : []),
    ...(withoutProgress > 0
      ? [`${grouped(withoutProgress)} records have no progress and are skipped, as the mapping says.`]
      : []),
    ...(firstRepeat === undefined
      ? []
      : [
          `${grouped(repeats)} ${repeats === 1 ? 'record repeats' : 'records repeat'} the external_record_id of an earlier one and will not be imported; the first is on line ${firstRepeat.entry.row.line}, and repeats line ${firstRepeat.first.line} of ${firstRepeat.first.file}.`,
        ]),
  ];
}

/** What to do with a file of rejected rows. @param run_id `null` for a dry run */
export function nextSteps(
  path: string,
  run_id: string | null,
  { mapping, set = [] }: Pick<RecordFileOptions, 'mapping' | 'set'>,
): string[] {
  if (run_id === null) return [`The rows that would be rejected are in ${path}, with the reasons.`];
  const more = [...(mapping === undefined ? [] : ['--mapping', mapping]), ...set.flatMap((each) => ['--set', each])];
  return [
    `The rejected rows are in ${path}, with the reasons. Correct them there, then import them as part of the same run:`,
    `  ${ownCommand('import', path, ...more, '--run', run_id)}`,
  ];
}
