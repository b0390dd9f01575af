import { UsageError } from '../errors.ts';
import { type Field, FIELDS } from './fields.ts';
import { plainHeader } from './guess-columns.ts';
import { type Candidate, PRESETS, type Shape } from './preset-list.ts';
import type { ClassColumn, Mapping, ValueSource } from './schema.ts';
import type { ColumnProfile } from './table-profile.ts';

/** A preset as it applies to the columns of a file. */
export interface PresetUse {
  readonly name: string;
  readonly settings: Partial<Mapping>;
  readonly record: Readonly<Record<string, { readonly source: unknown; readonly column?: ColumnProfile | undefined }>>;
  readonly keepsDates: boolean;
}

export const SYSTEMS: readonly string[] = Object.keys(PRESETS);

/** @throws UsageError for a system without a preset, and for a file without its columns */
export function presetUse(system: string | undefined, columns: readonly ColumnProfile[]): PresetUse | undefined {
  if (system === undefined) return undefined;
  const shapes = PRESETS[system];
  if (shapes === undefined)
    throw new UsageError(`There is no preset for ${system}. There are presets for ${SYSTEMS.join(', ')}.`);
  const find = finder(columns);
  const shape = shapes.find(({ has }) => has.every((header) => find(header) !== undefined));
  if (shape === undefined)
    throw new UsageError(
      `This is no export of ${system} that is known: it lacks ${shapes.map(({ has }) => has.map((header) => `"${header}"`).join(', ')).join(' or ')}. Try without --system.`,
    );
  const classes = shape.activities === true ? activitiesIn(columns) : [];
  return {
    name: system,
    settings: settingsOf(shape, find),
    record: { ...recordOf(shape, find), ...(classes.length === 0 ? {} : { 'progress.classes': { source: classes } }) },
    keepsDates: shape.keepsDates === true,
  };
}

type Find = (header: string) => ColumnProfile | undefined;

/** A column with values, by its header. */
function finder(columns: readonly ColumnProfile[]): Find {
  const byName = new Map<string, ColumnProfile>();
  for (const column of columns) if (!byName.has(plainHeader(column.name))) byName.set(plainHeader(column.name), column);
  return (header) => {
    const found = header === '#1' ? columns[0] : byName.get(plainHeader(header));
    return found !== undefined && found.filled > 0 ? found : undefined;
  };
}

function recordOf({ record }: Shape, find: Find): PresetUse['record'] {
  return Object.fromEntries(
    Object.entries(record).flatMap(([field, candidates]) => {
      const usable = candidates.flatMap((candidate) => usableSource(field as Field, candidate, find) ?? []);
      const [first] = usable;
      if (first === undefined) return [];
      // An address is recognised by its values: a login may be one.
      if (field === 'user.email' && first.column?.isAddress === false) return [];
      return [
        [
          field,
          usable.length > 1 && isRule(first.source) ? { ...first, source: usable.map(({ source }) => source) } : first,
        ],
      ];
    }),
  );
}

const isRule = (source: unknown): boolean => typeof source === 'object' && (source as ValueSource).values !== undefined;

function usableSource(field: Field, candidate: Candidate, find: Find) {
  const given: ValueSource = typeof candidate === 'string' ? { column: candidate } : candidate;
  if (given.template !== undefined) return { source: given, column: undefined };
  const column = find(given.column ?? '');
  const other = typeof given.out_of === 'string' ? find(given.out_of) : undefined;
  if (column === undefined || (typeof given.out_of === 'string' && other === undefined)) return undefined;
  const rest = { ...given, column: column.reference, ...(other === undefined ? {} : { out_of: other.reference }) };
  const isPlain = Object.keys(rest).length === 1;
  const scaled =
    isPlain && FIELDS[field] === 'number' && isFraction(column) ? { column: column.reference, scale: 100 } : rest;
  return { source: isPlain && scaled === rest ? column.reference : scaled, column };
}

function isFraction({ values }: ColumnProfile): boolean {
  const numbers = values.map((text) => (text.includes('%') ? Number.NaN : Number(text.replace(',', '.'))));
  return numbers.every((number) => number >= 0 && number <= 1) && numbers.some((number) => number > 0 && number < 1);
}

function settingsOf({ settings, skip = [], group_by }: Shape, find: Find): Partial<Mapping> {
  const rules = skip.flatMap(({ columns, is }) => {
    const column = columns.flatMap((header) =>
      find(header) === undefined ? [] : [header === '#1' ? '#1' : (find(header)?.reference ?? header)],
    )[0];
    return column === undefined ? [] : [{ column, is: [...is] }];
  });
  const keys = (group_by ?? []).flatMap(
    (headers) => headers.flatMap((header) => find(header) ?? [])[0]?.reference ?? [],
  );
  return {
    ...settings,
    ...(rules.length === 0 ? {} : { skip: rules }),
    ...(group_by !== undefined && keys.length === group_by.length ? { group_by: keys } : {}),
  };
}

/** Words with which a state says that something is not done, in many languages. */
const NOT =
  /^(not|nicht|non?|n[aã]o|niet|nie|ikke|inte|ej|ei|nem|ne|не|incomplet|incomplete|unvollst)(?!\p{L})|did not|nicht erreicht|sin alcanzar|no alcanz|pas atteint/iu;

/** Or the day on which the activity should be completed. */
const NO_HEADER = /^(\d{4}-\d{2}-\d{2}.*)?$/;

/** A state with its date in the next column, which has no header: the completion of an activity. */
function activitiesIn(columns: readonly ColumnProfile[]): ClassColumn[] {
  return columns.flatMap((column, index) => {
    const next = columns[index + 1];
    const isActivity =
      column.name !== '' && next !== undefined &&
      NO_HEADER.test(next.name) && next.values.every((text) => /\d/.test(text)) && !column.isAddress;
    if (!isActivity || column.values.length === 0 || column.isNumber) return [];
    const [format] = next.dateFormats;
    return [
      {
        column: column.reference,
        ...wordsOf(column.values),
        date_column: next.reference,
        ...(format === undefined || format === 'iso' ? {} : { dates: format }),
      },
    ];
  });
}

/** `Completed (set by Ann)` names a person, so what follows such a word is left open. */
function wordsOf(values: readonly string[]): Pick<ClassColumn, 'viewed' | 'not_viewed'> {
  const open = (text: string): string => text.replace(/^([^()]+\([^()\s]+ [^()\s]+) .*$/u, '$1*');
  const not = values.filter((text) => NOT.test(text)).map(open);
  const yes = values.filter((text) => !NOT.test(text)).map(open);
  return {
    ...(yes.length === 0 ? {} : { viewed: [...new Set(yes)] }),
    ...(not.length === 0 ? {} : { not_viewed: [...new Set(not)] }),
  };
}
