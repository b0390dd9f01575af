/**
 * A large export against the local stack: memory, kills, and a service that goes away. Each row is one record of one
 * (user, course) pair; every 1,000th names an unknown learner. 5,000 rows: about two minutes.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../../bin/local/stack.ts';
import { MigrationClient } from '../../../../bin/importer/client/index.ts';
import { type CountingProxy, startCountingProxy } from '../support/counting-proxy.ts';
import {
  ADMIN,
  COMPANY,
  exportRow,
  HEADER,
  learnersOf,
  MAPPING,
  writeDataFile,
  writeExport,
} from '../support/generate.ts';
import { type Desk, runCli, startCli } from '../support/run-cli.ts';
import { textRow, workbookOf } from '../support/workbook.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';

const ROWS = Number(process.env['CLI_ROWS'] ?? 5000);
const LEARNERS = learnersOf(ROWS);
const STRANGERS = Math.floor(ROWS / 1000);
const PARALLEL = 4;
const KILLS = 5;
const WORKBOOK_ROWS = Math.min(ROWS, 100_000);
const MOST_MB = 150;

const folder = temporaryFolder('migration-big');
const desk: Desk = { cwd: folder, config: join(folder, 'config') };
let stack: LocalStack;

const path = (name: string): string => join(folder, name);
const stackOptions = (port: number) => ({ port, data: path('data.json'), dir: path('stack') });

beforeAll(async () => {
  writeDataFile(path('data.json'), LEARNERS);
  await writeExport(path('history.csv'), { rows: ROWS, learners: LEARNERS, strangerEvery: 1000 });
  // The same pairs under other ids: every test imports records that the service has not seen.
  for (const name of ['joined', 'killed', 'left', 'waited']) {
    await writeExport(path(`${name}.csv`), { rows: ROWS, learners: LEARNERS, strangerEvery: 1000, prefix: name });
  }
  for (const name of ['history', 'killed']) writeWorkbook(path(`${name}.xlsx`), `${name}-in-excel`);
  writeFileSync(path('mapping.json'), JSON.stringify(MAPPING));
  writeFileSync(path('joining.json'), JSON.stringify({ ...MAPPING, group_by: ['E-mail address', 'Course'] }));
  stack = await startLocalStack(stackOptions(0));
});

afterAll(() => stack.stop());

function sizeOf(file: string): { readonly size: number; readonly strangers: number } {
  const size = file.endsWith('.xlsx') ? WORKBOOK_ROWS : ROWS;
  return { size, strangers: Math.floor(size / 1000) };
}

function writeWorkbook(file: string, prefix: string): void {
  const shape = { rows: WORKBOOK_ROWS, learners: LEARNERS, strangerEvery: 1000, prefix };
  const rows = Array.from({ length: WORKBOOK_ROWS }, (_, i) => textRow(i + 2, exportRow(i, shape).split(',')));
  writeFileSync(file, workbookOf({ sheets: { Export: textRow(1, HEADER.split(',')) + rows.join('') } }));
}

async function logIn(url: string): Promise<void> {
  const { code, stderr } = await runCli(
    desk,
    ['login', '--url', url, '--email', ADMIN.email, '--password-stdin'],
    ADMIN.password,
  );
  expect(stderr).toBe('');
  expect(code).toBe(0);
}

const importArgs = (file: string, ...more: string[]): string[] => [
  'import',
  file,
  '--mapping',
  file === 'joined.csv' ? 'joining.json' : 'mapping.json',
  '--yes',
  '--json',
  ...more,
];

describe(`an export of ${ROWS} rows, or ${WORKBOOK_ROWS} in a workbook`, () => {
  it.each(['history.csv', 'history.xlsx', 'joined.csv'])(
    '%s is imported in flat memory, and the summary adds up to its rows',
    async (file) => {
      const { size, strangers } = sizeOf(file);
      await logIn(stack.url);
      const { code, stdout, peakMb } = await runCli(desk, importArgs(file));
      const { rows, applied, updated, unchanged, rejected, rejected_by_reason } = JSON.parse(stdout);
      process.stderr.write(`${file}, ${size} rows: peak memory ${Math.round(peakMb)} MB\n`);
      expect({ rows, applied, updated, unchanged, rejected }).toEqual({
        rows: size,
        applied: size - strangers,
        updated: 0,
        unchanged: 0,
        rejected: strangers,
      });
      expect(rejected_by_reason).toEqual({ user_not_found: strangers });
      expect(code).toBe(1);
      expect(peakMb).toBeLessThanOrEqual(MOST_MB);
    },
  );

  it.each(['killed.csv', 'killed.xlsx'])(
    `%s, killed ${KILLS} times in its dry run, is imported once, and only what was not accepted is sent again`,
    async (file) => {
      const proxy: CountingProxy = await startCountingProxy(stack.url);
      await logIn(proxy.url);
      const { size, strangers } = sizeOf(file);
      const chunks = Math.ceil(size / 500);
      let peakMb = 0;
      /** Dry runs that were sent again although an earlier command had recorded that the service accepted them. */
      const needless: (string | undefined)[] = [];
      const sentAgainBy = async <T>(run: () => Promise<T>): Promise<T> => {
        const noted = notedImports();
        const before = proxy.sentAgain.length;
        const result = await run();
        needless.push(...proxy.sentAgain.slice(before).filter((id) => id !== undefined && noted.has(id)));
        return result;
      };
      for (let kill = 1; kill <= KILLS; kill += 1) {
        await sentAgainBy(async () => {
          const running = startCli(desk, importArgs(file, '--parallel', String(PARALLEL)));
          const enough = Math.floor((chunks * kill) / (KILLS + 2));
          while (proxy.accepted.size < enough && running.process.exitCode === null) await pause(2);
          expect(running.process.kill('SIGKILL')).toBe(true);
          const killed = await running.finished;
          expect(killed.code).toBeNull();
          peakMb = Math.max(peakMb, killed.peakMb);
        });
      }
      const { stdout, ...last } = await sentAgainBy(() => runCli(desk, importArgs(file)));
      peakMb = Math.max(peakMb, last.peakMb);
      proxy.stop();
      const { rows, applied, rejected, imports, dry_runs_resumed, dry_runs_sent } = JSON.parse(stdout);
      process.stderr.write(
        `${KILLS} kills: ${chunks} dry runs, ${proxy.sentAgain.length} sent again, ${dry_runs_resumed} resumed at the end, peak memory ${Math.round(peakMb)} MB\n`,
      );
      expect(peakMb).toBeLessThanOrEqual(MOST_MB);
      expect({ rows, applied, rejected }).toEqual({ rows: size, applied: size - strangers, rejected: strangers });
      expect(new Set(imports).size).toBe(chunks);
      expect(dry_runs_resumed + dry_runs_sent).toBe(chunks);
      expect(proxy.sent.size).toBe(chunks);
      expect(proxy.findings).toEqual([]);
      expect(needless).toEqual([]);
      // A kill can only lose the responses that were on their way.
      expect(proxy.sentAgain.length).toBeLessThanOrEqual(KILLS * PARALLEL);
      expect(await importsOnTheService(imports)).toBe(chunks);
    },
  );

  it('the service goes on with a plan whose command was killed, and the same command shows what became of it', async () => {
    await logIn(stack.url);
    const running = startCli(desk, importArgs('left.csv'));
    while (!running.stderr().includes('goes on if this command ends') && running.process.exitCode === null)
      await pause(5);
    expect(running.process.kill('SIGKILL')).toBe(true);
    expect((await running.finished).code).toBeNull();
    const client = await adminOf(stack);
    const [left] = (await client.listRuns({ limit: 1 })).runs;
    expect(left?.run_id).toMatch(/^left-/);
    const ended = await client.waitForRun(left?.run_id ?? '');
    expect(ended).toMatchObject({ plan: { status: 'applied' }, counts: { total: ROWS, succeeded: ROWS - STRANGERS } });
    expect((await runCli(desk, ['runs', ended.run_id])).stdout).toContain('It is applied.');
    const { stdout } = await runCli(desk, importArgs('left.csv'));
    const { applied, rejected, run_id, dry_runs_sent } = JSON.parse(stdout);
    expect({ applied, rejected, run_id, dry_runs_sent }).toEqual({
      applied: ROWS - STRANGERS,
      rejected: STRANGERS,
      run_id: ended.run_id,
      dry_runs_sent: 0,
    });
  });

  it('the command waits for a service that goes away, reports it, and resumes', async () => {
    const port = Number(new URL(stack.url).port);
    await logIn(stack.url);
    const running = startCli(desk, importArgs('waited.csv'));
    while (!running.stderr().includes('goes on if') && running.process.exitCode === null) await pause(20);
    await stack.stop();
    while (!running.stderr().includes('; retrying in') && running.process.exitCode === null) await pause(20);
    stack = await startLocalStack(stackOptions(port));
    const { stdout, stderr, code } = await running.finished;
    expect(stderr).toContain('The service is back; resuming.');
    const { rows, applied, rejected } = JSON.parse(stdout);
    expect({ rows, applied, rejected, code }).toEqual({
      rows: ROWS,
      applied: ROWS - STRANGERS,
      rejected: STRANGERS,
      code: 1,
    });
  });
});

async function adminOf({ url }: LocalStack): Promise<MigrationClient> {
  const client = new MigrationClient({ baseUrl: url, company_id: COMPANY });
  await client.session.login(ADMIN);
  return client;
}

/** How many of these the service lists: each once, none but real ones. */
async function importsOnTheService(ids: readonly string[]): Promise<number> {
  const listed: string[] = [];
  for await (const { dry_run, import_id } of (await adminOf(stack)).imports({ limit: 100 }))
    if (!dry_run) listed.push(import_id);
  return listed.filter((id) => ids.includes(id)).length;
}

function notedImports(): ReadonlySet<string> {
  const journals = join(desk.config, 'course-progress-migration', 'imports');
  if (!existsSync(journals)) return new Set();
  const lines = readdirSync(journals).flatMap((name) => readFileSync(join(journals, name), 'utf8').split('\n'));
  return new Set(lines.flatMap((line) => /"import_id":"([^"]+)"/.exec(line)?.[1] ?? []));
}
