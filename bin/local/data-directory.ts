import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRunning, startTime } from './process-identity.ts';
import { StartupFault, systemCode } from './startup-fault.ts';

/** Where a stack keeps its data between runs. One live stack at a time: two would write one database file. */
export class DataDirectory {
  readonly database: string;
  readonly signingKey: string;
  readonly enginePid: string;
  readonly #lock: string;

  private constructor(path: string) {
    this.database = join(path, 'database.sqlite');
    this.signingKey = join(path, 'signing-key.pem');
    this.enginePid = join(path, 'engine.pid');
    this.#lock = join(path, 'stack.pid');
  }

  /** @throws StartupFault if the directory cannot be used, or another live stack uses it */
  static open(path: string): DataDirectory {
    const directory = new DataDirectory(resolve(path));
    try {
      mkdirSync(resolve(path), { recursive: true, mode: 0o700 });
      directory.#take(path);
    } catch (error) {
      if (error instanceof StartupFault) throw error;
      throw new StartupFault(`--dir ${path} cannot be used (${systemCode(error) ?? String(error)})`);
    }
    return directory;
  }

  release(): void {
    rmSync(this.#lock, { force: true });
  }

  #take(path: string): void {
    const own = `${process.pid} ${startTime(process.pid)}`;
    try {
      writeFileSync(this.#lock, own, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      const [pid = '', started = ''] = readFileSync(this.#lock, 'utf8').split(' ');
      if (isHolder(Number(pid), started)) {
        throw new StartupFault(
          `--dir ${path} is in use by the local stack with process id ${pid}; stop it or take another`,
        );
      }
      rmSync(this.#lock, { force: true });
      writeFileSync(this.#lock, own, { flag: 'wx', mode: 0o600 });
    }
  }
}

/** A lock that a killed stack left behind names a process that is gone, or whose id another process was given since. */
function isHolder(pid: number, started: string): boolean {
  return Number.isSafeInteger(pid) && pid > 0 && isRunning(pid) && startTime(pid) === started;
}
