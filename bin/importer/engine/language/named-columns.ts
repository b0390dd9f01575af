import { ownValue } from '../ground/own-value.ts';
import { FILE_COLUMN, SHEET_COLUMN } from '../ground/columns.ts';
import { FIELD_NAMES, FIELDS, isField, isObject } from '../ground/fields.ts';
import type { Mapping } from './schema.ts';

/** The column that a source of a member reads; `undefined` for none, and for a list of sources. */
export function columnOf(source: unknown): string | undefined {
  const column = isObject(source) ? source['column'] : source;
  return typeof column === 'string' ? column : undefined;
}

/** Every column that a mapping names, in the order in which it names them. */
export function namedColumns({
  record,
  skip = [],
  group_by = [],
  voided,
  repeat = [],
  fill_down = [],
  headings,
  kinds,
}: Mapping): string[] {
  const ofVoided = voided === undefined ? [] : [voided.column, voided.target, voided.id];
  const wholes = Object.values(kinds?.columns ?? {}).flatMap(({ out_of }) =>
    typeof out_of === 'string' ? out_of : [],
  );
  const ofKinds = [...Object.keys({ ...kinds?.columns, ...kinds?.dates }), ...wholes];
  const names = [
    ...group_by,
    ...ofVoided,
    ...ofKinds,
    ...skip.map(({ column }) => column),
    ...namesIn(Object.values(record)),
  ];
  const ofBlocks = repeat.flatMap(({ from }) => Object.values(from));
  const added = new Set([
    FILE_COLUMN,
    SHEET_COLUMN,
    headings,
    ...repeat.flatMap(({ set = {}, from }) => Object.keys({ ...set, ...from })),
  ]);
  return [...new Set([...names, ...ofBlocks, ...fill_down])].filter((name) => !added.has(name));
}

/** A member of the record is the name of the row's sheet. */
export const namesSheet = ({ record }: Mapping): boolean =>
  namesIn(Object.values(record)).some((name) => name === SHEET_COLUMN);

const IN_TEMPLATE = /\{([^{}]+)\}/g;

function namesIn(source: unknown, found: string[] = []): string[] {
  if (typeof source === 'string') found.push(source);
  else if (Array.isArray(source)) for (const each of source) namesIn(each, found);
  else if (isObject(source)) {
    const { column, date_column, template, out_of, earliest, latest, viewed_if } = source;
    for (const each of [column, date_column, out_of, inTemplate(template), earliest, latest, viewed_if])
      namesIn(each, found);
  }
  return found;
}

const inTemplate = (template: unknown): string[] | undefined =>
  typeof template === 'string' ? [...template.matchAll(IN_TEMPLATE)].map(([, name = '']) => name) : undefined;

/** The columns whose bare numbers are days. */
export function serialColumns({ record, kinds, dates: all, repeat = [] }: Mapping): string[] {
  const ofKinds = Object.entries(kinds?.columns ?? {}).flatMap(([column, { read, dates }]) =>
    read === 'date' ? { column, dates } : [],
  );
  const ofOutcomes = Object.entries(kinds?.dates ?? {}).map(([column, dates]) => ({ column, dates }));
  const ofRecord = FIELD_NAMES.filter((field) => FIELDS[field] === 'date')
    .flatMap((field) => record[field])
    .map((source) => ({ column: columnOf(source), dates: isObject(source) ? source['dates'] : undefined }));
  const names = [...ofKinds, ...ofOutcomes, ...ofRecord].flatMap(({ column, dates }) =>
    [dates ?? all].flat().includes('excel') ? (column ?? []) : [],
  );
  return [...names, ...names.flatMap((name) => repeat.flatMap(({ from }) => ownValue(from, name) ?? []))];
}

/** The mapping of a table whose columns have the names of the interface; `undefined` if it has no such record id. */
export function mappingOfOwnColumns(columns: readonly string[]): Mapping | undefined {
  const own = columns.filter(isField);
  if (!own.includes('external_record_id')) return undefined;
  const sources = own.map((name) => [name, name === 'progress.classes' ? { column: name, json: true } : name]);
  return { record: Object.fromEntries(sources) };
}

/** The mapping after a person has said what it left open: the one course of all rows, for example. */
export function withDecided(mapping: Mapping, about: readonly NonNullable<Mapping['undecided']>[number][]): Mapping {
  const { undecided = [], ...decided } = mapping;
  const open = undecided.filter((each) => !about.includes(each));
  return open.length === 0 ? decided : { ...decided, undecided: open };
}
