import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeptTokens, TokenStore } from '../client/index.ts';
import { configFolder } from './config-folder.ts';
import { UsageFault } from './faults.ts';

/** Who is logged in, and where. */
export interface KeptLogin {
  readonly base_url: string;
  readonly auth_base_url: string;
  readonly company_id: string;
  readonly email: string;
}

type Kept = KeptLogin & { readonly tokens?: KeptTokens };

/** Longer than any refresh takes; a lock this old was left behind by a process that was killed. */
const STALE_LOCK_MS = 25_000;

/** The login in the user's config folder, readable by that user alone; commands that run at once share it. */
export class SessionFile implements TokenStore {
  readonly #folder: string;
  readonly #path: string;

  constructor(folder: string = configFolder()) {
    this.#folder = folder;
    this.#path = join(folder, 'session.json');
  }

  login(): KeptLogin | undefined {
    return this.#kept();
  }

  /** Forgets the login before. */
  begin(login: KeptLogin): void {
    this.#put(login);
  }

  forget(): boolean {
    const was = this.#kept() !== undefined;
    rmSync(this.#path, { force: true });
    return was;
  }

  async read(): Promise<KeptTokens | undefined> {
    return this.#kept()?.tokens;
  }

  async write(tokens: KeptTokens): Promise<void> {
    const kept = this.#kept();
    if (kept !== undefined) this.#put({ ...kept, tokens });
  }

  async exclusively<T>(step: () => Promise<T>): Promise<T> {
    const lock = join(this.#folder, 'session.lock');
    while (!taken(lock)) await pause(50);
    try {
      return await step();
    } finally {
      rmSync(lock, { force: true });
    }
  }

  #kept(): Kept | undefined {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Kept;
    } catch {
      return undefined;
    }
  }

  /** Whole or not at all: another command may read it at any moment. */
  #put(kept: Kept): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.#path);
  }
}

/** @throws UsageFault where the folder cannot be written to */
function taken(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new UsageFault(`${lock} cannot be written (${code})`);
    const madeAtMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeAtMs > STALE_LOCK_MS) rmSync(lock, { force: true });
    return false;
  }
}
