import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'migration-cli-'));
let count = 0;

/** A file of this content in a folder of its own; the name is what the test says. */
export function fileOf(content: string | Buffer, name = 'history.csv'): string {
  count += 1;
  const path = join(mkdtempSync(join(folder, `${count}-`)), name);
  writeFileSync(path, content);
  return path;
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
