/**
 * `npm run figures -- loop`: the cost of a developer's loop on this machine: processor time of a first and of a later `npm start`,
 * its memory when it is ready and after 200 imports, the time of loading 2,500 users with passwords, and rows a second of the command
 * with the memory at its peak: `--rows 1000000` imports a million, with the engine on disk from 100,000 on. Processor time is of all
 * processes together. For an idle machine with Linux; two minutes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ImportRecord, MigrationClient } from '../../bin/importer/client/index.ts';
import * as exported from '../importer/command/support/generate.ts';
import { runCli } from '../importer/command/support/run-cli.ts';
import { MeasuredProcess } from '../kit/process-tree.ts';
import { ADMIN, COMPANY, COMPANY_ID, courses, importOf, learners, RECORDS_PER_IMPORT } from './workload.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'figures password';
/** Rows that are too many for the memory of a small machine. */
const ON_DISK = 100_000;
const folder = mkdtempSync(join(tmpdir(), 'course-progress-migration-figures-'));
const path = (name: string): string => join(folder, name);

const figure = (name: string, value: number, unit: string, goal: string): void =>
  console.log(`${name.padEnd(44)} ${value.toFixed(value < 100 ? 1 : 0).padStart(7)} ${unit.padEnd(4)} (${goal})`);

const started: MeasuredProcess[] = [];

async function startStack(...args: string[]): Promise<{ readonly stack: MeasuredProcess; readonly url: string }> {
  const env = { LOCAL_STACK_CACHE: path('cache') };
  const stack = new MeasuredProcess(process.execPath, ['bin/local/main.ts', '--port', '0', ...args], PROJECT, env);
  started.push(stack);
  const [, url = ''] = await stack.printed(/^ready (\S+)$/m);
  return { stack, url };
}

export async function measureLoop(rows: number, imports: number): Promise<void> {
  try {
    await starts();
    await passwords();
    await memoryAfterImports(imports);
    await rowsPerSecond(rows);
  } finally {
    await Promise.all(started.map((each) => each.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function dataFile(name: string, users: number, withPasswords: number): string {
  const { cursor_key: _, ...company } = COMPANY;
  const everyone = [ADMIN, ...learners(users - 1)].map(({ user_id: id, ...user }, at) => ({
    id,
    ...user,
    ...(at < withPasswords && { password: at === 0 ? PASSWORD : `password ${at}` }),
  }));
  const content = courses(10).map((course) => ({ company_id: COMPANY_ID, ...course }));
  writeFileSync(path(name), JSON.stringify({ companies: [company], users: everyone, courses: content, progress: [] }));
  return path(name);
}

async function starts(): Promise<void> {
  for (const [name, goal] of [
    ['first start of a clone', 7],
    ['later start', 3],
  ] as const) {
    const { stack } = await startStack();
    figure(`${name}, processor time`, stack.cpuSeconds(), 's', `at most ${goal}`);
    if (goal === 3) figure('memory of all processes when ready', stack.residentMb(), 'MB', 'at most 350');
    await stack.stop();
  }
}

async function passwords(): Promise<void> {
  const { stack } = await startStack('--data', dataFile('users.json', 2500, 2500));
  figure('2,500 users with passwords, processor time', stack.cpuSeconds(), 's', 'at most 60');
  await stack.stop();
}

async function memoryAfterImports(imports: number): Promise<void> {
  const { stack, url } = await startStack('--data', dataFile('data.json', RECORDS_PER_IMPORT, 1));
  const client = new MigrationClient({ baseUrl: url, company_id: COMPANY_ID });
  await client.session.login({ email: ADMIN.email, password: PASSWORD });
  const records = Array.from({ length: imports }, (_, at) =>
    importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, { courses: at % 10 }).map((record) => ({
      ...record,
      external_record_id: `figures-${at}-${record.external_record_id}`,
    })),
  );
  await client.importAll(records.flat() as ImportRecord[]);
  figure(`memory after ${imports} imports`, stack.residentMb(), 'MB', 'at most 900');
  await stack.stop();
}

/** The memory is read while the command runs: once it has ended, it has none. */
async function rowsPerSecond(rows: number): Promise<void> {
  const people = exported.learnersOf(rows);
  exported.writeDataFile(path('export.json'), people);
  await exported.writeExport(path('history.csv'), { rows, learners: people, strangerEvery: 0 });
  writeFileSync(path('mapping.json'), JSON.stringify(exported.MAPPING));
  await import('../../bin/build/package.ts');
  const onDisk = rows >= ON_DISK ? ['--dir', path('stack')] : [];
  const { stack, url } = await startStack('--data', path('export.json'), ...onDisk);
  const desk = { cwd: folder, config: path('config') };
  const command = async (args: string[], input?: string) => {
    const finished = await runCli(desk, args, input);
    if (finished.code !== 0) throw new Error(`The command ended with ${finished.code}: ${finished.stderr}`);
    return finished;
  };
  const { email, password } = exported.ADMIN;
  await command(['login', '--url', url, '--email', email, '--password-stdin'], password);
  let mostMb = 0;
  const watch = setInterval(() => (mostMb = Math.max(mostMb, stack.residentMb())), 250);
  const from = performance.now();
  const { stdout, peakMb } = await command(['import', 'history.csv', '--mapping', 'mapping.json', '--yes', '--json']);
  const seconds = (performance.now() - from) / 1000;
  clearInterval(watch);
  const { applied } = JSON.parse(stdout) as Record<string, number>;
  if (applied !== rows) throw new Error(`${applied} of ${rows} rows were applied`);
  figure(`${rows} rows, dry run and import`, rows / seconds, '/s', 'at least 1,200');
  figure('processor time of the stack', stack.cpuSeconds(), 's', 'its start included');
  figure('most memory of the stack meanwhile', mostMb, 'MB', 'all processes');
  figure('most memory of the command', peakMb, 'MB', 'one process');
  await stack.stop();
}
