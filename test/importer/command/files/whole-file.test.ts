/** Files that are written whole or not at all, with a full disk too. Costs milliseconds. */
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../bin/importer/command/errors.ts';
import { withoutExtension, writeWhole } from '../../../../bin/importer/command/files/whole-file.ts';
import { fillDisk, freshFolder } from '../support/files.ts';

describe('writeWhole', () => {
  it('a file on a full disk stays as it was, and the message says why and what to do', () => {
    const path = join(freshFolder(), 'mapping.json');
    writeFileSync(path, 'before');
    fillDisk(path);
    expect(() => writeWhole(path, 'after', 'Free some space.')).toThrow(
      new UsageError(`${path} cannot be written (the disk is full). Free some space.`),
    );
    expect(readFileSync(path, 'utf8')).toBe('before');
  });

  it('a new file on a full disk does not exist afterwards, and no draft of it', () => {
    const folder = freshFolder();
    const path = join(folder, 'mapping.json');
    fillDisk(path);
    expect(() => writeWhole(path, 'x'.repeat(200_000), '')).toThrow('the disk is full');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a file is replaced, with its mode, and a link to it stays a link', () => {
    const folder = freshFolder();
    const [path, link] = [join(folder, 'one.json'), join(folder, 'link.json')];
    symlinkSync(path, link);
    writeWhole(path, 'first', '', 0o600);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeWhole(link, 'second', '');
    expect([readFileSync(path, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['second', true]);
    expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'one.json']);
  });

  it('a device is written, not replaced', () => {
    writeWhole('/dev/null', 'text', '');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(() => writeWhole('/dev/full', 'text', '')).toThrow('the disk is full');
  });
});

it('withoutExtension: only the last extension is cut off', () => {
  expect(withoutExtension(join('a.b', 'history.2024.csv'))).toBe(join('a.b', 'history.2024'));
});
