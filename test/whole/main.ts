/**
 * `npm run check:whole`: everything once, for a release, one suite after another. Prints the result and the time of
 * each, and writes docs/releases/checked.md if all passed. Takes hours.
 *
 *   --only TEXT   the suites whose command has this text; writes nothing
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RUNS, typed, type Run } from './runs.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PAGE = join(PROJECT, 'docs/releases/checked.md');
const { values } = parseArgs({ options: { only: { type: 'string' } } });

/** As a shell that never ran npm: an installation by the Node of a package would remove that package. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.startsWith(join(PROJECT, 'node_modules')))
  .join(delimiter);

interface Result {
  readonly run: Run;
  readonly passed: boolean;
  readonly minutes: string;
}

function resultOf(run: Run): Result {
  console.log(`\n== ${typed(run)}`);
  const startedMs = performance.now();
  // As in CI, a suite that a machine cannot run fails.
  const env = { ...process.env, PATH, CI: 'true', ...run.env };
  const { status } = spawnSync(run.command, { cwd: PROJECT, env, shell: true, stdio: 'inherit' });
  return { run, passed: status === 0, minutes: ((performance.now() - startedMs) / 60_000).toFixed(1) };
}

/** The first line of the version that a command prints. */
function versionOf(command: string, ...args: string[]): string {
  const { stdout, stderr, error } = spawnSync(command, args, { cwd: PROJECT, encoding: 'utf8' });
  return error === undefined ? ((stdout.trim() || stderr.trim()).split('\n')[0] ?? '') : `no ${command}`;
}

function pageOf(results: readonly Result[]): string {
  const tools = [
    `Node ${process.versions.node}`,
    `npm ${versionOf('npm', '--version')}`,
    versionOf('java', '-version'),
    versionOf('python3', '--version'),
    versionOf('go', 'version'),
    versionOf(process.env['CHROMIUM'] ?? 'chromium', '--version'),
  ];
  const rows = results.map(({ run, minutes }) => `| \`${typed(run)}\` | passed | ${minutes} |`);
  return [
    '# Checked for a release',
    '',
    'What `npm run check:whole` wrote when it last passed: every suite whole, where CI runs a share of it',
    '([contribute.md](../contribute.md#how-often-each-runs)).',
    '',
    `- Commit: ${versionOf('git', 'rev-parse', 'HEAD')}`,
    `- Day: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${process.platform} ${process.arch}, ${availableParallelism()} cores`,
    `- With: ${tools.join('; ')}`,
    '',
    '| command | result | minutes |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const { only } = values;
const isRelease = only === undefined;
const unclean = versionOf('git', 'status', '--porcelain');
if (isRelease && (unclean !== '' || !existsSync(join(PROJECT, '.git')))) {
  console.error('A release is checked in a clone without changes, so that its page names the commit.');
  process.exit(1);
}
const results = RUNS.filter((run) => only === undefined || typed(run).includes(only)).map((run) => resultOf(run));
console.log('');
for (const { run, passed, minutes } of results)
  console.log(`${passed ? 'passed' : 'FAILED'}  ${minutes.padStart(6)} min  ${typed(run)}`);
const isGood = results.length > 0 && results.every(({ passed }) => passed);
if (isGood && isRelease) writeFileSync(PAGE, pageOf(results));
process.exitCode = isGood ? 0 : 1;
