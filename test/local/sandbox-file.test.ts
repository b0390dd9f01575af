/** The data file as it is deployed. Costs a few password hashes and one build, about two seconds. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleSandboxData } from '../../bin/build/build.ts';
import { builtStack } from '../../bin/local/built-stack.ts';
import { deployableFile, sampleFile } from '../../bin/build/sandbox-file.ts';
import { scryptPasswords } from '../../functions/auth/passwords.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import { SAMPLE } from '../../lib/sandbox/sample.ts';
import { file, user } from '../platform/small-file.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const STACK = 'course-progress-migration-acme-sandbox';
const PASSWORD = 'a clear password';
const folder = temporaryFolder('sandbox-file');

const passwords = scryptPasswords(secureRandom);
const withPasswords = {
  ...file,
  note: PASSWORD,
  users: [
    { ...user, password: PASSWORD },
    { ...user, id: 8, email: 'bo@acme.test', password: PASSWORD },
    { ...user, id: 9, email: 'cy@acme.test', password: 'another one' },
  ],
};
const deployable = (value: unknown, stack = STACK) => deployableFile(Buffer.from(JSON.stringify(value)), stack);
type Users = { users: { password_hash?: string }[] };
const hashesIn = (bytes: Uint8Array) =>
  (JSON.parse(String(bytes)) as Users).users.map(({ password_hash }) => password_hash ?? '');

describe('the deployed data file', () => {
  it('the asset has hashes in the place of passwords: no password is anywhere in the asset', async () => {
    const { bundles } = await builtStack();
    const asset = await bundleSandboxData(join(bundles, 'load-sandbox-data'), await deployable(withPasswords), folder);
    for (const name of readdirSync(asset.folder))
      expect(readFileSync(join(asset.folder, name), 'utf8')).not.toContain(PASSWORD);
    const [ana = ''] = hashesIn(readFileSync(join(asset.folder, 'sandbox-data.json')));
    expect(await passwords.verify(PASSWORD, ana)).toBe(true);
  });

  it('the asset is the same whenever it is built, and salted for each password and stack', async () => {
    const [first, again, other] = [
      await deployable(withPasswords),
      await deployable(withPasswords),
      await deployable(withPasswords, 'another-stack'),
    ];
    expect(Buffer.compare(first, again)).toBe(0);
    const [ana, bo, cy] = hashesIn(first);
    expect(ana).toBe(bo);
    const salts = [ana, cy, hashesIn(other)[0]].map((phc) => phc?.split('$')[3]);
    expect(new Set(salts).size).toBe(3);
  });

  it('no asset is made of a file that breaks a rule: every problem is named', async () => {
    const broken = { ...file, users: [{ ...user, email: 'x', role: 'owner' }] };
    await expect(deployable(broken)).rejects.toThrow(/\nusers\.0\.email: .*\nusers\.0\.role: /);
    await expect(deployableFile(Buffer.from('{'), STACK)).rejects.toThrow('well-formed JSON');
  });
});

it('the sample gets a password of the stack’s own, which is shown once', async () => {
  const shown: string[][] = [];
  const sample = () => sampleFile(STACK, (...login) => void shown.push(login), join(folder, 'kept'));
  const [first, again] = [await sample(), await sample()];
  expect(Buffer.compare(first, again)).toBe(0);
  expect(shown).toHaveLength(1);
  const [[email, password = ''] = []] = shown;
  expect([email, password.length]).toEqual(['admin@acme.test', 20]);
  expect(String(first)).not.toContain('"password"');
  const [hash] = hashesIn(first);
  expect([await passwords.verify(password, hash), await passwords.verify('changeme', hash)]).toEqual([true, false]);
  const kept = join(folder, 'kept', `${STACK}.json`);
  expect([readFileSync(kept, 'utf8').includes(password), statSync(kept).mode & 0o777]).toEqual([false, 0o600]);
  expect(readFileSync(SAMPLE, 'utf8')).toContain('changeme');
});
