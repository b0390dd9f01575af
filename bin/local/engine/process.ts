import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { COMPILED } from '../cache.ts';
import { StartupFault } from '../lifecycle.ts';

export type Engine = Awaited<ReturnType<typeof startProcess>>;

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface EngineProgram {
  readonly name: string;
  readonly host: string;
  readonly accessKeyId: string;
  readonly directory?: string | undefined;
  command(address: Address): readonly string[];
}

const GUARD = join(import.meta.dirname, 'guard.mjs');
/** The line that the guard prints if another engine has the data directory. */
const LOCKED = 'the data directory is locked';

const ATTEMPTS = 3;
const START_MS = 60_000;
const POLL_MS = 15;
const STOP_MS = 4000;

/** @throws StartupFault if it does not start, or another stack uses the directory */
export async function startProcess(program: EngineProgram) {
  const { name, host, accessKeyId, directory } = program;
  let output = '';
  // Another process may take the free port before the engine does.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const address = { host, port: await freePort(host) };
    const guard = spawnGuard(directory, program.command(address));
    guard.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4096)));
    const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
    if (await serves(guard, address)) {
      const endpoint = `http://${host}:${address.port}`;
      return { endpoint, accessKeyId, ended, stop: () => stop(guard) };
    }
    await stop(guard);
    if (output.includes(LOCKED))
      throw new StartupFault(`--dir ${directory} is in use by another local stack: stop it, or name another directory`);
  }
  throw new StartupFault(`${name} does not start: ${output.trim().split('\n').at(-1) ?? ''}`);
}

/** A loopback port that is free now; another process may take it before it is used. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function spawnGuard(directory: string | undefined, command: readonly string[]): ChildProcess {
  const lock = directory === undefined ? '' : join(directory, 'database.lock');
  // A session of its own: Ctrl-C in the terminal must not end it before this process has stopped.
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', GUARD, lock, ...command], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    windowsHide: true,
  }).on('error', () => undefined);
}

/** Waits until a DynamoDB responds at the address. @returns false if the process ends first, or takes too long */
async function serves(guard: ChildProcess, address: Address): Promise<boolean> {
  const deadline = performance.now() + START_MS;
  while (!hasEnded(guard) && performance.now() < deadline) {
    if (await isDynamoDb(address)) return true;
    await pause(POLL_MS);
  }
  return false;
}

/** A DynamoDB gives even its refusals an id. */
const isDynamoDb = (address: Address): Promise<boolean> =>
  new Promise((resolve) => {
    request({ ...address, method: 'POST', agent: false }, (response) => {
      response.destroy();
      resolve('x-amzn-requestid' in response.headers);
    })
      .on('error', () => resolve(false))
      .end('{}');
  });

async function stop(guard: ChildProcess): Promise<void> {
  if (!hasEnded(guard) && guard.pid !== undefined) {
    const ended = once(guard, 'exit');
    guard.stdin?.end();
    await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
    if (!hasEnded(guard)) guard.kill('SIGKILL');
    await ended;
  }
  guard.stdin?.destroy();
  guard.stderr?.destroy();
}

const hasEnded = (guard: ChildProcess): boolean => guard.exitCode !== null || guard.signalCode !== null;
