/** The files that a command line names: paths, patterns, and standard input. */
import { createWriteStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../../importer/errors.ts';

let spool: string | undefined;

/** Whether a file is what came from standard input. */
export const isSpooled = (path: string): boolean => spool !== undefined && dirname(path) === spool;

/**
 * Files in the order in which they are named, those of a pattern by name. A shell expands patterns itself; that of Windows
 * does not.
 *
 * @throws UsageError for a pattern that fits no file, and for a file that is named twice
 */
export async function inputFiles(names: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const name of names) {
    if (name === '-') paths.push(await spooledInput());
    else paths.push(...(/[*?]/.test(basename(name)) ? matching(name) : [name]));
  }
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice.`);
  return paths;
}

function matching(pattern: string): string[] {
  const folder = dirname(pattern);
  const source = basename(pattern)
    .replaceAll(/[\\^$.+()[\]{}|]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const matcher = new RegExp(`^${source}$`, 'u');
  const found = readdirSync(folder)
    .filter((name) => matcher.test(name) && !name.startsWith('.'))
    .toSorted()
    .map((name) => join(folder, name));
  if (found.length === 0) throw new UsageError(`No file fits ${pattern}.`);
  return found;
}

/** A file is read more than once, so standard input is stored until the command ends. */
async function spooledInput(): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageError('- reads standard input, which is a terminal. Pipe a file into the command.');
  const folder = mkdtempSync(join(tmpdir(), 'course-progress-migration-'));
  spool = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'stdin');
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
  return path;
}
