import { UsageError } from '../errors.ts';
import { type Field, FIELDS, isField, isObject } from './fields.ts';
import { plainText } from '../words/words.ts';
import { statusOf } from './guess-status.ts';
import { type Candidate, PRESETS, type Shape } from './preset-list.ts';
import type { ClassColumn, Mapping, ValueSource } from './schema.ts';
import { areFractions, type ColumnProfile } from './table-profile.ts';

/** A preset as it applies to the columns of a file. */
export interface PresetUse {
  readonly name: string;
  readonly settings: Partial<Mapping>;
  /** The sources of each member, the first that gives a value counts. */
  readonly record: Readonly<Partial<Record<Field, readonly UsedSource[]>>>;
  /** The columns of single classes. */
  readonly classes: readonly ClassColumn[];
  readonly keepsDates: boolean;
  readonly doubts: readonly string[];
  readonly guesses: readonly string[];
}

export interface UsedSource {
  readonly source: string | ValueSource;
  readonly column?: ColumnProfile | undefined;
}

export const SYSTEMS: readonly string[] = Object.keys(PRESETS);

/** @throws UsageError for a system without a preset, and for a file without its columns */
export function presetUse(system: string | undefined, columns: readonly ColumnProfile[]): PresetUse | undefined {
  if (system === undefined) return undefined;
  const shapes = PRESETS[system]?.exports;
  if (shapes === undefined)
    throw new UsageError(
      `There is no preset for ${system}. There are presets for ${SYSTEMS.join(', ')}. Without --system the headers and values say what they are.`,
    );
  const find = finder(columns);
  const shape = shapes.find(({ has }) => has.every((header) => find(header) !== undefined));
  if (shape === undefined)
    throw new UsageError(
      `This is no export of ${system} that is known: it lacks ${shapes.map(({ has }) => has.map((header) => `"${header}"`).join(', ')).join(' or ')}. Try without --system.`,
    );
  const states = (shape.record['progress.completion_pct'] ?? []).flatMap((each) => {
    const column = isState(each) ? find(each.progress_of) : undefined;
    return column === undefined ? [] : [statusOf(column)];
  });
  const classes = shape.activities === true ? activitiesIn(columns) : [];
  return {
    name: system,
    settings: settingsOf(shape, find),
    record: recordOf(shape, find),
    classes,
    keepsDates: shape.keepsDates === true,
    doubts: [...(shape.doubt === undefined ? [] : [shape.doubt]), ...states.flatMap(({ doubts }) => doubts)],
    guesses: states.flatMap(({ guesses }) => guesses),
  };
}

/** The system that the columns show: one of its exports is recognised by its headers. */
export function shownSystem(columns: readonly ColumnProfile[]): string | undefined {
  const find = finder(columns);
  const isShown = ({ has }: Shape): boolean => has.length > 0 && has.every((header) => find(header) !== undefined);
  return SYSTEMS.find((system) => PRESETS[system]?.exports.some(isShown));
}

type Find = (header: string) => ColumnProfile | undefined;

/** A column with values, by its header. */
function finder(columns: readonly ColumnProfile[]): Find {
  const byName = new Map<string, ColumnProfile>();
  for (const column of columns) if (!byName.has(plainText(column.name))) byName.set(plainText(column.name), column);
  return (header) => {
    const found = header === '#1' ? columns[0] : byName.get(plainText(header));
    return found !== undefined && found.filled > 0 ? found : undefined;
  };
}

function recordOf({ record }: Shape, find: Find): PresetUse['record'] {
  return Object.fromEntries(
    Object.entries(record).flatMap(([field, candidates]) => {
      // Status beats percentage and date.
      const ranked = [...candidates.filter(isState), ...candidates.filter((each) => !isState(each))];
      const usable = isField(field) ? ranked.flatMap((each) => usableSource(field, each, find) ?? []) : [];
      const [first] = usable;
      if (first === undefined || !isField(field)) return [];
      // An address is recognised by its values: a login may be one.
      if (field === 'user.email' && first.column?.isAddress === false) return [];
      // Of several columns for an id or a number, the best one is used; dates and words may be spread over several.
      const isOne = !isRule(first.source) && FIELDS[field] !== 'date';
      return [[field, isOne ? [first] : usable]];
    }),
  );
}

const isRule = (source: unknown): boolean => isObject(source) && source['values'] !== undefined;

const isState = (candidate: Candidate): candidate is { readonly progress_of: string } =>
  typeof candidate === 'object' && 'progress_of' in candidate;

function stateSource(column: ColumnProfile | undefined): UsedSource | undefined {
  const source = column && statusOf(column).progress;
  return source && { column, source };
}

/** The rule with the columns of the file in place of headers; `undefined` if the file lacks one of them. */
function usableSource(field: Field, candidate: Candidate, find: Find): UsedSource | undefined {
  if (isState(candidate)) return stateSource(find(candidate.progress_of));
  const given: ValueSource = typeof candidate === 'string' ? { column: candidate } : candidate;
  const column = find(given.column ?? '');
  if (column === undefined) return undefined;
  const { reference } = column;
  if (typeof given.out_of === 'string') {
    const whole = find(given.out_of);
    return whole && { column, source: { ...given, column: reference, out_of: whole.reference } };
  }
  if (Object.keys(given).length > 1) return { column, source: { ...given, column: reference } };
  const isScaled = FIELDS[field] === 'number' && areFractions(column);
  return { column, source: isScaled ? { column: reference, scale: 100 } : reference };
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
      column.name !== '' &&
      next !== undefined &&
      NO_HEADER.test(next.name) &&
      next.values.every((text) => /\d/.test(text)) &&
      !column.isAddress;
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
const withoutNames = (text: string): string => text.replace(/^([^()]+\([^()\s]+ [^()\s]+) .*$/u, '$1*');

function wordsOf(values: readonly string[]): Pick<ClassColumn, 'viewed' | 'not_viewed'> {
  const [not, yes] = [true, false].map((isNot) => [
    ...new Set(values.filter((text) => NOT.test(text) === isNot).map(withoutNames)),
  ]);
  return {
    ...(yes === undefined || yes.length === 0 ? {} : { viewed: yes }),
    ...(not === undefined || not.length === 0 ? {} : { not_viewed: not }),
  };
}
