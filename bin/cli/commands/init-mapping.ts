import { existsSync, writeFileSync } from 'node:fs';
import { EXIT, UsageFault } from '../faults.ts';
import { HeaderColumns } from '../mapping/columns.ts';
import { compileMapping } from '../mapping/compile.ts';
import { guessMapping } from '../mapping/guess-mapping.ts';
import { mappingBeside } from '../mapping/load.ts';
import type { Mapping } from '../mapping/schema.ts';
import type { Output } from '../output.ts';
import { openSource, type Source, type SourceOptions } from '../source/open-source.ts';
import { table } from '../table.ts';

export interface InitMappingOptions extends SourceOptions {
  readonly out?: string;
  readonly force?: boolean;
}

const PREVIEW_ROWS = 2;

/** `init-mapping FILE`: guesses what the columns mean, writes that down, and shows what the first rows become. */
export async function initMapping(file: string, options: InitMappingOptions, output: Output): Promise<number> {
  const source = await openSource(file, options);
  if (source.format !== 'csv')
    throw new UsageFault(`${file} is JSON: records in the interface's own form need no mapping`);
  const path = options.out ?? mappingBeside(file);
  if (existsSync(path) && options.force !== true)
    throw new UsageFault(`${path} is there already; say --force to write it anew`);
  const { mapping, doubts } = await guessMapping(source);
  writeFileSync(path, `${JSON.stringify(mapping, undefined, 2)}\n`);
  const preview = await firstRecords(source, mapping);
  if (output.json) output.jsonResult({ mapping_file: path, mapping, doubts, preview });
  else for (const line of told(path, source, mapping, doubts, preview)) output.result(line);
  return EXIT.allApplied;
}

/** None while the draft lacks what every record needs. */
async function firstRecords(source: Source, mapping: Mapping): Promise<unknown[]> {
  if (mapping.record['external_record_id'] === '') return [];
  const toRecord = compileMapping(mapping, new HeaderColumns(source.path, source.columns));
  const records: unknown[] = [];
  for await (const { cells = [] } of source.rows()) {
    records.push(toRecord(cells));
    if (records.length >= PREVIEW_ROWS) break;
  }
  return records;
}

function told(
  path: string,
  source: Source,
  mapping: Mapping,
  doubts: readonly string[],
  preview: readonly unknown[],
): string[] {
  const rows = Object.entries(mapping.record).map(([field, from]) => [
    field,
    typeof from === 'string' ? from : JSON.stringify(from),
  ]);
  const used = JSON.stringify(mapping.record);
  const unused = source.columns.filter((name) => !used.includes(JSON.stringify(name).slice(1, -1)));
  return [
    ...table(['member of the record', 'comes from'], rows),
    ...(unused.length === 0 ? [] : ['', `Not used: ${unused.join(', ')}`]),
    '',
    'The first rows become:',
    ...preview.map((record) => `  ${JSON.stringify(record)}`),
    '',
    ...(doubts.length === 0 ? [] : ['Please look at:', ...doubts.map((doubt) => `  - ${doubt}`), '']),
    `Written to ${path}. Look it over, then run:`,
    `  npx course-progress-migration import ${source.path} --dry-run`,
  ];
}
