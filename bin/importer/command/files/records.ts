/** Opens files of this computer by their paths, for commands. */
import type { CatalogClient } from '../../engine/records/class-titles.ts';
import { type RecordSet, recordSetOf } from '../../engine/records/record-set.ts';
import { openRecords } from '../../engine/records/open-records.ts';
import type { RecordSource } from '../../engine/records/record-source.ts';
import { openSource, type Source, type SourceOptions } from '../../engine/source/open-source.ts';
import { localFile } from './local-file.ts';
import { findMapping, loadMapping, mappingNear } from './mapping-file.ts';
import { temporaryRows } from './temporary-rows.ts';

export interface RecordFileOptions extends SourceOptions {
  /** Path of the mapping file. */
  readonly mapping?: string;
  /** `member=value`: the same value in every record. */
  readonly set?: readonly string[];
}

/** @throws UsageError */
export const openSourceFile = async (path: string, options?: SourceOptions): Promise<Source> =>
  openSource(await localFile(path), options);

/**
 * A file with the mapping that is named, else with the one beside it.
 *
 * @throws UsageError
 */
export async function openRecordFile(
  path: string,
  { mapping, set, ...options }: RecordFileOptions = {},
): Promise<RecordSource> {
  const named = mapping === undefined ? undefined : { mapping: loadMapping(mapping, set), path: mapping };
  return openRecords(await localFile(path), {
    ...options,
    mapping: named,
    mappingFor: (columns) => findMapping(path, columns, set),
    beside: () => mappingNear(path, set),
    spool: temporaryRows,
  });
}

/** @param client reads the catalog if a mapping needs it. @throws UsageError */
export async function openSet(
  paths: readonly string[],
  options: RecordFileOptions,
  client: () => Promise<CatalogClient>,
): Promise<RecordSet> {
  const sources = [];
  for (const path of paths) sources.push(await openRecordFile(path, options));
  return recordSetOf(sources, client);
}
