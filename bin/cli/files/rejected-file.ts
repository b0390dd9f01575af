/** Writes files of rejected rows; a file that the user may have edited is never overwritten. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import type { MigrationClient } from '../../client/index.ts';
import { UsageError } from '../../importer/errors.ts';
import type { RecordSet } from '../../importer/records/record-set.ts';
import type { RecordSource } from '../../importer/records/record-source.ts';
import { rejectedLines, rejectionsFrom } from '../../importer/run/rejected-rows.ts';
import { type Display, whileCounting } from '../progress/display.ts';
import { writePrivateFile } from './config-folder.ts';
import { isSpooled } from './input-files.ts';
import { checkWritable, withoutExtension } from './paths.ts';
import { DraftFile, PRIVATE_MODE } from './whole-file.ts';

export interface RejectedOptions {
  /** Path to write to. */
  readonly rejected?: string;
  /** No cell may be a formula. */
  readonly safeForSpreadsheets?: boolean;
}

interface RejectedTarget extends RejectedOptions {
  /** The folder with the hashes of the files that this command left. */
  readonly folder: string;
}

/**
 * Writes the rejected rows of each file to a file of their own and returns the paths.
 *
 * @param failing the imports with rejected records, by position of the batch; `null` for one that was not sent
 */
export async function writeRejectedRows(
  set: RecordSet,
  failing: ReadonlyMap<number, string | null>,
  client: Pick<MigrationClient, 'records'>,
  { rejected, safeForSpreadsheets, folder }: RejectedTarget,
  display: Display,
): Promise<string[]> {
  const paths: string[] = [];
  await whileCounting(display, 'rejected', async (add) => {
    for (const source of set.sources) {
      const lines = rejectedLines(source, set, rejectionsFrom(client, failing), safeForSpreadsheets);
      const first = await lines.next();
      if (first.done === true) continue;
      const asked = set.sources.length === 1 ? rejected : undefined;
      const target = { asked, name: rejectedName(source), input: source.file.path };
      paths.push(await writeRejectedFile(following(first.value, lines, add), target, folder));
    }
  });
  return paths;
}

async function* following(
  first: string,
  lines: AsyncIterable<string>,
  add: (count: number) => void,
): AsyncGenerator<string> {
  yield first;
  for await (const line of lines) {
    add(1);
    yield line;
  }
}

/** `history.csv` → `history.rejected.csv`, beside it; both have the same mapping. */
function rejectedName({ file: { path, format } }: RecordSource): string {
  const place = isSpooled(path) ? basename(path) : path;
  const stem = withoutExtension(place).replace(/\.rejected(-\d+)?$/, '');
  return `${stem}.rejected${format === 'csv' ? '.csv' : '.ndjson'}`;
}

/** Files of rejected rows that an earlier run has left, under the names that this one would give them. */
export const earlierRejectedFiles = ({ sources }: RecordSet): string[] =>
  sources
    .filter((source) => existsSync(rejectedName(source)) && resolve(rejectedName(source)) !== resolve(source.file.path))
    .map(rejectedName);

/** @throws UsageError if no file can be written there; found before anything is sent */
export function checkRejectedTarget(set: RecordSet, asked: string | undefined): void {
  if (asked !== undefined && set.sources.length > 1)
    throw new UsageError(
      '--rejected names one file, but several files are imported: each has rejected rows of its own.',
    );
  for (const source of set.sources) checkWritable(asked ?? rejectedName(source), 'The rejected rows', '--rejected');
}

interface Target {
  /** Path to write to, even if a file exists there; else `name`. */
  readonly asked: string | undefined;
  readonly name: string;
  /** Path that is never overwritten. */
  readonly input: string;
}

/**
 * Writes a file of rejected rows and returns its path. If a file with the name exists and is not as this command left it, the
 * next free number is taken.
 *
 * @param folder with the hashes of the files that this command left
 */
export async function writeRejectedFile(lines: AsyncIterable<string>, target: Target, folder: string): Promise<string> {
  const file = new RowFile(target, folder);
  try {
    for await (const line of lines) file.add(line);
    return await file.commit();
  } finally {
    file.discard();
  }
}

const ADVICE =
  'Free some space, or name another file with --rejected, then run the same command again: it shows these results, and writes the rows.';

/** A file of rows that is being written. */
class RowFile {
  readonly #target: Target;
  readonly #folder: string;
  readonly #draft: DraftFile;
  readonly #hash = createHash('sha256');

  constructor(target: Target, folder: string) {
    const { asked, name, input } = target;
    if (asked !== undefined && resolve(asked) === resolve(input))
      throw new UsageError(`--rejected ${asked} would overwrite the file that is imported. Name another file.`);
    this.#target = target;
    this.#folder = folder;
    this.#draft = new DraftFile(resolve(asked ?? name), ADVICE, PRIVATE_MODE);
  }

  add(line: string): void {
    this.#hash.update(line);
    this.#draft.add(line);
  }

  /** Returns the path. */
  async commit(): Promise<string> {
    const ledger = join(this.#folder, 'rejected-files.json');
    const hash = this.#hash.digest('hex');
    const written = writtenFiles(ledger);
    const { asked, name, input } = this.#target;
    const path = asked ?? (await freeName(name, input, [hash, written]));
    this.#draft.commit(resolve(path));
    // Without its hash the file counts as edited, and the next one has another name.
    const known = JSON.stringify({ ...written, [resolve(path)]: hash });
    attempted(() => writePrivateFile(ledger, known));
    return path;
  }

  discard(): void {
    this.#draft.discard();
  }
}

function attempted(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

const WRITTEN = v.record(v.string(), v.string());
type Written = Readonly<v.InferOutput<typeof WRITTEN>>;

async function freeName(name: string, input: string, [hash, written]: [string, Written]): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? name : `${withoutExtension(name)}-${number}${extname(name)}`;
    if (resolve(path) === resolve(input)) continue;
    if (!existsSync(path)) return path;
    const existing = await hashOf(path);
    if (existing === hash || existing === written[resolve(path)]) return path;
  }
}

/** Hashes of the files as this command left them, by path. */
function writtenFiles(ledger: string): Written {
  try {
    return v.parse(WRITTEN, JSON.parse(readFileSync(ledger, 'utf8')));
  } catch {
    return {};
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
