import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkedProfile, fromEnvironment } from '../environment.ts';

/**
 * The config folder of this command for the current user, by the convention of the operating system; each profile has its own.
 *
 * @param profile default: the one of the environment
 * @throws UsageError if the profile cannot be the name of a folder
 */
export function configFolder(profile?: string, environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME, APPDATA } = environment;
  // An empty variable counts as not set.
  const base = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA);
  const own = join(base || join(homedir(), '.config'), 'course-progress-migration');
  const name = profile ?? fromEnvironment('profile', environment);
  return name === undefined ? own : join(own, 'profiles', checkedProfile(name));
}

/** @param folder `configFolder` */
export const journalFolder = (folder: string): string => join(folder, 'imports');

/** Replaces a file that only its owner may read, atomically: another command may read it at any moment. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
