// Runs a file, and all that it starts, with the Node that `npm ci` installed: `node bin/run.mjs FILE …`. Must run under any Node from
// 20 on, because npm before 11.6.2 installs that Node without its command: it deletes `node_modules/.bin/node` when it leaves out the
// packages of the other platforms. The first run adds the command, so that every later one starts with that Node and in one process.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { runMain } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';

const MODULES = resolve(import.meta.dirname, '../node_modules');
const COMMANDS = join(MODULES, '.bin');
const onWindows = process.platform === 'win32';

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

// npm ends its shell when it is ended itself, and the shell its service not: `npm start &`, then `kill $!`.
if (process.env.npm_lifecycle_event === 'start') {
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 500).unref();
}

const [major, minor] = process.versions.node.split('.').map(Number);
const program = installedNode();

if (program !== undefined && realpathSync(program) !== realpathSync(process.execPath)) {
  addCommand(program);
  runWith(program);
} else if (program !== undefined || major > 24 || (major === 24 && minor >= 2)) {
  process.argv.splice(1, 2, resolve(process.argv[2]));
  runMain();
} else {
  process.stderr.write(
    `No Node for the scripts is in node_modules: run "npm ci", or on a platform for which it brings none (${process.platform}-${process.arch}) install Node 24.2 or newer.\n`,
  );
  process.exitCode = 1;
}
