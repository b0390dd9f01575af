/** The function that loads a sandbox's data file, over the table in memory. Costs milliseconds. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSandboxData } from '../../functions/handlers/load-sandbox-data.ts';
import type { LoadEvent } from '../../functions/handlers/load-sandbox-data.ts';
import { createWorld } from '../kit/world.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'load-sandbox-data-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function load(text: string | undefined, RequestType: LoadEvent['RequestType'] = 'Create') {
  const dataFile = join(folder, 'data.json');
  if (text !== undefined) await writeFile(dataFile, text);
  return loadSandboxData({ dataFile, RequestType }, () => createWorld().services, {});
}

describe('the sandbox data loader', () => {
  it('reports what it loaded', async () => {
    const company = { company_id: 'acme', name: 'Acme', migrations_enabled: true };
    expect(await load(JSON.stringify({ companies: [company] }))).toMatchObject({
      Data: { status: 'loaded', companies: 1, users: 0 },
    });
  });

  it('does nothing when the stack is removed, file or not', async () => {
    expect(await load(undefined, 'Delete')).toMatchObject({ Data: { status: 'kept' } });
  });

  it('sums up a refusal in its first line and names one problem in each of the others', async () => {
    const error = await load('{"companies":[{}]}').catch((thrown: Error) => thrown);
    const [summary, ...problems] = (error as Error).message.split('\n');
    expect(summary).toContain(folder);
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'companies.0.company_id',
      'companies.0.name',
      'companies.0.migrations_enabled',
    ]);
  });

  it.each([[undefined], ['{']])('names the file where it is missing or no JSON: %j', async (text) => {
    await expect(load(text)).rejects.toThrow(folder);
  });
});
