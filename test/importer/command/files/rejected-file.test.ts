/** The files of rejected rows on this machine. Costs milliseconds. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkWritable, writeRejectedFile } from '../../../../bin/importer/command/files/rejected-file.ts';
import { fillDisk, freshFolder } from '../support/files.ts';

async function* lines(text: string) {
  yield text;
}

describe('rejected files', () => {
  it('only the owner can read rejected rows', async () => {
    const folder = freshFolder();
    const name = join(folder, 'rejected.csv');
    await writeRejectedFile(lines('ana@acme.test'), { asked: undefined, name, input: join(folder, 'history.csv') });
    expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  it('rejected rows on a full disk leave no part of a file', async () => {
    const folder = freshFolder();
    const name = join(folder, 'rejected.csv');
    fillDisk(name);
    const target = { asked: undefined, name, input: join(folder, 'history.csv') };
    await expect(writeRejectedFile(lines('x'.repeat(200_000)), target)).rejects.toThrow(/the disk is full.*--rejected/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('rejected rows never overwrite the file they come from, or a file that was edited', async () => {
    const folder = freshFolder();
    const name = join(folder, 'rejected.csv');
    const write = (text: string, asked?: string) =>
      writeRejectedFile(lines(text), { asked, name, input: join(folder, 'history.csv') });
    expect(await write('first')).toBe(name);
    expect(await write('first')).toBe(name);
    writeFileSync(name, 'corrected');
    expect(await write('first')).toBe(join(folder, 'rejected-2.csv'));
    expect(readFileSync(name, 'utf8')).toBe('corrected');
    await expect(write('fourth', join(folder, 'history.csv'))).rejects.toThrow('overwrite');
  });
});

it.each([
  ['/dev/null', '/dev/null is no file that can be replaced.'],
  ['/tmp', '/tmp is no file that can be replaced.'],
  ['/no/such/file', 'The rejected rows cannot be written to /no/such (there is no such file or folder).'],
])('checkWritable: %s → an error with the option to use', (path, problem) => {
  expect(() => checkWritable(path)).toThrow(`${problem} Name another file with --rejected.`);
  expect(() => checkWritable(join(freshFolder(), 'new.csv'))).not.toThrow();
});
