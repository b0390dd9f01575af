import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of this user for this command, as each system wants it. */
export function configFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME, APPDATA } = environment;
  const base = XDG_CONFIG_HOME ?? (process.platform === 'win32' ? APPDATA : undefined) ?? join(homedir(), '.config');
  return join(base, 'course-progress-migration');
}

export const journalFolder = (): string => join(configFolder(), 'imports');
