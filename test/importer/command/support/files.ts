import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folders: string[] = [];

/** A new folder, deleted at the end of the test file. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'migration-cli-'));
  folders.push(folder);
  return folder;
}

/** Called after each test file: a worker keeps this module for the next one. */
export function deleteFreshFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The sources of the package in a new folder, with the packages of this clone. */
export function copyOfSources(): string {
  const project = resolve(import.meta.dirname, '../../../..');
  const copy = freshFolder();
  for (const name of ['bin', 'docs/openapi.json', 'functions', 'lib', 'package.json', 'tsconfig.json'])
    cpSync(join(project, name), join(copy, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

export function fileOf(content: string | Buffer, name = 'history.csv'): string {
  const path = join(freshFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** As if the disk were full when this process writes the file: its draft is the device that has no space. */
export const fillDisk = (path: string): void => symlinkSync('/dev/full', `${path}.${process.pid}.part`);

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
