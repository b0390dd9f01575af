/** The client of the sample: its key is made once, used again, and goes nowhere else. Costs milliseconds. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { registerSampleClient } from '../../bin/local/sample-client.ts';
import { readClientKey } from '../../bin/importer/command/session/client-key.ts';
import { applyMessage } from '../../functions/platform/apply-facts.ts';
import { createWorld } from '../kit/world.ts';

let file: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sample-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, 'key.json');
});

it('the key is made for its owner alone, is used again, and only its public half is registered', async () => {
  const { services, stores } = createWorld();
  const intake = (message: unknown) => applyMessage(message, services);
  await registerSampleClient(file, intake, 1);
  const key = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await registerSampleClient(file, intake, 2);
  expect(readFileSync(file, 'utf8')).toBe(key);
  const client = await stores.clients.read('sample');
  expect(client).toMatchObject({ company_id: 'acme', keys: [{ kid: 'sample' }] });
  expect(client?.keys[0]?.jwk).not.toHaveProperty('d');
  expect(await readClientKey(file)).toMatchObject({ kid: 'sample', client_id: 'sample', alg: 'ES256' });
});

it.each(['', 'text', '{}'])('a file with %j is refused, and kept', async (content) => {
  writeFileSync(file, content);
  await expect(registerSampleClient(file, async () => ({}), 1)).rejects.toThrow('--client-key');
  expect(readFileSync(file, 'utf8')).toBe(content);
});
