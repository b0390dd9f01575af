/** `bin/run.mjs` beside a `node_modules` with a Node that only names itself. Costs about two seconds. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { freshFolder } from './support/files.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

/** What a script prints: whether it is the entry, with which arguments, and where the command `node` is. */
const PRINTS = `import { execSync } from 'node:child_process';
console.log(process.argv[1] === import.meta.filename, process.argv.slice(2).join(' '), process.env.OF_PACKAGE, String(execSync('command -v node')).trim());
process.exitCode = 7;
`;
const WAITS = `process.on('SIGTERM', () => process.exit(5)); setTimeout(() => {}, 30_000); console.log('waits');`;

/** A project as npm before 11.6.2 installs it: with a Node, and without the command \`node\`. */
function project({ withNode }: { readonly withNode: boolean }): string {
  const folder = freshFolder();
  cpSync(join(PROJECT, 'bin/run.mjs'), join(folder, 'bin/run.mjs'));
  for (const [name, code] of Object.entries({ 'prints.ts': PRINTS, 'waits.ts': WAITS }))
    writeFileSync(join(folder, name), code);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  if (!withNode) return folder;
  mkdirSync(join(folder, 'node_modules/node-of-here/bin'), { recursive: true });
  const program = `#!/bin/sh\nOF_PACKAGE=installed exec '${process.execPath}' "$@"\n`;
  writeFileSync(join(folder, 'node_modules/node-of-here/bin/node'), program, { mode: 0o755 });
  return folder;
}

const run = (folder: string, ...before: string[]) => {
  const args = [...before, join(folder, 'bin/run.mjs'), 'prints.ts', '--port', '0'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
};

/** As if an older Node ran. */
const OLDER = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})`;

it('a script and what it starts run with the installed Node when an older one starts them', () => {
  const folder = project({ withNode: true });
  const program = join(folder, 'node_modules/node-of-here/bin/node');
  const ran = { status: 7, stdout: `true --port 0 installed ${program}`, stderr: '' };
  expect(run(folder, '--import', OLDER)).toEqual(ran);
  const link = readlinkSync(join(folder, 'node_modules/.bin/node'));
  expect(resolve(folder, 'node_modules/.bin', link)).toBe(program);
  expect(run(folder, '--import', OLDER)).toEqual(ran);
});

it('a script runs in the process of a Node that is new enough, although another is installed', () => {
  const folder = project({ withNode: true });
  expect(run(folder)).toMatchObject({ status: 7, stdout: expect.stringMatching(/^true --port 0 undefined /) });
  expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(false);
});

it('a script stops by a signal to its start, which ends as the script does', async () => {
  const folder = project({ withNode: true });
  const args = ['--import', OLDER, join(folder, 'bin/run.mjs'), 'waits.ts'];
  const child = spawn(process.execPath, args, { cwd: folder });
  const printed = text(child.stdout);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(5);
  expect(await printed).toBe('waits\n');
});

it('without an installed Node, a script runs in the process of a newer one, and an older one says what to install', () => {
  const folder = project({ withNode: false });
  expect(run(folder)).toMatchObject({ status: 7, stdout: expect.stringMatching(/^true --port 0 undefined /) });
  rmSync(join(folder, 'node_modules'), { recursive: true });
  expect(run(folder).status).toBe(7);
  const { status, stdout, stderr } = run(folder, '--import', OLDER);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^No Node for the scripts .* install Node 22\.18 or newer\.\n$/);
});

const REFUSED = { status: 1, stdout: '' };
const RUN = { status: 7, stdout: expect.stringMatching(/^true {2}undefined /) };
const BY_PACKAGE = { status: 7, stdout: expect.stringMatching(/^true {2}installed /) };
const STAND_IN = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' };

it.each([
  ['refuses the Node of a package', true, [], {}, REFUSED, /finds credentials .* Install Node 22\.18 or newer/],
  ['refuses an older Node, for which a package has another', false, ['--import', OLDER], {}, REFUSED, /of a package/],
  ['takes the Node of the machine, although a package has one', false, [], {}, RUN, /^$/],
  ['takes that of a package for a stand-in for AWS', true, [], STAND_IN, RUN, /^$/],
  ['takes that of a package under an older one for a stand-in', false, ['--import', OLDER], STAND_IN, BY_PACKAGE, /^$/],
])('where there are credentials, the CDK app %s', (_, isOfPackage, before, variables, expected, message) => {
  const folder = project({ withNode: true });
  const own = join(folder, 'node_modules/node-of-here/bin/node');
  if (isOfPackage) {
    rmSync(own);
    copyFileSync(process.execPath, own);
  }
  renameSync(join(folder, 'prints.ts'), join(folder, 'bin/app.ts'));
  const args = [...before, 'bin/run.mjs', 'bin/app.ts'];
  const env = { ...process.env, HOME: folder, CDK_DEFAULT_ACCOUNT: '1', ...variables };
  const options = { cwd: folder, encoding: 'utf8', env } as const;
  const result = spawnSync(isOfPackage ? own : process.execPath, args, options);
  expect(result).toMatchObject({ ...expected, stderr: expect.stringMatching(message) });
});
