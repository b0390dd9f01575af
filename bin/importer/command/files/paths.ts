/** Names of the files that a command writes beside those that it reads. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { fileReason } from '../errors.ts';
import { UsageError } from '../../engine/errors.ts';

/** What to do if a file that `--out` names cannot be written. */
export const OUT_ADVICE = 'Free some space, or name another file with --out, then run the same command again.';

export const withoutExtension = (path: string): string => path.slice(0, path.length - extname(path).length);

/**
 * Called before anything is sent, so that a file that cannot be written is reported first.
 *
 * @param what the subject of the message: "The page"
 * @param option the option that names another file
 * @throws UsageError
 */
export function checkWritable(path: string, what: string, option: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new UsageError(`${path} is no file that can be replaced. Name another file with ${option}.`);
  const folder = dirname(resolve(path));
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `${what} cannot be written to ${folder} (${fileReason(error)}). Name another file with ${option}.`,
    );
  }
}
