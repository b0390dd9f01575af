/** Writes files of rejected rows; a file that the user may have edited is never overwritten. */
import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MigrationClient } from '../../client/index.ts';
import { saidInWords } from '../advice.ts';
import type { RecordSet } from '../../engine/apply/record-set.ts';
import type { RecordSource } from '../../engine/apply/record-source.ts';
import { rejectedLines, rejectionsFrom } from '../../engine/run/rejected-rows.ts';
import { UnmatchedTally } from '../../engine/run/unmatched.ts';
import { rejectedName } from '../../engine/read/bytes.ts';
import { fileReason, UsageError } from '../errors.ts';
import { type Display, whileCounting } from '../progress.ts';
import { isTemporary } from './temporary.ts';
import { DraftFile, freeName, PRIVATE_MODE } from './whole-file.ts';

export interface RejectedOptions {
  readonly rejected?: string;
  readonly safeForSpreadsheets?: boolean;
}

/**
 * A file for each, and the sums of the rows whose course or learner the platform does not have. `failing`: imports with
 * rejected records by position of the batch; `null` if it was not sent.
 */
export async function writeRejectedRows(
  set: RecordSet,
  failing: ReadonlyMap<number, string | null>,
  client: Pick<MigrationClient, 'records'>,
  { rejected: named, safeForSpreadsheets: isSafe }: RejectedOptions,
  display: Display,
) {
  const rejected: string[] = [];
  const sums = new UnmatchedTally();
  await whileCounting(display, 'rejected', async (add) => {
    const onRejected = (...[entry, errors]: Parameters<UnmatchedTally['add']>): void => {
      sums.add(entry, errors);
      add(1);
    };
    for (const source of set.sources) {
      const target = {
        asked: set.sources.length === 1 ? named : undefined,
        name: nameFor(source),
        input: source.file.path,
      };
      const lines = rejectedLines(source, set, rejectionsFrom(client, failing), {
        say: saidInWords,
        isSafe,
        onRejected,
      });
      const path = await writeRejectedFile(lines, target);
      if (path !== undefined) rejected.push(path);
    }
  });
  return { rejected, sums: sums.unmatched() };
}

/** `history.csv` → `history.rejected.csv`, beside it; both have the same mapping. */
const nameFor = ({ file: { path, format } }: RecordSource): string =>
  rejectedName(isTemporary(path) ? basename(path) : path, format === 'csv' ? '.csv' : '.ndjson');

/** Rejected-row files of an earlier run that have the names this run would use. */
export const earlierRejectedFiles = ({ sources }: RecordSet): string[] =>
  sources.flatMap((source) => {
    const name = nameFor(source);
    return existsSync(name) && resolve(name) !== resolve(source.file.path) ? [name] : [];
  });

/** @throws UsageError if no file can be written there; found before anything is sent */
export function checkRejectedTarget(set: RecordSet, asked: string | undefined): void {
  if (asked !== undefined && set.sources.length > 1)
    throw new UsageError(
      '--rejected names one file, but several files are imported: each has rejected rows of its own.',
    );
  for (const source of set.sources) checkWritable(asked ?? nameFor(source));
}

/** @throws UsageError */
export function checkWritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new UsageError(`${path} is no file that can be replaced. Name another file with --rejected.`);
  const folder = dirname(resolve(path));
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `The rejected rows cannot be written to ${folder} (${fileReason(error)}). Name another file with --rejected.`,
    );
  }
}

interface Target {
  /** Path to write to, even if a file exists there; else `name`. */
  readonly asked: string | undefined;
  readonly name: string;
  /** Path that is never overwritten. */
  readonly input: string;
}

const ADVICE =
  'Free some space, or name another file with --rejected, then run the same command again: it shows these results, and writes the rows.';

/** Returns the path; `undefined` without rows. If another file has the name, the next free number is taken. */
export async function writeRejectedFile(
  lines: AsyncIterable<string>,
  { asked, name, input }: Target,
): Promise<string | undefined> {
  refuseInput(asked, input);
  const hash = createHash('sha256');
  let draft: DraftFile | undefined;
  try {
    for await (const line of lines) {
      draft ??= new DraftFile(resolve(asked ?? name), ADVICE, PRIVATE_MODE);
      hash.update(line);
      draft.add(line);
    }
    if (draft === undefined) return undefined;
    const digest = hash.digest('hex');
    const isOther = async (path: string): Promise<boolean> =>
      resolve(path) === resolve(input) || (existsSync(path) && (await hashOf(path)) !== digest);
    const path = asked ?? (await freeName(name, isOther));
    draft.commit(resolve(path));
    return path;
  } finally {
    draft?.discard();
  }
}

function refuseInput(asked: string | undefined, input: string): void {
  if (asked !== undefined && resolve(asked) === resolve(input))
    throw new UsageError(`--rejected ${asked} would overwrite the file that is imported. Name another file.`);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
