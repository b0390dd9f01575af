/** The sample company with a second administrator. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE } from '../../../lib/sandbox/sample.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

export const COLLEAGUE = { id: 9001, email: 'second@acme.test', password: 'changeme' };

/** @returns the path of its data file, which is removed after the tests */
export function twoAdministrators(): string {
  const sample = JSON.parse(readFileSync(SAMPLE, 'utf8'));
  const second = {
    ...COLLEAGUE,
    company_id: 'acme',
    name: 'Noor Haddad',
    avatar: 'https://acme.test/n.png',
    role: 'admin',
    license: 'active',
  };
  const data = join(temporaryFolder('migration-two'), 'data.json');
  writeFileSync(data, JSON.stringify({ ...sample, users: [...sample.users, second] }));
  return data;
}
