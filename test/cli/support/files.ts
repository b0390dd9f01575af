import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'migration-cli-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A new folder, deleted at the end of the suite. */
export const freshFolder = (): string => mkdtempSync(join(folder, 'f-'));

/** A file with this content in a new folder. */
export function fileOf(content: string | Buffer, name = 'history.csv'): string {
  const path = join(freshFolder(), name);
  writeFileSync(path, content);
  return path;
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
