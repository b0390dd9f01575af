import { createWriteStream, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileReason, UsageError } from '../errors.ts';
import { TEMPORARY_ADVICE, type TemporaryFolder } from './temporary.ts';
import { PRIVATE_MODE } from './whole-file.ts';

/** In the order named, those of a pattern by name. Standard input is stored, to be read twice. @throws UsageError */
export async function inputFiles(names: readonly string[], folder: TemporaryFolder): Promise<string[]> {
  const paths: string[] = [];
  for (const name of names) {
    if (name === '-') paths.push(await standardInput(folder));
    else paths.push(...(/[*?]/.test(basename(name)) ? matching(name) : [name]));
  }
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice.`);
  return paths;
}

async function standardInput(folder: TemporaryFolder): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageError('- reads standard input, which is a terminal. Pipe a file into the command.');
  const path = folder.path('stdin');
  await pipeline(process.stdin, createWriteStream(path, { mode: PRIVATE_MODE })).catch((error: unknown) => {
    throw new UsageError(`Standard input cannot be stored in ${path} (${fileReason(error)}). ${TEMPORARY_ADVICE}`);
  });
  return path;
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
