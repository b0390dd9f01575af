import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageFault } from '../faults.ts';

/**
 * Writes a file of rejected rows and answers its path. A name of ours is never put over a file that somebody may have worked
 * on: if one stands there that is not as we left it, the next free number is taken.
 */
export class RejectedFile {
  readonly #ledger: string;

  /** @param folder where it is remembered which files are as we left them */
  constructor(folder: string) {
    this.#ledger = join(folder, 'rejected-files.json');
  }

  /** @param asked path to write to, whatever stands there; else `name` in the working folder. @param input path never to overwrite */
  async write(
    lines: AsyncIterable<string>,
    target: { asked: string | undefined; name: string; input: string },
  ): Promise<string> {
    const { asked, name, input } = target;
    if (asked !== undefined && resolve(asked) === resolve(input))
      throw new UsageFault(`--rejected ${asked} would overwrite the file that is imported`);
    const draft = `${resolve(asked ?? name)}.${process.pid}.part`;
    try {
      await pipeline(Readable.from(lines), createWriteStream(draft));
      const path = asked ?? (await this.#freeName(name, input, await hashOf(draft)));
      renameSync(draft, path);
      this.#remember(path, await hashOf(path));
      return path;
    } finally {
      rmSync(draft, { force: true });
    }
  }

  async #freeName(name: string, input: string, hash: string): Promise<string> {
    const extension = extname(name);
    const stem = name.slice(0, name.length - extension.length);
    for (let number = 1; ; number += 1) {
      const path = number === 1 ? name : `${stem}-${number}${extension}`;
      if (resolve(path) === resolve(input)) continue;
      if (!existsSync(path)) return path;
      const standing = await hashOf(path);
      if (standing === hash || standing === this.#remembered()[resolve(path)]) return path;
    }
  }

  #remembered(): Record<string, string> {
    try {
      return JSON.parse(readFileSync(this.#ledger, 'utf8')) as Record<string, string>;
    } catch {
      return {};
    }
  }

  #remember(path: string, hash: string): void {
    mkdirSync(dirname(this.#ledger), { recursive: true, mode: 0o700 });
    writeFileSync(this.#ledger, JSON.stringify({ ...this.#remembered(), [resolve(path)]: hash }), { mode: 0o600 });
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
