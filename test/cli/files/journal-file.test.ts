/** Journals on disk. Costs milliseconds. */
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { journalFile, journalOfImport } from '../../../bin/cli/files/journal-file.ts';
import { Journal } from '../../../bin/importer/run/journal.ts';
import { freshFolder } from '../support/files.ts';
import { ORIGIN } from '../support/journal.ts';

it('a journal is a file of lines that only its owner can read, and survives a kill in the middle of a line', async () => {
  const folder = join(freshFolder(), 'imports');
  const journal = await Journal.open(journalFile(folder, 'one'), ORIGIN);
  await journal.accept('1', 0, 'import-a');
  const path = join(folder, 'one.ndjson');
  expect(readdirSync(folder)).toEqual(['one.ndjson']);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  appendFileSync(path, '{"kind":"accepted","run":"1","chu');
  expect([...(await Journal.read(journalFile(folder, 'one'))).accepted('1')]).toEqual([[0, 'import-a']]);
});

it('the journal of an import is found among others; a folder that does not exist has none', async () => {
  const folder = freshFolder();
  for (const name of ['one', 'two'])
    await (await Journal.open(journalFile(folder, name), ORIGIN)).accept('1', 3, `import-${name}`);
  expect((await journalOfImport(folder, 'import-two'))?.positionOf('import-two')).toBe(3);
  expect(await journalOfImport(folder, 'import-three')).toBeUndefined();
  expect(await journalOfImport(join(folder, 'nowhere'), 'import-one')).toBeUndefined();
});
