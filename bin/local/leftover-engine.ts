import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLine, isRunning } from './process-identity.ts';
import { StartupFault } from './startup-fault.ts';

const PATIENCE_MS = 3000;

/**
 * Stops an engine that outlived its parent and still holds the database. The id in the file counts only if its command line
 * names this very database: ids are given out again.
 *
 * @throws StartupFault if it does not go
 */
export async function stopLeftoverEngine(pidFile: string, database: string): Promise<void> {
  const pid = readPid(pidFile);
  if (pid === undefined) return;
  const isOurs = (): boolean => isRunning(pid) && commandLine(pid).includes(database);
  if (isOurs()) process.kill(pid, 'SIGKILL');
  const deadline = Date.now() + PATIENCE_MS;
  while (isOurs()) {
    if (Date.now() > deadline) {
      throw new StartupFault(
        `a database engine left over from another run does not stop: end process ${pid} and start again`,
      );
    }
    await pause(20);
  }
  rmSync(pidFile, { force: true });
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}
