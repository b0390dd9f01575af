import { existsSync, writeFileSync } from 'node:fs';
import { EXIT, UsageError } from '../errors.ts';
import { HeaderColumns } from '../mapping/columns.ts';
import { compileMapping } from '../mapping/compile.ts';
import { type GuessedMapping, guessMapping } from '../mapping/guess-mapping.ts';
import type { Mapping } from '../mapping/schema.ts';
import { openSource, type Source, type SourceOptions } from '../source/open-source.ts';
import { type Output, table } from '../terminal.ts';
import { mappingBeside } from './mapping-file.ts';

export interface InitMappingOptions extends SourceOptions {
  readonly out?: string;
  readonly force?: boolean;
}

type Rows = readonly (readonly string[])[];

const SAMPLE_ROWS = 200;
const PREVIEW_ROWS = 2;

/** `init-mapping FILE`: guesses what the columns mean, writes the mapping, and shows the records of the first rows. */
export async function initMapping(file: string, options: InitMappingOptions, output: Output): Promise<number> {
  const source = await openSource(file, options);
  if (source.format !== 'csv')
    throw new UsageError(`${file} is JSON. Records in the format of the interface need no mapping.`);
  const path = options.out ?? mappingBeside(file);
  if (existsSync(path) && options.force !== true)
    throw new UsageError(`${path} already exists. Use --force to overwrite it.`);
  const rows = await firstRows(source);
  const guessed = guessMapping({ ...source, rows });
  const { mapping, doubts } = guessed;
  writeFileSync(path, `${JSON.stringify(mapping, undefined, 2)}\n`);
  const preview = previewOf(source, mapping, rows);
  if (output.json) output.jsonResult({ mapping_file: path, mapping, doubts, preview });
  else for (const line of report(path, source, guessed, preview)) output.result(line);
  return EXIT.allApplied;
}

/** The rows that a guess is based on. */
export async function firstRows(source: Source): Promise<Rows> {
  const rows: (readonly string[])[] = [];
  for await (const { cells = [] } of source.rows()) {
    rows.push(cells);
    if (rows.length >= SAMPLE_ROWS) break;
  }
  return rows;
}

/** Empty while the draft has no record id, which every record needs. */
function previewOf({ path, columns }: Source, mapping: Mapping, rows: Rows): unknown[] {
  if (mapping.record['external_record_id'] === '') return [];
  return rows.slice(0, PREVIEW_ROWS).map(compileMapping(mapping, new HeaderColumns(path, columns)).toRecord);
}

function report(
  path: string,
  { path: file, columns }: Source,
  { mapping, doubts }: GuessedMapping,
  preview: readonly unknown[],
): string[] {
  const rows = Object.entries(mapping.record).map(([field, from]) => [
    field,
    typeof from === 'string' ? from : JSON.stringify(from),
  ]);
  const used = JSON.stringify(mapping.record);
  const unused = columns.filter((name) => !used.includes(JSON.stringify(name).slice(1, -1)));
  return [
    ...table(['member of the record', 'comes from'], rows),
    ...(unused.length === 0 ? [] : ['', `Not used: ${unused.join(', ')}`]),
    '',
    'The first rows become:',
    ...preview.map((record) => `  ${JSON.stringify(record)}`),
    '',
    ...(doubts.length === 0 ? [] : ['Please check:', ...doubts.map((doubt) => `  - ${doubt}`), '']),
    `Written to ${path}. Check it, then run:`,
    `  npx course-progress-migration import ${file} --dry-run`,
  ];
}
