/** Writes files of rejected rows; a file that the user may have edited is never overwritten. */
import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MigrationClient } from '../../client/index.ts';
import { UsageError } from '../../engine/errors.ts';
import type { RecordSet } from '../../engine/records/record-set.ts';
import type { RecordSource } from '../../engine/records/record-source.ts';
import { rejectedLines, rejectionsFrom } from '../../engine/run/rejected-rows.ts';
import { type Unmatched, UnmatchedTally } from '../../engine/run/unmatched.ts';
import { type Derivation, derivedName } from '../../engine/source/bytes.ts';
import { fileReason } from '../errors.ts';
import { type Display, whileCounting } from '../progress.ts';
import { isTemporary } from './temporary.ts';
import { DraftFile, PRIVATE_MODE, withoutExtension } from './whole-file.ts';

export interface RejectedOptions {
  readonly rejected?: string;
  /** No cell may be a formula. */
  readonly safeForSpreadsheets?: boolean;
}

export interface RejectedFiles {
  readonly rejected: readonly string[];
  /** The files with those of the rejected rows whose course or learner the platform does not have. */
  readonly unmatched: readonly string[];
  readonly sums: Unmatched;
}

/**
 * Writes the rejected rows of each file to a file of their own, and those among them whose course or learner the platform does
 * not have to another.
 *
 * @param failing the imports with rejected records, by position of the batch; `null` for one that was not sent
 */
export async function writeRejectedRows(
  set: RecordSet,
  failing: ReadonlyMap<number, string | null>,
  client: Pick<MigrationClient, 'records'>,
  { rejected: named, safeForSpreadsheets: isSafe }: RejectedOptions,
  display: Display,
): Promise<RejectedFiles> {
  const [rejected, unmatched, sums] = [[] as string[], [] as string[], new UnmatchedTally()];
  await whileCounting(display, 'rejected', async (add) => {
    for (const source of set.sources) {
      const onRejected = (...[entry, errors]: Parameters<UnmatchedTally['add']>): void => sums.add(entry, errors);
      const asked = set.sources.length === 1 ? named : undefined;
      const input = source.file.path;
      const all = new RowFile({ asked, name: nameFor(source, 'rejected'), input });
      const some = new RowFile({ asked: undefined, name: nameFor(source, 'unmatched', asked), input });
      const lines = rejectedLines(source, set, rejectionsFrom(client, failing), { isSafe, onRejected });
      try {
        await writeLines(lines, all, some, add);
        rejected.push(...(await all.commit()));
        unmatched.push(...(await some.commit()));
      } finally {
        all.discard();
        some.discard();
      }
    }
  });
  return { rejected, unmatched, sums: sums.unmatched() };
}

/** The second file has the header, and the unmatched of the rows of the first. */
async function writeLines(
  lines: ReturnType<typeof rejectedLines>,
  all: RowFile,
  unmatched: RowFile,
  add: (count: number) => void,
): Promise<void> {
  let header = '';
  for await (const { text, kind } of lines) {
    all.add(text);
    if (kind === 'header') header = text;
    else add(1);
    if (kind === 'unmatched') unmatched.add(unmatched.isEmpty ? header + text : text);
  }
}

/** `history.csv` → `history.rejected.csv`, beside it; both have the same mapping. @param beside the file to write it beside */
function nameFor({ file: { path, format } }: RecordSource, derivation: Derivation, beside?: string): string {
  const place = beside ?? (isTemporary(path) ? basename(path) : path);
  return derivedName(place, derivation, format === 'csv' ? '.csv' : '.ndjson');
}

/** Files of rejected rows that an earlier run has left, under the names that this one would give them. */
export const earlierRejectedFiles = ({ sources }: RecordSet): string[] =>
  sources.flatMap((source) =>
    (['rejected', 'unmatched'] as const)
      .map((derivation) => nameFor(source, derivation))
      .filter((name) => existsSync(name) && resolve(name) !== resolve(source.file.path)),
  );

/** @throws UsageError if no file can be written there; found before anything is sent */
export function checkRejectedTarget(set: RecordSet, asked: string | undefined): void {
  if (asked !== undefined && set.sources.length > 1)
    throw new UsageError(
      '--rejected names one file, but several files are imported: each has rejected rows of its own.',
    );
  for (const source of set.sources) checkWritable(asked ?? nameFor(source, 'rejected'));
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

/**
 * Writes a file of rejected rows and returns its path; `undefined` without rows. If another file with the name exists, which a person
 * may have edited, the next free number is taken.
 */
export async function writeRejectedFile(lines: AsyncIterable<string>, target: Target): Promise<string | undefined> {
  const file = new RowFile(target);
  try {
    for await (const line of lines) file.add(line);
    return (await file.commit())[0];
  } finally {
    file.discard();
  }
}

const ADVICE =
  'Free some space, or name another file with --rejected, then run the same command again: it shows these results, and writes the rows.';

/** A file of rows that is being written. Without rows there is none. */
class RowFile {
  readonly #target: Target;
  readonly #hash = createHash('sha256');
  #draft: DraftFile | undefined;

  constructor(target: Target) {
    const { asked, input } = target;
    if (asked !== undefined && resolve(asked) === resolve(input))
      throw new UsageError(`--rejected ${asked} would overwrite the file that is imported. Name another file.`);
    this.#target = target;
  }

  get isEmpty(): boolean {
    return this.#draft === undefined;
  }

  add(line: string): void {
    this.#draft ??= new DraftFile(resolve(this.#target.asked ?? this.#target.name), ADVICE, PRIVATE_MODE);
    this.#hash.update(line);
    this.#draft.add(line);
  }

  async commit(): Promise<string[]> {
    if (this.#draft === undefined) return [];
    const { asked, name, input } = this.#target;
    const path = asked ?? (await freeName(name, input, this.#hash.digest('hex')));
    this.#draft.commit(resolve(path));
    return [path];
  }

  discard(): void {
    this.#draft?.discard();
  }
}

async function freeName(name: string, input: string, hash: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? name : `${withoutExtension(name)}-${number}${extname(name)}`;
    if (resolve(path) === resolve(input)) continue;
    if (!existsSync(path) || (await hashOf(path)) === hash) return path;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
