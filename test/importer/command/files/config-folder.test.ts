/** The folder of sessions and journals, and journals on disk. Costs milliseconds. */
import { appendFileSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UsageError } from '../../../../bin/importer/command/errors.ts';
import { configFolder, journalFile } from '../../../../bin/importer/command/files/config-folder.ts';
import { Journal } from '../../../../bin/importer/engine/run/journal.ts';
import { freshFolder } from '../support/files.ts';

const FOLDER = join('/c', 'course-progress-migration');

it.each([
  [undefined, FOLDER],
  ['staging', join(FOLDER, 'profiles', 'staging')],
])('configFolder: the profile %s → %s', (profile, folder) => {
  expect(configFolder(profile, { XDG_CONFIG_HOME: '/c' })).toBe(folder);
});

it.each(['../..', 'a/b', String.raw`a\b`, '-x', '', 'a'.repeat(65), 'a b'])('a profile cannot be named %j', (name) => {
  expect(() => configFolder(name)).toThrow(UsageError);
});

it('a journal is a file of lines that only its owner can read, and survives a kill in the middle of a line', async () => {
  const folder = join(freshFolder(), 'imports');
  const journal = await Journal.read(journalFile(folder, 'one'));
  await journal.accept('1', 0, 'import-a');
  const path = join(folder, 'one.ndjson');
  expect(readdirSync(folder)).toEqual(['one.ndjson']);
  expect(readFileSync(path, 'utf8').split('\n').filter(Boolean)).toHaveLength(1);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  appendFileSync(path, '{"kind":"accepted","run":"1","chu');
  await (await Journal.read(journalFile(folder, 'one'))).accept('1', 1, 'import-b');
  const again = await Journal.read(journalFile(folder, 'one'));
  expect([...again.accepted('1').values()]).toEqual(['import-a', 'import-b']);
});

it('a journal on a full disk ends the command with the reason and what to do, not with a stack trace', async () => {
  const folder = freshFolder();
  symlinkSync('/dev/full', join(folder, 'one.ndjson'));
  const refused = journalFile(folder, 'one').append('{}');
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(/one\.ndjson cannot be written \(the disk is full\)\. .*XDG_CONFIG_HOME/);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expect(journalFile(join(file, 'imports'), 'one').append('{}')).rejects.toThrow(UsageError);
});
