/** Files that exist whole or not at all: written to a draft beside them, flushed to the disk, and renamed. */
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileReason, UsageError } from '../errors.ts';

export const withoutExtension = (path: string): string => path.slice(0, path.length - extname(path).length);

/** `name.csv`, else `name-2.csv` and so on. */
export async function freeName(name: string, isTaken: (path: string) => boolean | Promise<boolean>): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? name : `${withoutExtension(name)}-${number}${extname(name)}`;
    if (!(await isTaken(path))) return path;
  }
}

export const OUT_ADVICE = 'Free some space, or name another file with --out, then run the same command again.';

/** Only the user may read it. */
export const PRIVATE_MODE = 0o600;
/** Readable by others, as far as the umask of the user allows. */
const PUBLIC_MODE = 0o666;
const MOST_BUFFERED = 64 * 1024;

/** A file that is being written. Its errors are `UsageError`s with the path, the reason and the advice. */
export class DraftFile {
  readonly #beside: string;
  readonly #path: string;
  readonly #advice: string;
  readonly #file: number;
  #text = '';
  #isOpen = true;

  /** @param advice a sentence that says what to do if the file cannot be written */
  constructor(beside: string, advice: string, mode = PUBLIC_MODE) {
    this.#beside = beside;
    this.#path = `${beside}.${process.pid}.part`;
    this.#advice = advice;
    this.#file = refusing(beside, advice, () => openSync(this.#path, 'w', mode));
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length > MOST_BUFFERED) this.#flush();
  }

  /** Gives the file its name, in place of a file that has it. */
  commit(path = this.#beside): void {
    this.#flush();
    refusing(path, this.#advice, () => {
      fsyncSync(this.#file);
      this.#close();
      renameSync(this.#path, path);
    });
  }

  discard(): void {
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #flush(): void {
    refusing(this.#beside, this.#advice, () => writeFileSync(this.#file, this.#text));
    this.#text = '';
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/** A link stays a link; a device or a pipe is written directly. @throws UsageError */
export function writeWhole(path: string, text: string, advice: string, mode?: number): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile()) {
    refusing(path, advice, () => writeFileSync(path, text));
    return;
  }
  const draft = new DraftFile(existing === undefined ? path : realpathSync(path), advice, mode);
  try {
    draft.add(text);
    draft.commit();
  } finally {
    draft.discard();
  }
}

/** Runs a step that writes. @throws UsageError in place of an error of the operating system */
export function refusing<T>(path: string, advice: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new UsageError(`${path} cannot be written (${fileReason(error)}). ${advice}`);
  }
}
