/** The files that a command line names. Costs milliseconds. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inputFiles } from '../../../../bin/importer/command/files/input-files.ts';
import { TemporaryFolder } from '../../../../bin/importer/command/files/temporary.ts';
import { fileOf } from '../support/files.ts';

it('files may be named by a pattern, in order, and not twice', async () => {
  const one = fileOf('x', 'b-1.csv');
  const folder = one.slice(0, -'b-1.csv'.length);
  writeFileSync(`${folder}a-1.csv`, 'x');
  writeFileSync(`${folder}a-1.txt`, 'x');
  expect(await inputFiles([`${folder}*-?.csv`], new TemporaryFolder())).toEqual([`${folder}a-1.csv`, one]);
  await expect(inputFiles([one, one], new TemporaryFolder())).rejects.toThrow('named twice');
  await expect(inputFiles([`${folder}*.xls`], new TemporaryFolder())).rejects.toThrow('No file fits');
});
