/** Drafts a mapping from a file: its headers, and the values of all of its rows. */
import { UsageError } from '../errors.ts';
import { columnsAre, memberText } from '../mapping/columns.ts';
import { isObject } from '../mapping/fields.ts';
import { type GuessedMapping, guessMapping } from '../mapping/guess-mapping.ts';
import { shownSystem } from '../mapping/presets.ts';
import { checkedMapping, type Mapping } from '../mapping/schema.ts';
import { isAddressText, TableProfile } from '../mapping/table-profile.ts';
import { PLAIN, type ProfiledTable, profiledTable } from '../shape/profiled-table.ts';
import type { Source } from '../source/open-source.ts';

/** Items of a JSON file whose paths become its columns. */
const SAMPLE_ITEMS = 200;

export interface DraftOptions {
  /** A preset whose rules come before the guess. */
  readonly system?: string | undefined;
  /** The zone of times that name none. */
  readonly timeZone?: string | undefined;
}

/**
 * A mapping drafted from the values of all rows.
 *
 * @param isCourse true for the title of a course of the platform: a column with such a header is one of a course
 * @throws UsageError for a file without rows, for one that needs no mapping, for one without learners, and for a system without a
 * preset
 */
export async function draftMapping(
  source: Source,
  options: DraftOptions = {},
  isCourse?: (title: string) => boolean,
): Promise<GuessedMapping> {
  const profiled =
    source.format === 'csv' ? await profiledTable(source, options.system, isCourse) : await itemProfile(source);
  const { profile } = profiled;
  const shown = options.system === undefined ? shownSystem(profile.columns) : undefined;
  // A statement is what its specification says; a table may have the headers of a system by chance.
  const isStatement = source.format !== 'csv' && shown === 'xapi';
  if (profile.columns.length === 0) throw new UsageError(`${source.path} contains no rows.`);
  checkHeader(source, profile);
  const guessed = guessMapping(profile, isStatement ? shown : options.system);
  const mapping = withShape(guessed.mapping, profiled, options.timeZone);
  if (mapping.record['external_record_id'] === '')
    throw new UsageError(
      `No mapping can be drafted for ${source.path}: no column identifies a learner or a record. Is this the file of the history of learners? If it is, write the mapping by hand. ${columnsAre(profile.columns.map(({ name }) => name))}`,
    );
  checkedMapping('that was drafted', mapping);
  return { ...guessed, mapping, doubts: [...profiled.doubts, ...systemDoubt(shown, isStatement), ...guessed.doubts] };
}

function systemDoubt(shown: string | undefined, isUsed: boolean): string[] {
  if (shown === undefined) return [];
  return [
    isUsed
      ? `The items are statements of ${shown}, and are read by its preset.`
      : `The columns are those of an export of ${shown}. If it is one, draft again with --system ${shown}.`,
  ];
}

/** The first learner of a file without a header would be lost. @throws UsageError */
function checkHeader({ path, headerLine }: Source, { columns }: TableProfile): void {
  const column = columns.find(({ name, isAddress }) => isAddress && isAddressText(name));
  if (column !== undefined)
    throw new UsageError(
      `${path} has no names of columns: line ${headerLine} has the address ${column.name}. Write a line above it that names each column, like Email, Course, Status, Completed on.`,
    );
}

function withShape(mapping: Mapping, { shape, ...found }: ProfiledTable, time_zone: string | undefined): Mapping {
  const skip = [...(mapping.skip ?? []), ...found.skip];
  const guesses = [...found.guesses, ...(mapping.guesses ?? [])];
  return {
    ...mapping,
    ...shape,
    ...(skip.length === 0 ? {} : { skip }),
    ...(time_zone === undefined ? {} : { time_zone }),
    ...(guesses.length === 0 ? {} : { guesses }),
  };
}

/** The paths of the members of the first items. */
async function itemProfile(source: Source): Promise<ProfiledTable> {
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
  return { profile, ...PLAIN };
}

function pathsIn(value: unknown, path = ''): string[] {
  if (!isObject(value)) return path === '' ? [] : [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, path === '' ? name : `${path}.${name}`));
}
