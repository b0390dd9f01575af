/** Writes files of rejected rows. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { writePrivateFile } from './config-folder.ts';
import { UsageError } from '../../importer/errors.ts';
import { withoutExtension } from './paths.ts';

interface Target {
  /** Path to write to, even if a file exists there; else `name`. */
  readonly asked: string | undefined;
  readonly name: string;
  /** Path that is never overwritten. */
  readonly input: string;
}

/**
 * Writes a file of rejected rows and returns its path. A file that was edited is never overwritten: if a file
 * of that name is not as this command left it, the new file takes the next free number.
 *
 * @param folder where the hashes of the files that this command left are stored
 */
export async function writeRejectedFile(
  lines: AsyncIterable<string>,
  { asked, name, input }: Target,
  folder: string,
): Promise<string> {
  if (asked !== undefined && resolve(asked) === resolve(input))
    throw new UsageError(`--rejected ${asked} would overwrite the file that is imported. Name another file.`);
  const ledger = join(folder, 'rejected-files.json');
  const draft = `${resolve(asked ?? name)}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(lines), createWriteStream(draft, { mode: 0o600 }));
    const hash = await hashOf(draft);
    const written = writtenFiles(ledger);
    const path = asked ?? (await freeName(name, input, [hash, written]));
    renameSync(draft, path);
    writePrivateFile(ledger, JSON.stringify({ ...written, [resolve(path)]: hash }));
    return path;
  } finally {
    rmSync(draft, { force: true });
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
