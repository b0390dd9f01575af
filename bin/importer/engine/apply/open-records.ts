/** Opens a file with the mapping that makes records of its rows. */
import { FILE_COLUMN, HeaderColumns, MemberColumns } from '../ground/columns.ts';
import { compileMapping } from './compile.ts';
import { isObject } from '../ground/fields.ts';
import { namedColumns } from '../language/named-columns.ts';
import { profileOfItems, SAMPLE_ITEMS } from '../profile/table.ts';
import type { Mapping } from '../language/schema.ts';
import { TableProfile } from '../profile/table-profile.ts';
import { addedColumns, ShapedColumns, shapedRows } from '../profile/shaped-rows.ts';
import { type InputFile, originalName, stemOf } from '../read/bytes.ts';
import { rowsWithin, scopesOf, textWithin, withAround } from '../read/nested-rows.ts';
import { each, type Pieces, piecewise } from '../read/pieces.ts';
import { openSource, type OpenOptions, type Row, type Source, type SourceOptions } from '../read/open-source.ts';
import {
  type ChosenMapping,
  mappedRecords,
  type MappedRows,
  plainRecords,
  type RecordSource,
} from './record-source.ts';
import { memoryRowSpool, type RowSpool } from './row-groups.ts';

interface RecordOptions extends OpenOptions {
  /** The mapping that the user named. Without one, items of JSON that are records are sent as they are. */
  readonly mapping?: ChosenMapping | undefined;
  /** The mapping of rows in these columns, none of JSON, for which the user named none. @throws EngineError if no mapping is found */
  readonly mappingFor: (columns: readonly string[]) => ChosenMapping;
  /** The mapping beside a JSON file whose items are no records of the interface. */
  readonly beside?: (() => ChosenMapping | undefined) | undefined;
  /** Storage for the rows of a grouped file; memory by default. */
  readonly spool?: () => RowSpool;
}

/** Options override the mapping. @throws EngineError for a file or mapping that cannot be read, or a missing column */
export async function openRecords(input: InputFile, options: RecordOptions): Promise<RecordSource> {
  const { mapping: given, mappingFor, beside: _, spool = memoryRowSpool, ...wanted } = options;
  const file = await openSource(input, { ...formatOf(given?.mapping, input), ...wanted });
  if (file.format !== 'csv') {
    const named = given ?? (await mappingOfItems(file, options));
    return named === undefined
      ? plainRecords(file)
      : mappedRecords(await mappedRows(file, named.mapping), named, spool);
  }
  const chosen = given ?? mappingFor(file.columns);
  const table = given === undefined ? await openedBy(chosen.mapping, file, input, wanted) : file;
  return mappedRecords(await mappedRows(table, chosen.mapping), chosen, spool);
}

/** Records of the interface need no mapping, whatever is beside them. @throws EngineError if other items have none */
async function mappingOfItems(file: Source, { mappingFor, beside }: RecordOptions): Promise<ChosenMapping | undefined> {
  const near = beside?.();
  const items = near === undefined ? file : await file.under({ items: near.mapping.items });
  return (await areRecords(items)) ? undefined : (near ?? mappingFor([]));
}

/** Items of JSON are records already if one of the first has a record id. */
export async function areRecords(items: Source): Promise<boolean> {
  let seen = 0;
  for await (const { value } of each(items.rows())) {
    if (isObject(value) && Object.hasOwn(value, 'external_record_id')) return true;
    if (++seen === SAMPLE_ITEMS) return false;
  }
  return seen === 0;
}

/** A mapping that was not named may say how to read the file. */
async function openedBy(mapping: Mapping, file: Source, input: InputFile, options: OpenOptions): Promise<Source> {
  const wanted = { ...formatOf(mapping, input), ...options };
  const differs =
    wanted.encoding !== undefined ||
    (wanted.sheet !== undefined && options.sheet === undefined && file.sheet !== undefined) ||
    (wanted.delimiter !== undefined && wanted.delimiter !== file.delimiter);
  return differs ? openSource(input, wanted) : file;
}

/** @throws EngineError for a column that the file lacks */
export const mappedRows = (file: Source, mapping: Mapping): Promise<MappedRows> =>
  file.format === 'csv' ? tableRows(file, mapping) : itemRows(file, mapping);

async function tableRows(file: Source, mapping: Mapping): Promise<MappedRows> {
  const table = await file.under({ line: mapping.header_line, names: namedColumns(mapping) });
  const own = new HeaderColumns(table.path, table.columns, table.headerLine);
  const columns = new ShapedColumns(own, table, mapping);
  const isShaped = addedColumns(mapping).length > 0 || mapping.fill_down !== undefined;
  const name = nameOf(table.path);
  return {
    file: isShaped ? { ...table, rows: shapedRows(table, mapping, own) } : table,
    columns,
    cellsOf: ({ cells = [], sheet = '', added = [] }) =>
      columns.hasOthers ? [...cells, name, sheet, ...added] : cells,
    headers: async () => new TableProfile(table.columns).columns,
  };
}

/** The name of a file without its extension; a file of rejected rows has the name of the file that they come from. */
const nameOf = (path: string): string => originalName(stemOf(path));

/** Rejected items of a JSON file are lines. */
function formatOf(mapping: Mapping | undefined, { name }: InputFile): SourceOptions {
  const isLines = /\.(ndjson|jsonl)$/i.test(name);
  return {
    ...(mapping?.encoding === undefined ? {} : { encoding: mapping.encoding }),
    ...(mapping?.delimiter === undefined ? {} : { delimiter: mapping.delimiter }),
    ...(mapping?.sheet === undefined ? {} : { sheet: mapping.sheet }),
    ...(mapping?.items === undefined || isLines ? {} : { format: 'json' as const }),
  };
}

/** With a mapping, the members of each object are its columns; items of an array in it may be the rows. */
async function itemRows(source: Source, mapping: Mapping): Promise<MappedRows> {
  const file = await source.under({ items: mapping.items });
  const columns = new MemberColumns();
  compileMapping(mapping, columns);
  const { rows: list } = mapping;
  const rows = (): Pieces<Row> =>
    piecewise(file.rows(), function* within(items) {
      for (const row of items) {
        const { line } = row;
        const value = withAround(row);
        if (list === undefined) yield { line, value };
        else for (const inner of rowsWithin(value, list)) yield { line, value: inner };
      }
    });
  const name = nameOf(file.path);
  const cellsOf = ({ value }: Row): string[] => {
    const scopes = list === undefined ? ([['', value]] as const) : scopesOf(value, list);
    return columns.names.map((each) => (each === FILE_COLUMN ? name : textWithin(scopes, each)));
  };
  const headers = async () => {
    const some: unknown[] = [];
    for await (const { value } of each(rows())) if (some.push(value) >= SAMPLE_ITEMS) break;
    return profileOfItems(some, list).columns;
  };
  return { file: { ...file, rows }, columns, cellsOf, headers };
}
