import { closeSync, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { openRecords } from '../../engine/apply/open-records.ts';
import type { RecordSource } from '../../engine/apply/record-source.ts';
import type { Meter } from '../../engine/read/budget.ts';
import type { InputFile } from '../../engine/read/bytes.ts';
import { openSource, type Source, type SourceOptions } from '../../engine/read/open-source.ts';
import { fileReason, UsageError } from '../errors.ts';
import { findMapping, loadMapping, mappingNear } from './mapping-file.ts';
import { temporaryRows } from './temporary.ts';

/** Less than the blocks that glibc returns at once (see `bin/course-progress-migration.mjs`): memory that was used before costs nothing. */
const PIECE_BYTES = 60 * 1024;

const unreadable = (path: string, error: unknown): UsageError =>
  new UsageError(`${path} cannot be read (${fileReason(error)}).`);

/** Waits for the disk, as a thread that waits costs several times as much: timers and signals have their turn first. @throws UsageError */
async function bytesIn(path: string, start: number, end: number): Promise<ArrayBuffer> {
  await setImmediate();
  const bytes = new Uint8Array(end - start);
  try {
    const file = openSync(path, 'r');
    try {
      const count = readSync(file, bytes, 0, bytes.length, start);
      return count === bytes.length ? bytes.buffer : bytes.buffer.slice(0, count);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** A file of this computer for the engine. @throws UsageError if the path is not a readable regular file */
export async function localFile(path: string): Promise<InputFile> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (found.isDirectory()) throw new UsageError(`${path} is a folder. Name its files, like "${path}/*.csv".`);
  if (!found.isFile())
    throw new UsageError(`${path} is not a regular file. It is read more than once, so it cannot be a pipe.`);
  return {
    name: path,
    size: found.size,
    pieceBytes: PIECE_BYTES,
    slice: (start, end) => ({ arrayBuffer: () => bytesIn(path, start, end) }),
  };
}

/** A look at the processor time costs as much as some rows: it is true enough for so many milliseconds. */
const FRESH_MS = 5;
let looked = { at: Number.NEGATIVE_INFINITY, ms: 0 };

/** Processor time, and the heap that Node allows. */
const METER: Meter = {
  ms() {
    const at = performance.now();
    if (at - looked.at < FRESH_MS) return looked.ms;
    const { user, system } = process.cpuUsage();
    looked = { at, ms: (user + system) / 1000 };
    return looked.ms;
  },
  memory() {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    return used_heap_size / heap_size_limit;
  },
};

/** @throws UsageError */
export const openSourceFile = async (path: string, options?: SourceOptions): Promise<Source> =>
  openSource(await localFile(path), { ...options, now: Date.now(), meter: METER });

export interface RecordFileOptions extends SourceOptions {
  readonly mapping?: string;
  /** `member=value`: the same value in every record. */
  readonly set?: readonly string[];
}

/** A file with the mapping that is named, else with the one beside it. @throws UsageError */
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
    now: Date.now(),
    meter: METER,
  });
}
