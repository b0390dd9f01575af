/** Makes the descriptor of a company's own export from a mapping that a person confirmed. */
import { type Field, isObject } from '../ground/fields.ts';
import type { Descriptor, KindRule, Meaning } from './descriptor.ts';
import { columnOf } from './named-columns.ts';
import type { ConfirmedKind, Mapping } from './schema.ts';

/** Members of a record, and what a column means that fills them. The first member that has a column counts. */
const MEMBERS: readonly (readonly [field: Field, meaning: Meaning])[] = [
  ['user.email', 'learner'],
  ['user.external_user_id', 'learner id'],
  ['content.platform_course_id', 'course'],
  ['content.external_course_id', 'course'],
  ['progress.started_at', 'started'],
  ['progress.last_activity_at', 'last activity'],
  ['assessment.score_pct', 'score'],
  ['external_record_id', 'record id'],
];

/** Whether each row of the file is one learner in one course, as a descriptor reads it. */
export const mayBeDescribed = ({ repeat, fill_down, headings, rows }: Mapping): boolean =>
  [repeat, fill_down, headings, rows].every((each) => each === undefined);

/** @param headers of the file: another file is known by them */
export function descriptorOf(mapping: Mapping, name: string, headers: readonly string[]): Descriptor {
  const { record, kinds, time_zone } = mapping;
  const ofRecord = MEMBERS.flatMap(([field, meaning]) =>
    sourcesOf(record[field])
      .slice(0, 1)
      .map((source) => [source.column, meaning, source.dates] as const),
  );
  const columns = Object.fromEntries([
    ...ofRecord.map(([column, meaning]) => [column, meaning] as const),
    ...Object.entries(kinds?.columns ?? {}),
  ]);
  const dates = Object.fromEntries([
    ...ofRecord.flatMap(([column, , format]) => (format === undefined ? [] : [[column, format] as const])),
    ...Object.entries(kinds?.dates ?? {}).map(([column, formats]) => [column, [formats].flat()[0] ?? 'iso'] as const),
  ]);
  return {
    name: { en: name },
    headers: [...new Set(headers)].filter((header) => header !== '' && columns[header] === undefined),
    columns,
    ...(Object.keys(dates).length === 0 ? {} : { dates }),
    kinds: (kinds?.confirmed ?? []).map(ruleOf),
    ...(time_zone === undefined ? {} : { time_zone }),
  };
}

function sourcesOf(source: unknown): { readonly column: string; readonly dates: string | undefined }[] {
  return [source].flat().flatMap((each: unknown) => {
    const column = columnOf(each);
    if (column === undefined) return [];
    const [format] = isObject(each) ? [each['dates']].flat() : [];
    return [{ column, dates: typeof format === 'string' ? format : undefined }];
  });
}

const ruleOf = ({ values, outcome, date, percent }: ConfirmedKind): KindRule => ({
  values,
  outcome,
  ...(typeof date === 'string' ? { date } : {}),
  ...(typeof percent === 'string' ? { percent } : {}),
});
