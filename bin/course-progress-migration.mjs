#!/usr/bin/env -S node --optimize-for-size --max-semi-space-size=2
// Starts the migration command in little memory. It runs as built; in a clone whose sources are newer than what was built,
// as the sources stand, which only the Node of the package understands. Must itself run under any Node from 20 on.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FLAGS = ['--optimize-for-size', '--max-semi-space-size=2'];
const BUILT = new URL('../dist/cli.js', import.meta.url);
const SOURCE = new URL('./cli.ts', import.meta.url);

const entry = isBuilt() ? BUILT : SOURCE;
const hasFlags = FLAGS.every((flag) => process.execArgv.includes(flag));
if (hasFlags && (entry === BUILT || majorVersion() >= 24)) await import(entry.href);
else runWith(entry === BUILT ? process.execPath : packagedNode());

function majorVersion() {
  return Number(process.versions.node.split('.')[0]);
}

function isBuilt() {
  if (!existsSync(BUILT)) return false;
  if (!existsSync(SOURCE)) return true;
  const builtAt = statSync(BUILT).mtimeMs;
  const sources = ['./cli/', './client/', '../functions/records/', '../functions/shared/', '../lib/openapi/'].flatMap(
    (folder) => {
      const url = new URL(folder, import.meta.url);
      return readdirSync(url, { recursive: true }).map((name) => new URL(name, url));
    },
  );
  return [SOURCE, ...sources].every((source) => statSync(source).mtimeMs <= builtAt);
}

function packagedNode() {
  if (majorVersion() >= 24) return process.execPath;
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    process.stderr.write('This command has not been built. Run "npm ci" first.\n');
    return process.exit(2);
  }
}

/** The channel ends with this process, however it ends, and the other one with the channel. */
function runWith(node) {
  const args = [...FLAGS, fileURLToPath(entry), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // The terminal interrupts both at once; the other one says what there is to say.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
