import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';
import { PRIVATE_MODE, refusing, writeWhole } from './whole-file.ts';
import type { JournalStore } from '../../engine/run/journal.ts';

/** By the convention of the system; each profile has its own. @throws UsageError if the profile names no folder */
export function configFolder(profile?: string, environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME, APPDATA } = environment;
  const base = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA);
  const own = join(base || join(homedir(), '.config'), 'course-progress-migration');
  return profile === undefined ? own : join(own, 'profiles', checkedProfile(profile));
}

function checkedProfile(name: string): string {
  if (/^[A-Za-z0-9][\w-]{0,63}$/.test(name)) return name;
  throw new UsageError(
    `"${name.slice(0, 100)}" cannot be the name of a profile. Use up to 64 letters, digits, - and _, beginning with a letter or digit.`,
  );
}

const CONFIG_ADVICE =
  'Free some space, or name another config folder with XDG_CONFIG_HOME (APPDATA on Windows), then run the same command again.';

/** Makes the config folder, or a folder in it, for its owner alone. @throws UsageError */
const makePrivateFolder = (folder: string): void =>
  refusing(folder, CONFIG_ADVICE, () => void mkdirSync(folder, { recursive: true, mode: 0o700 }));

/** Replaces a file that only its owner may read: another command may read it at any moment. @throws UsageError */
export function writePrivateFile(path: string, text: string): void {
  makePrivateFolder(dirname(path));
  writeWhole(path, text, CONFIG_ADVICE, PRIVATE_MODE);
}

const EXTENSION = '.ndjson';

const ADVICE = `The import keeps there which batches were accepted, so no more of them are sent. ${CONFIG_ADVICE}`;

/** @param name `journalName` */
export function journalFile(folder: string, name: string): JournalStore {
  const path = join(folder, `${name}${EXTENSION}`);
  return {
    async read() {
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    },
    async append(line) {
      makePrivateFolder(folder);
      // On a line of its own: a disk that was full, or a kill, may have left a part of one before it. Synchronous, so that it
      // exists if the process is killed right after it.
      refusing(path, ADVICE, () => appendFileSync(path, `\n${line}\n`, { mode: PRIVATE_MODE }));
    },
  };
}
