import { FILE_COLUMN } from './columns.ts';
import { isObject } from './fields.ts';
import type { Mapping } from './schema.ts';

/** Every column that a mapping names, in the order in which it names them. */
export function namedColumns({
  record,
  skip = [],
  group_by = [],
  voided,
  repeat = [],
  fill_down = [],
  headings,
}: Mapping): string[] {
  const ofVoided = voided === undefined ? [] : [voided.column, voided.target, voided.id];
  const names = [
    ...group_by,
    ...ofVoided,
    ...skip.map(({ column }) => column),
    ...Object.values(record).flatMap(namesIn),
  ];
  const ofBlocks = repeat.flatMap(({ from }) => Object.values(from));
  const added = new Set([
    FILE_COLUMN,
    headings,
    ...repeat.flatMap(({ set = {}, from }) => Object.keys({ ...set, ...from })),
  ]);
  return [...new Set([...names, ...ofBlocks, ...fill_down])].filter((name) => !added.has(name));
}

const IN_TEMPLATE = /\{([^{}]+)\}/g;

function namesIn(source: unknown): string[] {
  if (typeof source === 'string') return [source];
  if (Array.isArray(source)) return source.flatMap(namesIn);
  if (!isObject(source)) return [];
  const { column, date_column, template, out_of, earliest, latest, viewed_if } = source;
  const texts = [column, date_column, out_of].filter((name) => typeof name === 'string');
  const inTemplate =
    typeof template === 'string' ? [...template.matchAll(IN_TEMPLATE)].map(([, name = '']) => name) : [];
  return [...texts, ...inTemplate, ...namesIn(earliest), ...namesIn(latest), ...namesIn(viewed_if)];
}
