/**
 * The embedded DynamoDB engine (dynoxide), a process of its own. It can neither ask for credentials nor listen on a Unix
 * socket, and it allows every origin. So it listens at a random address of 127.0.0.0/8 and a random port, which no page in a
 * browser can find by trying. Only the authorising proxy is given the address.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
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
    const host = randomLoopback();
    const port = await freePort(host);
    const engine = spawnEngine(binary, { host, port }, directory);
    output = await firstOutput(engine);
    if (output.includes(`listening on http://${host}:${port}`)) return running(engine, `http://${host}:${port}`);
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

/** One of 16 million loopback addresses. Linux answers for all of them, and the engine exists for Linux only. */
const randomLoopback = (): string => ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');

/** A loopback port that is free now; another process may take it before it is used. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function spawnEngine(binary: string, { host, port }: Address, directory: string | undefined): ChildProcess {
  const options = ['--host', host, '--port', String(port)];
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

function running(engine: ChildProcess, endpoint: string): Engine {
  let stopping = false;
  const died = new Promise<void>((resolve) => {
    engine.once('exit', () => {
      if (!stopping) resolve();
    });
    if (hasEnded(engine)) resolve();
  });
  return {
    endpoint,
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
