/**
 * A new user of each of five systems, with nothing but the commands of docs/cli.md: at most two after the login. Costs about
 * half a minute.
 */
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

/** The lines of the block of a system. */
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
  ['udemy', () => titled(exportOf('udemy', 'activity.csv'))],
  ['learndash', () => titled(exportOf('learndash', 'courses.csv'))],
  ['cornerstone', () => exportOf('cornerstone', 'transcript-short.csv')],
  ['moodle', () => exportOf('moodle', 'progress-excel.csv')],
  ['open-edx', () => exportOf('open-edx', 'grades.csv')],
] as const;

describe('new users', () => {
  it.each(SYSTEMS)('a new user of %s imports an export with two commands', async (system, content) => {
    const commands = commandsFor(system);
    expect(commands.length).toBeLessThanOrEqual(2);
    const file = commands[0]?.[1] ?? '';
    writeFileSync(join(desk.cwd, file), content());
    const seconds: string[] = [];
    for (const words of commands) {
      const started = performance.now();
      const isImport = words[0] === 'import';
      const { code, stdout, stderr } = await runCli(desk, isImport ? [...words, '--yes', '--json'] : words);
      seconds.push(`${words[0]} ${((performance.now() - started) / 1000).toFixed(1)} s`);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
      if (!isImport) continue;
      const { applied, rejected, imports } = JSON.parse(stdout);
      expect(rejected).toBe(0);
      expect(applied).toBeGreaterThan(0);
      expect(await learnersIn(imports)).toBeGreaterThan(0);
    }
    process.stderr.write(`${system}: ${seconds.join(', ')}\n`);
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
