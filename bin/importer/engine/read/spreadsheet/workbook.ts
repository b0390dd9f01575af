/** The properties of a workbook: its sheets, its system of dates, and the number formats of its cells. */
import { type EngineError, refusal } from '../../ground/errors.ts';
import type { Archive } from './archive.ts';
import { builtInFormat, type NumberText, numberText } from './number-format.ts';
import { attribute, readXml } from './xml.ts';

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

/** What the parts of a workbook say beside its rows. */
export interface Workbook {
  /** In their order; hidden ones last. */
  readonly sheets: readonly Sheet[];
  readonly sharedStrings: string;
  /** Its days count from 1904, not from 1900. */
  readonly is1904: boolean;
  /** Number formats by the style of a cell. */
  readonly numberTexts: readonly NumberText[];
}

/** Nobody has a history in more. */
const MAX_SHEETS = 1000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Excel allows 64,000 styles. */
const MAX_STYLES = 100_000;

/** @throws EngineError for an archive that is no workbook */
export async function readWorkbook(path: string, archive: Archive): Promise<Workbook> {
  const main = await mainPart(path, archive);
  const related = await relations(path, archive, main);
  const { sheets, is1904 } = await sheetsOf(path, archive, main, related);
  const styles = partOf(related, 'styles') ?? '';
  return {
    sheets,
    is1904,
    sharedStrings: partOf(related, 'sharedStrings') ?? '',
    numberTexts: archive.has(styles) ? await numberTexts(path, archive, styles, is1904) : [],
  };
}

interface Relation {
  readonly id: string;
  readonly type: string;
  /** `undefined` for a path outside the archive, which is never read. */
  readonly part: string | undefined;
}

const partOf = (relations: readonly Relation[], type: string): string | undefined =>
  relations.find((each) => each.type === type)?.part;

async function mainPart(path: string, archive: Archive): Promise<string> {
  const main = archive.has('_rels/.rels') ? partOf(await relations(path, archive, ''), 'officeDocument') : undefined;
  if (main === undefined || !archive.has(main) || main.endsWith('.bin')) throw otherArchive(path, archive);
  return main;
}

/** Refuses an archive that is no workbook. */
function otherArchive(path: string, archive: Archive): EngineError {
  if (archive.has('xl/workbook.bin')) return refusal('file_is_binary_workbook', { path });
  if (archive.has('content.xml')) return refusal('file_is_open_document', { path });
  return refusal('file_is_archive', { path, first: archive.names[0], files: archive.names.length });
}

async function relations(path: string, archive: Archive, of: string): Promise<Relation[]> {
  const folder = of.split('/').slice(0, -1);
  const part = [...folder, '_rels', `${lastName(of)}.rels`].join('/');
  const found: Relation[] = [];
  await readXml(path, archive.text(part, MAX_BYTES), {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship') return;
      const inside = target.startsWith('/') ? target.slice(1) : partAt([...folder, ...target.split('/')]);
      found.push({ id, type: lastName(type), part: mode === 'External' ? undefined : inside });
    },
  });
  return found;
}

const lastName = (path: string): string => path.split('/').at(-1) ?? '';

function partAt(names: readonly string[]): string {
  const path: string[] = [];
  for (const name of names) {
    if (name === '..') path.pop();
    else if (name !== '.' && name !== '') path.push(name);
  }
  return path.join('/');
}

async function sheetsOf(path: string, archive: Archive, main: string, related: readonly Relation[]) {
  const sheets: Sheet[] = [];
  const parts = new Set<string>();
  const byId = new Map(related.toReversed().map((each) => [each.id, each]));
  let is1904 = false;
  const addSheet = ({ name = '', state = 'visible' }: Readonly<Record<string, string>>, found: Relation): void => {
    const part = insidePart(path, name, found);
    if (parts.has(part)) throw refusal('sheet_named_twice', { path, sheet: name });
    parts.add(part);
    if (sheets.push({ name, part, isHidden: state !== 'visible' }) > MAX_SHEETS)
      throw refusal('workbook_of_many_sheets', { path, most: MAX_SHEETS });
  };
  await readXml(path, archive.text(main, MAX_BYTES), {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(1|true|on)$/.test(attributes['date1904'] ?? '');
      if (tag !== 'sheet') return;
      const found = byId.get(attribute(attributes, 'id') ?? '');
      if (found?.type === 'worksheet') addSheet(attributes, found);
    },
  });
  if (sheets.length === 0) throw refusal('workbook_without_sheets', { path });
  return { is1904, sheets: sheets.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden)) };
}

function insidePart(path: string, name: string, { part }: Relation): string {
  if (part !== undefined) return part;
  throw refusal('sheet_in_other_file', { path, sheet: name });
}

async function numberTexts(path: string, archive: Archive, part: string, is1904: boolean): Promise<NumberText[]> {
  const codes = new Map<number, string>();
  const texts = new Map<number, NumberText>();
  const styles: NumberText[] = [];
  let isCellStyle = false;
  const textOf = (id: number): NumberText => {
    const text = texts.get(id) ?? numberText(codes.get(id) ?? builtInFormat(id), is1904);
    texts.set(id, text);
    return text;
  };
  await readXml(path, archive.text(part, MAX_BYTES), {
    open(tag, attributes) {
      if (tag === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      else if (tag === 'cellXfs') isCellStyle = true;
      else if (tag === 'xf' && isCellStyle && styles.length < MAX_STYLES)
        styles.push(textOf(Number(attributes['numFmtId'] ?? 0)));
    },
    close(tag) {
      if (tag === 'cellXfs') isCellStyle = false;
    },
  });
  return styles;
}
