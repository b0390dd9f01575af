import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirectory } from '../../bin/local/data-directory.ts';
import { StartupFault } from '../../bin/local/startup-fault.ts';

describe('a data directory', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'migration-dir-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is refused while a live stack uses it, naming that process', () => {
    const held = DataDirectory.open(folder);
    expect(() => DataDirectory.open(folder)).toThrow(new RegExp(`process id ${process.pid}`));
    held.release();
    expect(() => DataDirectory.open(folder)).not.toThrow();
  });

  it.each([
    ['a process that is gone', '4194304 1'],
    ['a process whose id was given to another since', `${process.pid} 1`],
    ['nobody, being half written', ''],
  ])('is taken over from %s', (_, lock) => {
    writeFileSync(join(folder, 'stack.pid'), lock);
    DataDirectory.open(folder);
    expect(readFileSync(join(folder, 'stack.pid'), 'utf8')).toMatch(new RegExp(`^${process.pid} \\d+$`));
  });

  it('is refused where a file stands in its place', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => DataDirectory.open(join(folder, 'file'))).toThrow(StartupFault);
  });
});
