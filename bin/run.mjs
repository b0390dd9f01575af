// `node bin/run.mjs FILE …` under any Node from 20 on: with the Node that runs it if that is 22.18 or newer, else with the one that
// `npm ci` installed, which it does for an older Node only. npm before 11.6.2 installs it without its command, which the first run adds.
// With AWS credentials at hand, no script that would use them runs with the Node of a package.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { runMain } from 'node:module';
import { constants, homedir } from 'node:os';
import { delimiter, dirname, join, relative, resolve, sep } from 'node:path';

const MODULES = resolve(import.meta.dirname, '../node_modules');
const COMMANDS = join(MODULES, '.bin');
const onWindows = process.platform === 'win32';
const [, , file = ''] = process.argv;

const CREDENTIALS = [
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
];

/** Whether the script deploys or operates, and there are credentials for it. A stand-in for AWS on this machine takes any. */
function hasCredentials() {
  if (/^http:\/\/(?:127\.0\.0\.1|localhost)\b/.test(process.env.AWS_ENDPOINT_URL ?? '')) return false;
  // The CDK sets it where it found credentials that work.
  if (file === 'bin/app.ts') return process.env.CDK_DEFAULT_ACCOUNT !== undefined;
  if (!/^bin\/operate\/(?:restore|waves)\//.test(file)) return false;
  const files = ['credentials', 'config'].map((name) => join(homedir(), '.aws', name));
  return CREDENTIALS.some((name) => process.env[name] !== undefined) || files.some((each) => existsSync(each));
}

/** The program of the one package of Node that npm installed: the one for this platform. */
function installedNode() {
  const packages = existsSync(MODULES) ? readdirSync(MODULES).filter((name) => name.startsWith('node-')) : [];
  const programs = packages.map((name) => join(MODULES, name, 'bin', onWindows ? 'node.exe' : 'node'));
  return programs.find((program) => existsSync(program));
}

function addCommand(program) {
  try {
    // On Windows npm writes three files for a command: there every run takes the program from PATH.
    if (!onWindows) symlinkSync(relative(COMMANDS, program), join(COMMANDS, 'node'));
  } catch {
    // It exists, or this user may not write here: then PATH is enough.
  }
}

/** Runs the file in a process of its own, which gets the signals of this one. Ends as it ends. */
function runWith(program) {
  process.env.PATH = [dirname(program), process.env.PATH].join(delimiter);
  const child = spawn(program, [...process.execArgv, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

// npm ends its shell when it is ended itself, and the shell its service not: `npm start &`, then `kill $!`.
if (process.env.npm_lifecycle_event === 'start') {
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 500).unref();
}

const [major, minor] = process.versions.node.split('.').map(Number);
const isNew = major > 22 || (major === 22 && minor >= 18);
const isOfPackage = existsSync(MODULES) && realpathSync(process.execPath).startsWith(realpathSync(MODULES) + sep);
const program = isNew ? undefined : installedNode();

if ((isOfPackage || program !== undefined) && hasCredentials()) {
  refuse(
    `${file} finds credentials of AWS, and refuses the Node of a package. Install Node 22.18 or newer, then run "npm ci" again (docs/deploy.md).`,
  );
} else if (isNew) {
  process.argv.splice(1, 2, resolve(file));
  runMain();
} else if (program !== undefined) {
  addCommand(program);
  runWith(program);
} else {
  refuse(
    `No Node for the scripts is in node_modules: run "npm ci", or on a platform for which it brings none (${process.platform}-${process.arch}) install Node 22.18 or newer.`,
  );
}
