/**
 * `npm run scale:real`: an export of a million rows (`-- --rows N`) imported by the command against `npm start`: whether every record
 * arrives, how fast, and the most memory of each process. From 100,000 rows on the engine is on disk. For an idle machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADMIN, learnersOf, MAPPING, writeDataFile, writeExport } from '../importer/command/support/generate.ts';
import { type Desk, runCli } from '../importer/command/support/run-cli.ts';
import { processTree } from '../kit/process-tree.ts';
import { StackProcess } from '../simulation/kill/stack-process.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, port: { type: 'string', default: '3977' } },
});
const SLOWEST_START_MS = 1_800_000;
/** Rows that are too many for the memory of a small machine. */
const ON_DISK = 100_000;
const rows = Number(values.rows);
const learners = learnersOf(rows);
/** Most memory of each process of the stack, in MB, by its name and id. */
const peaks = new Map<string, number>();
const url = `http://127.0.0.1:${values.port}`;

await import('../../bin/build/package.ts');
const folder = mkdtempSync(join(tmpdir(), 'course-progress-migration-scale-'));
const path = (name: string): string => join(folder, name);
const desk: Desk = { cwd: folder, config: path('config') };
writeDataFile(path('data.json'), learners);
await writeExport(path('history.csv'), { rows, learners, strangerEvery: 0 });
writeFileSync(path('mapping.json'), JSON.stringify(MAPPING));

const loading = performance.now();
const stack = new StackProcess({
  ...(rows >= ON_DISK && { dir: path('stack') }),
  data: path('data.json'),
  port: Number(values.port),
  slowestStartMs: SLOWEST_START_MS,
});
try {
  await stack.ready();
  console.log(`${learners} learners are loaded after ${seconds(loading)} s`);
  const login = ['login', '--url', url, '--email', ADMIN.email, '--password-stdin'];
  await expectSuccess(runCli(desk, login, ADMIN.password));
  const started = performance.now();
  const watching = setInterval(notePeaks, 1_000);
  const importing = ['import', 'history.csv', '--mapping', 'mapping.json', '--yes', '--json'];
  const { stdout, peakMb } = await expectSuccess(runCli(desk, importing));
  clearInterval(watching);
  notePeaks();
  const took = seconds(started);
  const { rows: read, applied, rejected } = JSON.parse(stdout) as Record<string, number>;
  console.log({
    read,
    applied,
    rejected,
    lost: rows - Number(applied) - Number(rejected),
    seconds: took,
    rows_per_second: Math.round(rows / took),
  });
  console.log({
    'the command': `${Math.round(peakMb)} MB`,
    ...Object.fromEntries([...peaks].map(([name, mb]) => [name, `${mb} MB`])),
  });
  if (applied !== rows) process.exitCode = 1;
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function expectSuccess(running: ReturnType<typeof runCli>) {
  const finished = await running;
  if (finished.code !== 0) throw new Error(`The command ended with ${finished.code}: ${finished.stderr}`);
  return finished;
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1_000);
}

function notePeaks(): void {
  for (const { pid, command, peakMb } of processTree(process.pid)) {
    if (pid === process.pid || command.includes('course-progress-migration.mjs')) continue;
    peaks.set(`${command.slice(0, 2).join(' ')} (${pid})`, Math.round(peakMb));
  }
}
