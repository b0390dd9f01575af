/** The embedded DynamoDB engine (dynoxide), a process of its own on a loopback port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupFault } from './lifecycle.ts';

const LOCKED = 'the data directory is locked';

/**
 * `sh -c SCRIPT sh <lock file, or empty> <engine> <options>`. Two guarantees, both kept by the kernel:
 *
 * - One engine per data directory. The engine inherits the lock and holds it until it ends, however it ends. The engine of
 *   a stack that was just killed gets three seconds to go.
 * - The engine does not outlive this process. A watcher reads a pipe from this process; the pipe ends when this process
 *   does, by whatever signal, and the watcher kills the engine. `exec` keeps the process id `$$`.
 *
 * The engine's files are readable by their owner only.
 */
const SCRIPT = `
umask 077
exec 3<&0
if [ -n "$1" ]; then
  exec 9>"$1"
  flock -w 3 9 || { [ $? -eq 1 ] && echo '${LOCKED}' >&2; exit 1; }
fi
shift
(cat <&3 >/dev/null; kill -9 $$) >/dev/null 2>&1 9>&- &
exec "$@" 3<&- </dev/null`;

const ATTEMPTS = 3;
const START_MS = 8000;
const STOP_MS = 2000;

export interface Engine {
  readonly endpoint: string;
  /** Resolves if the engine ends without being stopped. */
  readonly died: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the engine.
 *
 * @param directory where its data stays between runs; default: in memory
 * @throws StartupFault if there is no engine for this platform, it does not start, or another stack uses the directory
 */
export async function startEngine(directory?: string): Promise<Engine> {
  const binary = engineBinary();
  let output = '';
  // Another process may take the free port before the engine does.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const engine = spawnEngine(binary, port, directory);
    output = await firstOutput(engine);
    if (output.includes(`listening on http://127.0.0.1:${port}`)) return running(engine, port);
    await stop(engine);
    if (output.includes(LOCKED))
      throw new StartupFault(`--dir ${directory} is in use by another local stack: stop it, or name another directory`);
  }
  throw new StartupFault(`the embedded DynamoDB engine does not start: ${output.trim().split('\n').at(-1) ?? ''}`);
}

function engineBinary(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    const binary = join(dirname(manifest), 'dynoxide');
    if (existsSync(binary)) return binary;
  } catch {
    // An optional dependency, for one platform: it may not be installed.
  }
  throw new StartupFault(
    `no embedded DynamoDB engine for ${process.platform}-${process.arch}: start DynamoDB Local and set ` +
      'DYNAMODB_ENDPOINT=http://127.0.0.1:8000',
  );
}

/** A loopback port that is free now; another process may take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function spawnEngine(binary: string, port: number, directory: string | undefined): ChildProcess {
  const options = ['--host', '127.0.0.1', '--port', String(port)];
  if (directory !== undefined) options.push('--db-path', join(directory, 'database.sqlite'));
  const lock = directory === undefined ? '' : join(directory, 'database.lock');
  // A session of its own: Ctrl-C in the terminal must not end it before this process has stopped.
  return spawn('/bin/sh', ['-c', SCRIPT, 'sh', lock, binary, ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
}

/** The engine's output until it serves, ends, or has taken too long. */
async function firstOutput(engine: ChildProcess): Promise<string> {
  let output = '';
  const serves = new Promise<void>((resolve) => {
    engine.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4096);
      // The line may arrive in pieces.
      if (/listening on .*\n/.test(output)) resolve();
    });
  });
  const ends = new Promise<void>((resolve) => {
    engine.once('close', () => resolve());
    engine.once('error', (error) => {
      output += error.message;
      resolve();
    });
  });
  await Promise.race([serves, ends, pause(START_MS, undefined, { ref: false })]);
  return output;
}

function running(engine: ChildProcess, port: number): Engine {
  let stopping = false;
  const died = new Promise<void>((resolve) => {
    engine.once('exit', () => {
      if (!stopping) resolve();
    });
    if (hasEnded(engine)) resolve();
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    died,
    async stop() {
      stopping = true;
      await stop(engine);
    },
  };
}

async function stop(engine: ChildProcess): Promise<void> {
  if (!hasEnded(engine) && engine.pid !== undefined) {
    const ended = once(engine, 'exit');
    engine.kill('SIGTERM');
    await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
    if (!hasEnded(engine)) {
      engine.kill('SIGKILL');
      await ended;
    }
  }
  engine.stdin?.destroy();
  engine.stderr?.destroy();
}

const hasEnded = (engine: ChildProcess): boolean => engine.exitCode !== null || engine.signalCode !== null;
