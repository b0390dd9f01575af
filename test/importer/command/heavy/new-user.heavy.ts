/** A new user of three systems, with only the two commands of docs/cli.md after the login. Costs half a minute. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MigrationClient } from '../../../../bin/importer/client/index.ts';
import { type LocalStack, startLocalStack } from '../../../../bin/local/stack.ts';
import { type Desk, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../../docs/cli.md'), 'utf8');
const EXPORTS = resolve(import.meta.dirname, '../exports');
const CREDENTIALS = { email: 'admin@acme.test', password: 'changeme' };

let stack: LocalStack;
const cwd = temporaryFolder('migration-new-user');
const desk: Desk = { cwd, config: join(cwd, 'config') };

beforeAll(async () => {
  stack = await startLocalStack({ port: 0 });
  const login = ['login', '--url', stack.url, '--email', CREDENTIALS.email, '--password-stdin'];
  const { code, stderr } = await runCli(desk, login, CREDENTIALS.password);
  if (code !== 0) throw new Error(stderr);
});

afterAll(() => stack.stop());

function commandsFor(system: string): string[][] {
  const block = new RegExp(`^\`\`\`sh ${system}\n([\\s\\S]*?)^\`\`\``, 'm').exec(PAGE)?.[1] ?? '';
  const lines = block.trim().split('\n');
  return lines.map((line) => line.replace('npx --no-install course-progress-migration ', '').split(' '));
}

/** A real export of the corpus; its courses have the titles of the sample's catalog. */
const exportOf = (system: string, name: string): Buffer => readFileSync(join(EXPORTS, system, name));
const titled = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replaceAll(',Security,', ',Information Security Essentials,')
    .replaceAll(',Welcome,', ',Welcome to Acme,');

const SYSTEMS = [
  ['udemy', () => titled(exportOf('udemy', 'activity.csv')), { rows: 3, skipped: 1, rejected: 0 }],
  ['learndash', () => titled(exportOf('learndash', 'courses.csv')), { rows: 3, skipped: 1, rejected: 0 }],
  // "Removed" has no suggestion, so its row stays out.
  ['cornerstone', () => exportOf('cornerstone', 'transcript-short.csv'), { rows: 3, skipped: 0, rejected: 1 }],
] as const;

describe('new users', () => {
  it.each(SYSTEMS)('a new user of %s imports an export with two commands', async (system, content, counts) => {
    const [find = [], send = [], ...more] = commandsFor(system);
    expect([find[0], send[0], more]).toEqual(['init-mapping', 'import', []]);
    writeFileSync(join(desk.cwd, find[1] ?? ''), content());
    const found = await runCli(desk, find);
    expect([found.code, found.stdout]).toEqual([counts.rejected === 0 ? 0 : 2, expect.stringContaining('Written to')]);
    const sent = await runCli(desk, [...send, '--yes', '--json']);
    const { imports, ...result } = JSON.parse(sent.stdout || sent.stderr);
    expect([sent.code, result]).toEqual([counts.rejected === 0 ? 0 : 1, expect.objectContaining(counts)]);
    expect(await learnersIn(imports)).toBe(2);
  });
});

/** Learners whom the service now has a percentage of. */
async function learnersIn(imports: readonly string[]): Promise<number> {
  const client = new MigrationClient({ baseUrl: stack.url, company_id: 'acme' });
  await client.session.login(CREDENTIALS);
  const learners = new Set<number>();
  for (const import_id of imports)
    for await (const { progress } of client.records(import_id)) if (progress !== null) learners.add(progress.user_id);
  return learners.size;
}
