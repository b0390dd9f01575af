import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of this user for this command, as each system wants it. */
export function configFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME, APPDATA } = environment;
  // Set to nothing is as good as not set.
  const named = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA);
  return join(named || join(homedir(), '.config'), 'course-progress-migration');
}

export const journalFolder = (): string => join(configFolder(), 'imports');
