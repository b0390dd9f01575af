import { existsSync, readFileSync } from 'node:fs';
import { isObject } from '../../wire/values.ts';
import { fileReason, UsageError } from '../errors.ts';
import { FIELD_NAMES, FIELDS, isField, NAMED_BY } from '../../engine/ground/fields.ts';
import { mappingOfOwnColumns, withDecided } from '../../engine/language/named-columns.ts';
import { originalName } from '../../engine/read/bytes.ts';
import { checkedMapping, mappingJson } from '../../engine/language/check.ts';
import type { Mapping } from '../../engine/language/schema.ts';

/** @throws UsageError with the path of the file and every member of it that is wrong */
export function loadMapping(path: string, settings: readonly string[] = []): Mapping {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`The mapping ${path} cannot be read (${fileReason(error)}).`);
  }
  const mapping = checkedMapping(path, withSettings(mappingJson(path, text), settings));
  return withDecided(mapping, decidedBy(mapping, settings));
}

/** `--set content.platform_course_id=2002`: the same value in every row, in place of the one that the mapping gives. */
function withSettings(mapping: unknown, settings: readonly string[]): unknown {
  if (settings.length === 0 || !isObject(mapping)) return mapping;
  const { record } = mapping;
  return { ...mapping, record: { ...(isObject(record) ? record : {}), ...Object.fromEntries(settings.map(setting)) } };
}

/** What the mapping left open, and values for all rows settle: no column names it any more. */
function decidedBy({ record }: Mapping, settings: readonly string[]): ('learner' | 'course')[] {
  const set = new Set<string>(settings.map((text) => setting(text)[0]));
  return (['learner', 'course'] as const).filter(
    (topic) =>
      NAMED_BY[topic].some((field) => set.has(field)) &&
      NAMED_BY[topic].every((field) => record[field] === undefined || set.has(field)),
  );
}

function setting(text: string): [string, { constant: string | number }] {
  const [, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (!isField(name) || FIELDS[name] === 'classes')
    throw new UsageError(
      `--set ${text}: write --set member=value, with one of ${FIELD_NAMES.filter((each) => FIELDS[each] !== 'classes').join(', ')}.`,
    );
  const isNumber = ['id', 'number', 'percentage'].includes(FIELDS[name]) && /^\d{1,15}(\.\d+)?$/.test(value);
  return [name, { constant: isNumber ? Number(value) : value }];
}

/** `history.csv` → `history.mapping.json`: init-mapping writes it and import reads it. */
export const mappingBeside = (file: string): string => `${file.replace(/\.[^./\\]*$/, '')}.mapping.json`;

/** A file of rejected rows is read with the mapping of the file that they come from. */
const mappingsBeside = (file: string): string[] => [mappingBeside(file), mappingBeside(originalName(file))];

/** The mapping beside a file, if there is one. */
export function mappingNear(
  file: string,
  settings: readonly string[] = [],
): { mapping: Mapping; path: string } | undefined {
  const path = mappingsBeside(file).find((beside) => existsSync(beside));
  return path === undefined ? undefined : { mapping: loadMapping(path, settings), path };
}

/** The mapping beside the table, else a mapping of columns with the interface's names. @throws UsageError if there is none */
export function findMapping(
  file: string,
  columns: readonly string[],
  settings: readonly string[] = [],
): { mapping: Mapping; path: string | undefined } {
  const near = mappingNear(file, settings);
  if (near !== undefined) return near;
  const own = mappingOfOwnColumns(columns);
  if (own === undefined) {
    throw new UsageError(
      `There is no mapping for ${file}. Make one with "init-mapping ${file}", or name one with --mapping.`,
    );
  }
  return { mapping: { record: { ...own.record, ...Object.fromEntries(settings.map(setting)) } }, path: undefined };
}
