/** The function that loads a sandbox's data file, over the table in memory. Costs milliseconds. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { login } from '../../functions/auth/login.ts';
import { loadSandboxData, type LoadEvent } from '../../functions/handlers/load-sandbox-data.ts';
import * as ENV from '../../functions/runtime/variables.ts';
import { ADMIN, COMPANY } from '../kit/api-event.ts';
import { createWorld } from '../kit/world.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'load-sandbox-data-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function load(
  text: string | undefined,
  RequestType: LoadEvent['RequestType'] = 'Create',
  { services } = createWorld(),
) {
  const dataFile = join(folder, 'data.json');
  if (text !== undefined) await writeFile(dataFile, text);
  return loadSandboxData({ dataFile, RequestType }, () => services, {});
}

describe('the sandbox data loader', () => {
  it('the loader reports the counts that it loaded', async () => {
    const company = { company_id: 'acme', name: 'Acme', migrations_enabled: true };
    expect(await load(JSON.stringify({ companies: [company] }))).toMatchObject({
      Data: { status: 'loaded', companies: 1, users: 0 },
    });
  });

  it('the password of a file on this machine is hashed at little cost; its login renews the hash at the full one', async () => {
    const company = { company_id: COMPANY.company_id, name: 'Acme', migrations_enabled: true };
    const { user_id: id, ...row } = ADMIN;
    const world = createWorld({ cost: { ln: 11, r: 8, p: 1 } });
    await load(
      JSON.stringify({ companies: [company], users: [{ id, ...row, password: 'changeme' }] }),
      'Create',
      world,
    );
    const stored = async () =>
      (await world.stores.directory.users(COMPANY.company_id, [ADMIN.email], true)).get(ADMIN.email)?.password_hash;
    expect(await stored()).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$/);
    const attempt = { email: ADMIN.email, password: 'changeme', sourceIp: '192.0.2.1' };
    expect((await login(world.services, attempt, world.clock.nowMs())).kind).toBe('success');
    expect(await stored()).toMatch(/^\$scrypt\$ln=11,r=8,p=1\$/);
  });

  it('a deployed loader makes no hash, writes each user in one call, and logs how far it is', async () => {
    const password_hash = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const company = { company_id: 'acme', name: 'Acme', migrations_enabled: true };
    const { user_id: _, ...row } = ADMIN;
    const users = Array.from({ length: 2_500 }, (_user, id) => ({
      ...row,
      id,
      email: `u${id}@acme.test`,
      password_hash,
    }));
    await writeFile(join(folder, 'sandbox-data.json'), JSON.stringify({ companies: [company], users }));
    let writes = 0;
    const world = createWorld({
      observe: ({ constructor: { name } }) => void (writes += Number(name === 'TransactWriteCommand')),
    });
    const unused = async (): Promise<never> => Promise.reject(new Error('A hash was computed.'));
    const services = { ...world.services, passwords: { ...world.services.passwords, hash: unused, verify: unused } };
    const environment = { [ENV.sandboxDataFile]: join(folder, 'sandbox-data.json') };
    const { Data } = await loadSandboxData({ RequestType: 'Create' }, () => services, environment);
    expect(Data).toMatchObject({ status: 'loaded', users: 2_500 });
    expect(writes).toBe(2_500);
    const shown = world.telemetry.lines.filter(({ message }) => message === 'The data file is being loaded.');
    expect(shown.map(({ fields }) => fields['done'])).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500]);
  });

  it('the loader does nothing when the stack is removed, with or without a file', async () => {
    expect(await load(undefined, 'Delete')).toMatchObject({ Data: { status: 'kept' } });
  });

  it('the first line of a refusal sums it up, and each further line names one problem', async () => {
    const error = await load('{"companies":[{}]}').catch((thrown: Error) => thrown);
    const [summary, ...problems] = (error as Error).message.split('\n');
    expect(summary).toContain(folder);
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'companies.0.company_id',
      'companies.0.name',
      'companies.0.migrations_enabled',
    ]);
  });

  it.each([[undefined], ['{']])('the loader names a file that is missing or not JSON: %j', async (text) => {
    await expect(load(text)).rejects.toThrow(folder);
  });
});
