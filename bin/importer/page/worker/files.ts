/** The files of a migration: how they are read, the mapping that makes records of their rows, and rows that were corrected. */
import { mappingOfOwnColumns } from '../../engine/language/named-columns.ts';
import { checkedMapping, mappingJson } from '../../engine/language/check.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import { areRecords, openRecords } from '../../engine/apply/open-records.ts';
import { type RecordSet, recordSetOf } from '../../engine/apply/record-set.ts';
import type { RecordSource } from '../../engine/apply/record-source.ts';
import { each } from '../../engine/read/pieces.ts';
import { type Corrections, openSource, type Source, type SourceOptions } from '../../engine/read/open-source.ts';
import { service } from './account.ts';
import { Problem } from './protocol.ts';
import { lastChoices, savedMigration } from './saved.ts';

const FIRST_ROWS = 6;
/** A worker knows no processor time: what it does at a stretch is measured. */
const METER = { ms: () => performance.now() };

export type ReadingOptions = SourceOptions & { readonly headerLine?: number };

export type Opened = Awaited<ReturnType<typeof openFiles>>;

interface Work {
  files: readonly File[];
  sources: readonly Source[];
  options: ReadingOptions;
  isPlain: boolean;
  mapping: Mapping | undefined;
  /** Rows that a person corrected, by the position of their file. */
  corrections: Record<number, Corrections>;
}

export const work: Work = {
  files: [],
  sources: [],
  options: {},
  isPlain: false,
  mapping: undefined,
  corrections: {},
};

/** `canResume`: an import of these files was started in this browser. @throws EngineError for a file that cannot be read */
export async function openFiles(files: readonly File[], options: ReadingOptions) {
  const sources = await openedSources(files, options);
  const shown = await Promise.all(sources.map((source, index) => shownFile(source, files[index]?.size ?? 0)));
  const saved = await savedMigration(sources);
  Object.assign(work, { files, sources, options, isPlain: await isPlain(sources), mapping: saved?.mapping });
  work.corrections = { ...saved?.corrections };
  return { files: shown, ...(await knownMapping()), canResume: saved?.isImporting === true };
}

/**
 * A mapping that needs no review, or a first one: that of own names, of the same files, or of the last migration. `isPlain`: the
 * items are records of the interface; `isKnown`: nothing has to be reviewed.
 */
async function knownMapping() {
  const { isPlain: plain, sources } = work;
  const own = mappingOfOwnColumns(sources[0]?.columns ?? []);
  if (own !== undefined) work.mapping ??= withHeader(own);
  const usesLast = !plain && work.mapping === undefined && (await takesLast());
  return { isPlain: plain, isKnown: plain || own !== undefined, usesLast };
}

/** Whether there are choices of the last migration, and these files have what they name. */
const takesLast = async (): Promise<boolean> =>
  useMapping(await lastChoices()).then(
    () => true,
    () => false,
  );

export const dropMapping = (): void => {
  work.mapping = undefined;
};

async function openedSources(files: readonly File[], { headerLine, ...wanted }: ReadingOptions): Promise<Source[]> {
  const sources: Source[] = [];
  for (const file of files) {
    const source = await openSource(file, { ...wanted, now: Date.now(), meter: METER });
    sources.push(headerLine === undefined ? source : await source.under({ line: headerLine }));
  }
  return sources;
}

async function shownFile(source: Source, size: number) {
  const { path: name, format, sheet, sheets = [], encoding, delimiter, headerLine, columns } = source;
  const rows: string[][] = [];
  for await (const { cells, value } of each(source.anyRows())) {
    rows.push(cells === undefined ? [JSON.stringify(value)] : [...cells]);
    if (rows.length === FIRST_ROWS) break;
  }
  const reading = { format, encoding, delimiter, headerLine, columns };
  return { ...reading, name, size, sheet, sheets: sheets.map((each) => each.name), rows };
}

async function isPlain(sources: readonly Source[]): Promise<boolean> {
  for (const source of sources) if (source.format === 'csv' || !(await areRecords(source))) return false;
  return true;
}

/** A header line that a person chose is part of the mapping. */
export function withHeader(mapping: Mapping): Mapping {
  const { headerLine } = work.options;
  return headerLine === undefined ? mapping : { ...mapping, header_line: headerLine };
}

/** @throws EngineError with every member that is wrong, and for a column that a file lacks */
export async function useMapping(given: unknown, name = 'of this page'): Promise<Mapping> {
  const mapping = checkedMapping(name, given);
  await recordSet(mapping);
  work.mapping = mapping;
  return mapping;
}

/** A mapping file of the command, or of this page. @throws EngineError */
export const openMapping = async (text: string, name: string): Promise<Mapping> =>
  useMapping(mappingJson(name, text), name);

export async function recordSet(mapping: Mapping | undefined = work.mapping): Promise<RecordSet> {
  if (work.files.length === 0) throw new Problem('needs_file');
  const { headerLine: _, ...options } = work.options;
  const sources: RecordSource[] = [];
  for (const [position, file] of work.files.entries()) {
    const mappingFor = (): never => {
      throw new Problem('no_mapping', file.name);
    };
    const corrections = work.corrections[position];
    const chosen = mapping && { mapping, path: undefined };
    sources.push(
      await openRecords(file, { ...options, corrections, mapping: chosen, mappingFor, now: Date.now(), meter: METER }),
    );
  }
  return recordSetOf(sources, async () => service());
}
