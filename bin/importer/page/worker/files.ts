/** The files of a migration: how they are read, the mapping that makes records of their rows, and rows that were corrected. */
import { isObject } from '../../engine/ground/fields.ts';
import { mappingOfOwnColumns } from '../../engine/language/named-columns.ts';
import { checkedMapping, mappingJson } from '../../engine/language/check.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import { areRecords, openRecords } from '../../engine/apply/open-records.ts';
import { type RecordSet, recordSetOf } from '../../engine/apply/record-set.ts';
import { foreignColumns, type RecordSource } from '../../engine/apply/record-source.ts';
import { each } from '../../engine/read/pieces.ts';
import { type Corrections, openSource, type Source, type SourceOptions } from '../../engine/read/open-source.ts';
import { service } from './account.ts';
import { Problem } from './protocol.ts';
import { correctionsIn } from './corrections.ts';
import { draftDocument, filesOf, isSame, mappingOfRun, offersFor } from './draft.ts';

const FIRST_ROWS = 6;
/** A worker knows no processor time: what it does at a stretch is measured. */
const METER = { ms: () => performance.now() };

export type ReadingOptions = SourceOptions & { readonly headerLine?: number };

/** A course of the catalog by the id in the file; `null` leaves its rows out. */
export type CourseChoices = Readonly<Record<string, number | null>>;

/** People that a person has decided about: another address, or `null`, which leaves their rows out. */
export type PeopleChoices = Readonly<Record<string, string | null>>;

export type Opened = Awaited<ReturnType<typeof openFiles>>;

interface Work {
  files: readonly File[];
  sources: readonly Source[];
  options: ReadingOptions;
  isPlain: boolean;
  mapping: Mapping | undefined;
  /** The mapping is that of the draft, which a person goes on with. */
  isDraft: boolean;
  /** What the files say was found by this mapping, or is what a person decides now. */
  isRead: boolean;
  /** A person has left aside what is proposed about the whole file. */
  hasLeft: boolean;
  courses: CourseChoices;
  /** Of all rows, where no column names courses. */
  oneCourse: number | undefined;
  /** In place of those of the file; `null` leaves the rows of that person out. */
  addresses: PeopleChoices;
  /** Of the last check: who is not on the platform, or not active. */
  unknown: readonly string[];
  /** What nobody or no course answers to is kept (§4.12). */
  keepsArchive: boolean;
  /** Cells that a person corrected, by the position of their file. */
  corrections: Record<number, Corrections>;
}

/** Nothing is decided about the files. */
const undecided = () => ({
  mapping: undefined,
  isDraft: false,
  isRead: false,
  hasLeft: false,
  courses: {},
  oneCourse: undefined,
  addresses: {},
  unknown: [],
  keepsArchive: false,
  corrections: {},
});

export const work: Work = { files: [], sources: [], options: {}, isPlain: false, ...undecided() };

/** Reads the files as the draft says, if it is of these. @throws EngineError for a file that cannot be read */
export async function openFiles(files: readonly File[], asked: ReadingOptions) {
  const document = draftDocument();
  const found = await openedSources(files, asked);
  const isDrafted = isSame(filesOf(document), found);
  const reading: ReadingOptions = isDrafted && Object.keys(asked).length === 0 ? { ...document.reading } : asked;
  const sources =
    Object.keys(reading).length === Object.keys(asked).length ? found : await openedSources(files, reading);
  const shown = await Promise.all(sources.map((source, index) => shownFile(source, files[index]?.size ?? 0)));
  Object.assign(work, undecided(), { files, sources, options: reading, isPlain: await isPlain(sources) });
  if (isDrafted) {
    work.corrections = correctionsIn(document);
    work.keepsArchive = document.archive === true;
  }
  // Other files tell by their header whether it fits. Those without one begin anew, and so does a table after items.
  const areTables = sources.every(({ columns }) => columns.length > 0);
  if (isDrafted || (areTables && document.mapping?.['items'] === undefined)) await goOnWith(document);
  const isOther = !isDrafted && filesOf(document).length > 0;
  return { files: shown, reading, ...knownMapping(), isOther };
}

/** What was decided in a draft stays where it fits these files. */
async function goOnWith({ mapping, courses = {}, one_course, addresses = {} }: ReturnType<typeof draftDocument>) {
  const isUsed = mapping !== undefined && (await isUsable(mapping));
  if (isUsed) Object.assign(work, { isDraft: true, courses, oneCourse: one_course ?? undefined, addresses });
}

const isUsable = (mapping: unknown): Promise<boolean> =>
  useMapping(mapping).then(
    () => true,
    () => false,
  );

/**
 * A mapping that needs no review, or a first one. `isPlain`: the items are records of the interface; `isKnown`: nothing has to be
 * reviewed; `foreign`: columns that have no name of the interface beside those that have.
 */
function knownMapping() {
  const { isPlain: plain, sources } = work;
  const own = mappingOfOwnColumns(sources[0]?.columns ?? []);
  if (own !== undefined) work.mapping ??= withHeader(own);
  const foreign = own && new Set(sources.flatMap(({ columns }) => foreignColumns(columns, own)));
  return { isPlain: plain, isKnown: plain || own !== undefined, foreign: [...(foreign ?? [])] };
}

/** What can be gone on with, by what the company has decided before. */
export const offers = () => offersFor(work.sources);

/** The answers of an earlier migration of files of this form. The addresses of people were of that one. @throws EngineError */
export async function useAnswers(run_id: string): Promise<Mapping> {
  const mapping = checkedMapping('of this page', await mappingOfRun(run_id));
  const { 'user.email': email, ...record } = mapping.record;
  const column = isObject(email) && 'column' in email ? email['column'] : email;
  return take(column === undefined ? mapping : { ...mapping, record: { ...record, 'user.email': column } });
}

async function take(given: unknown, name?: string): Promise<Mapping> {
  const mapping = await useMapping(given, name);
  Object.assign(work, { isDraft: false, isRead: false });
  return mapping;
}

export const dropMapping = (): void => void Object.assign(work, { mapping: undefined, isDraft: false, isRead: false });

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
export const openMapping = async (text: string, name: string): Promise<Mapping> => take(mappingJson(name, text), name);

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
