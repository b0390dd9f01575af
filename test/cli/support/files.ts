import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'migration-cli-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of its own, gone when the suite is done. */
export const freshFolder = (): string => mkdtempSync(join(folder, 'f-'));

/** A file of this content in a folder of its own; the name is what the test says. */
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
