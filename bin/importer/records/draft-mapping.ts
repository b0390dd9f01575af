/** Drafts a mapping from a file: its headers, and the values of all of its rows. */
import { UsageError } from '../errors.ts';
import { columnsAre, FILE_COLUMN, memberText } from '../mapping/columns.ts';
import { isObject } from '../mapping/fields.ts';
import { type GuessedMapping, guessMapping } from '../mapping/guess-mapping.ts';
import { checkedMapping, type Mapping } from '../mapping/schema.ts';
import { TableProfile } from '../mapping/table-profile.ts';
import type { Source } from '../source/open-source.ts';

/** Of a JSON file, whose columns are the paths of its first items. */
const SAMPLE_ITEMS = 200;

export interface DraftOptions {
  /** A preset whose rules come before the guess. */
  readonly system?: string | undefined;
  /** Of times without a zone. */
  readonly timeZone?: string | undefined;
}

/**
 * A mapping drafted from the values of all rows.
 *
 * @throws UsageError for a file without rows, for one that needs no mapping, for one without learners, and for a system without a
 * preset
 */
export async function draftMapping(source: Source, options: DraftOptions = {}): Promise<GuessedMapping> {
  const { profile, isRagged } =
    source.format === 'csv' ? await tableProfile(source) : { profile: await itemProfile(source), isRagged: [] };
  if (profile.columns.length === 0) throw new UsageError(`${source.path} contains no rows.`);
  const { mapping, doubts } = guessMapping(profile, options.system);
  const skip = [...(mapping.skip ?? []), ...isRagged.map((text) => ({ column: '#1', is: [text] }))];
  const settled: Mapping = {
    ...mapping,
    ...(skip.length === 0 ? {} : { skip }),
    ...(options.timeZone === undefined ? {} : { time_zone: options.timeZone }),
  };
  if (mapping.record['external_record_id'] === '')
    throw new UsageError(
      `No mapping can be drafted for ${source.path}: no column identifies a learner or a record. Is this the file of the history of learners? If it is, write the mapping by hand. ${columnsAre(profile.columns.map(({ name }) => name))}`,
    );
  checkedMapping('that was drafted', settled);
  return { mapping: settled, doubts };
}

/** Rows of a wide table that hold nothing but a first cell are titles and totals. */
async function tableProfile(source: Source): Promise<{ profile: TableProfile; isRagged: string[] }> {
  const profile = new TableProfile(source.columns);
  const titles = new Set<string>();
  for await (const { cells = [] } of source.anyRows()) {
    const filled = cells.filter((cell) => cell.trim() !== '').length;
    const isNarrow = cells.length <= 2 || (filled === 1 && cells[0]?.trim() !== '');
    if (source.columns.length > 2 && isNarrow)
      titles.add(
        `${(cells[0] ?? '')
          .trim()
          .slice(0, 60)
          .replace(/[\s:]*[\d.,]*$/, '')}*`,
      );
    else profile.add(cells);
  }
  return { profile, isRagged: [...titles].filter((text) => text.length > 3).slice(0, 10) };
}

/** The paths of the members of the first items. */
async function itemProfile(source: Source): Promise<TableProfile> {
  const items: unknown[] = [];
  const names = new Set<string>();
  for await (const { value } of source.rows()) {
    if (isObject(value) && Object.hasOwn(value, 'external_record_id'))
      throw new UsageError(`${source.path} holds records in the format of the interface, which need no mapping.`);
    for (const name of pathsIn(value)) names.add(name);
    if (items.push(value) >= SAMPLE_ITEMS) break;
  }
  const profile = new TableProfile([...names]);
  for (const item of items) profile.add([...names].map((name) => memberText(item, name)));
  return profile;
}

function pathsIn(value: unknown, path = ''): string[] {
  if (!isObject(value)) return path === '' ? [] : [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, path === '' ? name : `${path}.${name}`));
}

/** The mapping that joins rows with the same learner and course: attempts, or parts of it. `undefined` if its ids do not show them. */
export function joinedByIds(mapping: Mapping): Mapping | undefined {
  const id = mapping.record['external_record_id'];
  const template = typeof id === 'object' && 'template' in id ? id.template : undefined;
  const columns = [...(template ?? '').matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== FILE_COLUMN);
  return mapping.group_by === undefined && columns.length > 0 ? { ...mapping, group_by: columns } : undefined;
}
