/**
 * `npm run figures`: the cost of a developer's loop on this machine: processor time of a first and of a later `npm start`,
 * its memory when it is ready and after 200 imports, the time of loading 2,500 users with passwords, and rows a second of
 * the command (`scale:real`). Processor time is of all processes together. For an idle machine with Linux; two minutes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { MeasuredProcess } from '../kit/process-tree.ts';
import { ADMIN, COMPANY, COMPANY_ID, RECORDS_PER_IMPORT, courses, importOf, learners } from './workload.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'figures password';
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '20000' }, imports: { type: 'string', default: '200' } },
});
const folder = mkdtempSync(join(tmpdir(), 'course-progress-migration-figures-'));

const figure = (name: string, value: number, unit: string, goal: string): void =>
  console.log(`${name.padEnd(44)} ${value.toFixed(value < 100 ? 1 : 0).padStart(7)} ${unit.padEnd(4)} (${goal})`);

const measured: MeasuredProcess[] = [];

function measure(...args: string[]): MeasuredProcess {
  const started = new MeasuredProcess(process.execPath, args, PROJECT, { LOCAL_STACK_CACHE: join(folder, 'cache') });
  measured.push(started);
  return started;
}

const startStack = (...args: string[]) => measure('bin/local/main.ts', '--port', '0', ...args);

async function ready(stack: MeasuredProcess): Promise<string> {
  const [, url = ''] = await stack.printed(/^ready (\S+)$/m);
  return url;
}

function dataFile(name: string, users: number, passwords: number): string {
  const { cursor_key: _, ...company } = COMPANY;
  const everyone = [ADMIN, ...learners(users - 1)].map(({ user_id: id, ...user }, at) => ({
    id,
    ...user,
    ...(at < passwords && { password: at === 0 ? PASSWORD : `password ${at}` }),
  }));
  const file = join(folder, name);
  const content = courses(10).map((course) => ({ company_id: COMPANY_ID, ...course }));
  writeFileSync(file, JSON.stringify({ companies: [company], users: everyone, courses: content, progress: [] }));
  return file;
}

async function starts(): Promise<void> {
  for (const [name, goal] of [
    ['first start of a clone', 7],
    ['later start', 3],
  ] as const) {
    const stack = startStack();
    await ready(stack);
    figure(`${name}, processor time`, stack.cpuSeconds(), 's', `at most ${goal}`);
    if (goal === 3) figure('memory of all processes when ready', stack.residentMb(), 'MB', 'at most 350');
    await stack.stop();
  }
}

async function memoryAfterImports(imports: number): Promise<void> {
  const stack = startStack('--data', dataFile('data.json', RECORDS_PER_IMPORT, 1));
  const url = await ready(stack);
  const call = async (path: string, body?: object, token = ''): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(url + path, request)).json() as Promise<Record<string, string>>;
  };
  const login = await call('/api/v1/auth/login', { email: ADMIN.email, password: PASSWORD });
  const path = `/v1/migrations/${COMPANY_ID}/progress/imports`;
  const one = async (at: number): Promise<void> => {
    const records = importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, { learners: 0, courses: at % 10 }).map(
      (record) => ({ ...record, external_record_id: `figures-${at}-${record.external_record_id}` }),
    );
    const { import_id } = await call(path, { dry_run: false, records }, login['access_token']);
    while ((await call(`${path}/${import_id}`, undefined, login['access_token']))['status'] === 'processing')
      await pause(500);
  };
  for (let at = 0; at < imports; at += 4) await Promise.all([0, 1, 2, 3].map((offset) => one(at + offset)));
  figure(`memory after ${imports} imports`, stack.residentMb(), 'MB', 'at most 900');
  await stack.stop();
}

async function passwords(): Promise<void> {
  const stack = startStack('--data', dataFile('users.json', 2500, 2500));
  await ready(stack);
  figure('2,500 users with passwords, processor time', stack.cpuSeconds(), 's', 'at most 60');
  await stack.stop();
}

async function rowsPerSecond(rows: string): Promise<void> {
  const run = measure('test/scale/real-run.ts', '--rows', rows);
  const [, perSecond] = await run.printed(/rows_per_second: (\d+)/);
  figure(`${rows} rows, dry run and import`, Number(perSecond), '/s', 'at least 1,200');
  figure('processor time of that', run.cpuSeconds(), 's', 'the start and the command included');
  figure('memory of all processes at its end', run.residentMb(), 'MB', 'with the command');
  await new Promise((ended) => run.child.once('exit', ended));
  await run.stop();
}

try {
  await starts();
  await passwords();
  await memoryAfterImports(Number(values.imports));
  await rowsPerSecond(values.rows);
} finally {
  await Promise.all(measured.map((each) => each.stop()));
  rmSync(folder, { recursive: true, force: true });
}
