/** Corrections of a mapping by a person: what a column becomes, what its words mean, and how its dates are read. */
import { type Field, FIELDS, isField, isObject, type JsonObject } from '../../engine/mapping/fields.ts';
import { columnOf } from '../../engine/mapping/named-columns.ts';
import type { Mapping } from '../../engine/mapping/schema.ts';
import { anyOf, Translations } from '../../engine/mapping/text-pattern.ts';

type Given = Mapping['record'][string];
type Part = string | Readonly<Record<string, unknown>>;

/** What a word of a status column means. */
export type Meaning = 'done' | 'in progress' | 'not started' | 'passed' | 'failed' | 'not taken' | 'leave out';
export type Meanings = Readonly<Record<string, Meaning>>;

const PCT: Field = 'progress.completion_pct';
const STATUS: Field = 'assessment.status';

const partsOf = (given: Given): Part[] =>
  given === undefined ? [] : [given].flat().filter((each) => typeof each === 'string' || isObject(each));

/** The part of a member's rule that reads a column. */
export const partOf = (mapping: Mapping, field: Field, reference: string): Part | undefined =>
  partsOf(mapping.record[field]).find((part) => columnOf(part) === reference);

/** The first member that a column gives; `undefined` for one that is not used. */
export const fieldOf = (mapping: Mapping, reference: string): Field | undefined =>
  Object.keys(mapping.record)
    .filter(isField)
    .find((field) => partOf(mapping, field, reference) !== undefined);

/** Members of which a record has one: filling one empties the other. */
const EITHER: Readonly<Partial<Record<Field, Field>>> = {
  'user.email': 'user.external_user_id',
  'user.external_user_id': 'user.email',
  'content.platform_course_id': 'content.external_course_id',
  'content.external_course_id': 'content.platform_course_id',
};

/** The mapping with a column as the given member, in place of what it was. @param dates formats that fit its values */
export function assigned(
  mapping: Mapping,
  { reference, dateFormats: [format] }: { readonly reference: string; readonly dateFormats: readonly string[] },
  field: Field | undefined,
): unknown {
  const record: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(mapping.record)) {
    const rest = partsOf(given).filter((part) => columnOf(part) !== reference);
    if (rest.length > 0) record[name] = rest.length === 1 ? rest[0] : rest;
  }
  if (field !== undefined) {
    const isPlainDate = FIELDS[field] !== 'date' || format === undefined || format === 'iso';
    const own = isPlainDate ? reference : { column: reference, dates: format };
    const rules = partsOf(mapping.record[field]).filter((part) => columnOf(part) === undefined);
    record[field] = rules.length === 0 ? own : [own, ...rules];
    delete record[EITHER[field] ?? ''];
  }
  return { ...mapping, record: { ...record, external_record_id: recordId(mapping, record) } };
}

/** A record id that is made of user and course follows them to other columns. */
function recordId({ record: { external_record_id: id } }: Mapping, record: Readonly<Record<string, unknown>>): unknown {
  if (record['external_record_id'] !== undefined && !(isObject(id) && 'template' in id)) return id;
  const user = columnOf(record['user.email'] ?? record['user.external_user_id']);
  const course = columnOf(record['content.platform_course_id'] ?? record['content.external_course_id']);
  if (user === undefined) return id ?? '';
  return { template: course === undefined ? `{:file}/{${user}}` : `{${user}}/{${course}}` };
}

/** The mapping with another format for the dates of a column. */
export function withDates(mapping: Mapping, reference: string, format: string): unknown {
  const changed = (given: Given): unknown => {
    const parts = partsOf(given).map((part) =>
      columnOf(part) === reference ? { ...(isObject(part) ? part : {}), column: reference, dates: format } : part,
    );
    return parts.length === 1 ? parts[0] : parts;
  };
  const record = Object.entries(mapping.record).map(([name, given]) => [
    name,
    isField(name) && FIELDS[name] === 'date' ? changed(given) : given,
  ]);
  return { ...mapping, record: Object.fromEntries(record) };
}

/** Whether the words of a column say how far a learner is. */
export function isStatus(mapping: Mapping, reference: string): boolean {
  const part = partOf(mapping, PCT, reference);
  return partOf(mapping, STATUS, reference) !== undefined || (isObject(part) && 'values' in part);
}

/** Whether a column gives the result of an exam alone, because another one gives the progress. */
export const isExamOnly = (mapping: Mapping, reference: string): boolean =>
  mapping.record[PCT] !== undefined && partOf(mapping, PCT, reference) === undefined;

/** What the words of a source become. */
export function valuesOf(source: unknown): JsonObject {
  const values = isObject(source) ? source['values'] : undefined;
  return isObject(values) ? values : {};
}

const NOT_BEGUN = /not|nicht|no |non |enrol|regist|assign|subscri/i;

/** The meaning of each word that the mapping gives one. */
export function meaningsIn(mapping: Mapping, reference: string, words: readonly string[]): Meanings {
  const pct = new Translations(valuesOf(partOf(mapping, PCT, reference)));
  const status = partOf(mapping, STATUS, reference);
  const results = new Translations(valuesOf(status));
  const isSkipped = anyOf((mapping.skip ?? []).flatMap(({ column, is }) => (column === reference ? (is ?? []) : [])));
  const found = words.map((word): [string, Meaning | undefined] => {
    if (isSkipped(word)) return [word, 'leave out'];
    const result = examMeaning(typeof status === 'string' ? plain(word) : results.of(word));
    return [word, result ?? progressMeaning(pct.of(word), word)];
  });
  return Object.fromEntries(found.flatMap(([word, meaning]) => (meaning === undefined ? [] : [[word, meaning]])));
}

const plain = (word: string): string => word.toLowerCase().replaceAll(' ', '_');

function examMeaning(value: unknown): Meaning | undefined {
  if (value === 'passed' || value === 'failed') return value;
  return value === 'not_taken' ? 'not taken' : undefined;
}

function progressMeaning(value: unknown, word: string): Meaning | undefined {
  if (value === 100) return 'done';
  if (value !== 0) return undefined;
  return NOT_BEGUN.test(word) ? 'not started' : 'in progress';
}

const PCT_OF: Readonly<Partial<Record<Meaning, number>>> = { done: 100, 'in progress': 0, 'not started': 0, failed: 0 };
const STATUS_OF: Readonly<Partial<Record<Meaning, string>>> = {
  passed: 'passed',
  failed: 'failed',
  'not taken': 'not_taken',
};

/** The mapping with these meanings of the words of a column. */
export function withMeanings(mapping: Mapping, reference: string, meanings: Meanings): unknown {
  const examOnly = isExamOnly(mapping, reference);
  const entries = Object.entries(meanings);
  const valued = <Value>(table: Readonly<Partial<Record<Meaning, Value>>>): Record<string, Value | null> =>
    Object.fromEntries(entries.map(([word, meaning]) => [word, table[meaning] ?? null]));
  const hasExam = examOnly || entries.some(([, meaning]) => STATUS_OF[meaning] !== undefined);
  const out = entries.flatMap(([word, meaning]) => (meaning === 'leave out' ? [word] : []));
  const { [PCT]: pct, [STATUS]: status, ...record } = mapping.record;
  return {
    ...leavingOut(mapping, reference, out),
    record: {
      ...record,
      ...(examOnly ? { [PCT]: pct } : { [PCT]: { column: reference, values: valued(PCT_OF) } }),
      ...(hasExam ? { [STATUS]: { column: reference, values: valued(STATUS_OF) } } : {}),
    },
  };
}

/** The mapping with a rule that skips the rows with these texts in a column, in place of the one before. */
export function leavingOut({ skip = [], ...mapping }: Mapping, column: string, texts: readonly string[]): Mapping {
  const others = skip.filter((rule) => rule.column !== column || rule.is === undefined);
  const rules = texts.length === 0 ? others : [...others, { column, is: [...texts] }];
  return rules.length === 0 ? mapping : { ...mapping, skip: rules };
}
