/** Reads `progress.classes` from the cells of a row. */
import { convertValue } from '../dates/convert-value.ts';
import type { ClassColumn, ClassList } from '../language/schema.ts';
import { anyOf, type TextMatcher, Translations } from '../ground/text-pattern.ts';
import { remembered } from '../ground/remembered.ts';
import type { Read, Value, ValueReaders } from './value-reader.ts';

const FIELD = 'progress.classes';

/** A class view before the title of a class has become its id. */
export interface DraftClass {
  readonly platform_class_id: unknown;
  readonly viewed_at?: unknown;
}

/** A class that is named by its title; its course is known once the whole record is. */
export class ClassTitle {
  readonly title: string;
  readonly column: string;

  constructor(title: string, column: string) {
    this.title = title;
    this.column = column;
  }
}

/** `progress.classes` of one row; `undefined` if no class was viewed. */
export function classReader(source: string | ClassList | readonly ClassColumn[], values: ValueReaders): Read<unknown> {
  if (typeof source === 'string') return listReader({ column: source }, values);
  if ('column' in source) return listReader(source, values);
  /** Many columns have the same words. */
  const wordsOf = remembered((patterns) => anyOf(JSON.parse(patterns) as string[]));
  const readers = source.map((entry) => columnReader(entry, values, wordsOf));
  return (cells) => {
    const viewed = readers.map((read) => read(cells)).filter((each) => each !== undefined);
    return viewed.length === 0 ? undefined : viewed;
  };
}

type WordsOf = (patterns: string) => TextMatcher;

function columnReader(source: ClassColumn, values: ValueReaders, wordsOf: WordsOf): Read<DraftClass | undefined> {
  const { column, platform_class_id, dates } = source;
  const index = values.columns.indexOf(column, FIELD);
  const isViewed = viewedReader(source, values, wordsOf);
  const readDate = dateReader(source, values, dates === undefined ? undefined : index);
  const id = platform_class_id ?? new ClassTitle(column, column);
  return (cells) => {
    const text = values.textOf(cells[index]);
    return text === undefined || !isViewed(text) ? undefined : viewOf(id, readDate(cells));
  };
}

/** Without a list, any text means viewed. If only one list is given, a text of neither has a note. */
function viewedReader(
  { column, viewed, not_viewed }: ClassColumn,
  { notes }: ValueReaders,
  wordsOf: WordsOf,
): (text: string) => boolean {
  if (viewed === undefined && not_viewed === undefined) return () => true;
  const [isYes, isNo] = [wordsOf(JSON.stringify(viewed ?? [])), wordsOf(JSON.stringify(not_viewed ?? []))];
  return (text) => {
    if (isNo(text)) return false;
    if (isYes(text)) return true;
    const becomes = viewed === undefined ? 'viewed' : 'not viewed';
    notes?.add({ kind: 'not_named', field: FIELD, column, value: text, becomes });
    return viewed === undefined;
  };
}

function dateReader(
  { dates, date_column }: Pick<ClassColumn, 'dates' | 'date_column'>,
  values: ValueReaders,
  own?: number,
): Read<Value> {
  const index = date_column === undefined ? own : values.columns.indexOf(date_column, FIELD);
  if (index === undefined) return () => undefined;
  const notation = values.notation({ dates });
  return (cells) => {
    const date = values.textOf(cells[index]);
    return date === undefined ? undefined : (convertValue(date, 'date', notation) ?? date);
  };
}

/** One class, ids between separators, like `1001;1002`, each with an optional date, like `1001@2024-03-01`; or JSON. */
function listReader(source: ClassList, readers: ValueReaders): Read<unknown> {
  const { column, separator, json = false, values, titles, viewed_if } = source;
  const index = readers.columns.indexOf(column, FIELD);
  const isViewed = viewed_if === undefined ? () => true : readers.condition(viewed_if, FIELD);
  const readDate = dateReader(source, readers);
  const isOne = separator === undefined && (values ?? titles) !== undefined;
  const idOf = idReader(source, readers);
  return (cells) => {
    const text = readers.textOf(cells[index]);
    if (text === undefined || !isViewed(cells)) return undefined;
    if (json) return parsedOrText(text);
    const date = readDate(cells);
    const parts = isOne ? [text] : text.split(separator ?? ';').flatMap((part) => part.trim() || []);
    const classes = parts.flatMap((part) => listed(part, idOf, date));
    return classes.length === 0 ? undefined : classes;
  };
}

function listed(part: string, idOf: (name: string) => unknown, date: Value): DraftClass[] {
  const [, name = part, viewed_at = date] = /^(.*)@(\d[^@]*)$/s.exec(part) ?? [];
  const platform_class_id = idOf(name);
  // `null` in `values`: not a class.
  return platform_class_id === null ? [] : [viewOf(platform_class_id, viewed_at)];
}

function idReader({ column, values = {}, titles }: ClassList, { notes }: ValueReaders): (name: string) => unknown {
  const translations = new Translations<number | null>(values);
  return (name) => {
    const id = translations.of(name);
    if (id !== undefined) return id;
    if (titles === true) return new ClassTitle(name, column);
    if (/^\d{1,16}$/.test(name)) return Number(name);
    notes?.add({ kind: 'not_named', field: FIELD, column, value: name });
    return name;
  };
}

const viewOf = (platform_class_id: unknown, viewed_at: Value): DraftClass =>
  viewed_at === undefined ? { platform_class_id } : { platform_class_id, viewed_at };

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
