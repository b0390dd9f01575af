/** `npm start` as a process: its output, its end, and that no process outlives it. Each test starts the whole stack. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AT_LENGTH } from '../kit/at-length.ts';
import { login, serving, useCommand } from './support/command.ts';

const { inFolder, start } = useCommand();

/** Process ids of the engines that have this test's database open. */
const enginesOfFolder = (): number[] =>
  spawnSync('pgrep', ['-f', `^[^ ]*dynoxide .*${inFolder('database.sqlite')}`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);
const onFolder = () => ['--port', '0', '--dir', inFolder()];

async function imported(url: string): Promise<string> {
  const { access_token } = (await (await login(url)).json()) as { access_token: string };
  const headers = {
    authorization: `Bearer ${access_token}`,
    'content-type': 'application/json',
    'idempotency-key': 'a',
  };
  const content = { type: 'course', platform_course_id: 101 };
  const record = {
    external_record_id: 'a',
    user: { email: 'ben.castillo@acme.test' },
    content,
    progress: { completion_pct: 40 },
  };
  const body = JSON.stringify({ dry_run: false, records: [record] });
  const response = await fetch(`${url}/v1/migrations/acme/progress/imports`, { method: 'POST', headers, body });
  return ((await response.json()) as { import_id: string }).import_id;
}

describe('npm start', () => {
  it.runIf(AT_LENGTH)(
    'the command prints the address of the page, who can log in, then that it is ready, and stops cleanly',
    async () => {
      const run = start(['--port', '0']);
      const url = await serving(run);
      const lines = [
        `the page: ${url}/`,
        'sample company acme, administrator admin@acme.test, password changeme',
        `ready ${url}`,
        '',
      ].join('\n');
      expect(run.output.out).toBe(lines);
      expect(readFileSync('README.md', 'utf8')).toContain(lines.replaceAll(url, 'http://127.0.0.1:3000'));
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

      run.process.kill('SIGTERM');
      expect(await run.ended).toBe(0);
      expect(run.output.err).toBe('');
    },
  );

  it.runIf(AT_LENGTH)(
    'the directory keeps data, sessions and key, even after kill -9, which leaves no engine, and no other stack shares it; the end of an import is printed with --verbose, and in one line that the engine died',
    async () => {
      const first = start(onFolder());
      const token = await login(await serving(first)).then((response) => response.json());
      expect(enginesOfFolder()).toHaveLength(1);
      first.process.kill('SIGKILL');
      await first.ended;
      await expect.poll(enginesOfFolder).toEqual([]);

      const second = start([...onFolder(), '--verbose']);
      const url = await serving(second);
      const [engine = 0, ...others] = enginesOfFolder();
      expect(others).toEqual([]);
      const { access_token } = token as { access_token: string };
      const profile = await fetch(`${url}/api/v1/auth/profile`, {
        headers: { authorization: `Bearer ${access_token}` },
      });
      expect(profile.status).toBe(200);

      const third = start(onFolder());
      expect(await third.ended).toBe(1);
      expect(third.output.err).toMatch(/^--dir [^\n]* is in use by another local stack[^\n]*\n$/);

      const import_id = await imported(url);
      const events = (): unknown[] =>
        second.output.err
          .split('\n')
          .filter((line) => line.startsWith('{"source":"course-progress-migration"'))
          .map((line) => JSON.parse(line));
      await expect
        .poll(events)
        .toMatchObject([{ 'detail-type': 'Import Ended', detail: { import_id, status: 'success' } }]);

      process.kill(engine, 'SIGKILL');
      expect(await second.ended).toBe(1);
      expect(second.output.err).toMatch(/^[^{\n][^\n]*engine ended unexpectedly[^\n]*$/m);
      expect(second.output.err).not.toMatch(/^\s+at /m);
    },
  );

  it.runIf(AT_LENGTH)('--reset empties the data of the directory, which no other stack uses', async () => {
    const first = start(onFolder());
    const import_id = await imported(await serving(first));
    expect(await start([...onFolder(), '--reset']).ended).toBe(1);
    first.process.kill('SIGTERM');
    await first.ended;
    const read = async (args: readonly string[]) => {
      const run = start(args);
      const url = await serving(run);
      const { access_token } = (await (await login(url)).json()) as { access_token: string };
      const headers = { authorization: `Bearer ${access_token}` };
      const { status } = await fetch(`${url}/v1/migrations/acme/progress/imports/${import_id}`, { headers });
      run.process.kill('SIGTERM');
      await run.ended;
      return status;
    };
    expect(await read(onFolder())).toBe(200);
    expect(await read([...onFolder(), '--reset'])).toBe(404);
    expect(await read(onFolder())).toBe(404);
  });

  it.runIf(AT_LENGTH).each(['database.lock', 'database.sqlite'])(
    'a start that is interrupted at %s stops cleanly',
    async (file) => {
      const run = start(onFolder());
      await expect.poll(() => existsSync(inFolder(file)), { interval: 5 }).toBe(true);
      run.process.kill('SIGINT');
      expect(await run.ended).toBe(0);
      expect(run.output.err).toBe('');
      await expect.poll(enginesOfFolder).toEqual([]);
    },
  );
});

const inFile = (name: string, text: string): string => {
  writeFileSync(inFolder(name), text);
  return inFolder(name);
};

describe.runIf(AT_LENGTH)('a start that cannot succeed', () => {
  it.each<[string, () => readonly string[], RegExp, Record<string, string>?]>([
    ['an unknown option', () => ['--prot', '1'], /^[^\n]*--prot[^\n]*usage[^\n]*\n$/],
    ['a data directory that is a file', () => ['--dir', inFile('file', '')], /^--dir [^\n]*EEXIST[^\n]*\n$/],
    ['no data file', () => ['--data', inFolder('none.json')], /^[^\n]*none\.json[^\n]*ENOENT[^\n]*\n$/],
    [
      'a data file that breaks rules',
      () => ['--data', inFile('bad.json', '{"companies":[{"company_id":"a b"}],"users":[{"id":"x"}]}')],
      /companies\.0\.company_id[\s\S]*companies\.0\.name[\s\S]*users\.0\.id/,
    ],
    [
      'a reset of a database elsewhere',
      () => ['--dir', inFolder(), '--reset'],
      /^--reset [^\n]*DYNAMODB_ENDPOINT[^\n]*\n$/,
      { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' },
    ],
    [
      'a database that does not respond',
      () => [],
      /^[^\n]*127\.0\.0\.1:9 [^\n]*\n$/,
      { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' },
    ],
  ])('startup fault: %s ends it with code 1, and what to do', async (_, args, message, env = {}) => {
    const run = start(['--port', '0', ...args()], env);
    expect(await run.ended).toBe(1);
    expect(run.output).toEqual({ out: '', err: expect.stringMatching(message) });
    expect(run.output.err).not.toMatch(/^\s+at /m);
  });
});
