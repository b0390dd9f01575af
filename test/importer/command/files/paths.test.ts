/** Names beside a file. Costs milliseconds. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkWritable, withoutExtension } from '../../../../bin/importer/command/files/paths.ts';
import { freshFolder } from '../support/files.ts';

it('withoutExtension: only the last extension is cut off', () => {
  expect(withoutExtension(join('a.b', 'history.2024.csv'))).toBe(join('a.b', 'history.2024'));
});

it('checkWritable: a folder or a device in place of the file → an error with the option to use', () => {
  for (const path of ['/dev/null', '/tmp'])
    expect(() => checkWritable(path, 'The rejected rows', '--rejected')).toThrow(
      `${path} is no file that can be replaced. Name another file with --rejected.`,
    );
});

it('checkWritable: a folder that does not exist → an error with the option to use', () => {
  expect(() => checkWritable(join(freshFolder(), 'new.csv'), 'The page', '--out')).not.toThrow();
  expect(() => checkWritable('/no/such/page', 'The page', '--out')).toThrow(
    'The page cannot be written to /no/such (there is no such file or folder). Name another file with --out.',
  );
});
