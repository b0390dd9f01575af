import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataDirectory } from './data-directory.ts';
import { engineBinary } from './engine-binary.ts';
import { freePort } from './free-port.ts';
import { stopLeftoverEngine } from './leftover-engine.ts';
import { StartupFault } from './startup-fault.ts';

/**
 * Becomes the engine, leaving a watcher behind that reads a pipe from this process: the pipe ends when this process does, by
 * whatever signal, and the watcher ends the engine. `$$` is the engine's process id, for `exec` keeps it. What it writes is
 * for its owner alone.
 */
const ENGINE_THAT_ENDS_WITH_ITS_PARENT =
  'umask 077; exec 3<&0; (cat <&3 >/dev/null; kill -9 $$) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null';

const ATTEMPTS = 3;
const START_MS = 8000;
const STOP_MS = 2000;

export interface Engine {
  readonly endpoint: string;
  /** Resolves if the engine ends although nobody stopped it. */
  readonly died: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the embedded DynamoDB on a free loopback port; its data is in memory unless there is a directory. */
export async function startEngine(directory: DataDirectory | undefined): Promise<Engine> {
  const binary = engineBinary();
  if (directory !== undefined) await stopLeftoverEngine(directory.enginePid, directory.database);
  let said = '';
  // The port may be taken between being found free and being used.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const process = spawnEngine(binary, port, directory);
    said = await firstWords(process);
    if (said.includes(`listening on http://127.0.0.1:${port}`)) return running(process, port, directory);
    await stop(process);
  }
  throw new StartupFault(`the embedded DynamoDB engine does not start: ${said.trim().split('\n').at(-1) ?? ''}`);
}

function spawnEngine(binary: string, port: number, directory: DataDirectory | undefined): ChildProcess {
  const options = ['--host', '127.0.0.1', '--port', String(port)];
  if (directory !== undefined) options.push('--db-path', directory.database);
  // A session of its own: an interrupt from the terminal must reach this process first.
  const engine = spawn('/bin/sh', ['-c', ENGINE_THAT_ENDS_WITH_ITS_PARENT, 'sh', binary, ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  if (directory !== undefined && engine.pid !== undefined) writeFileSync(directory.enginePid, String(engine.pid));
  return engine;
}

/** What the engine says until it serves, ends, or is out of time. */
async function firstWords(engine: ChildProcess): Promise<string> {
  let words = '';
  const serves = new Promise<void>((resolve) => {
    engine.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-4096);
      // The whole line: it may come in pieces.
      if (/listening on .*\n/.test(words)) resolve();
    });
  });
  const ends = new Promise<void>((resolve) => {
    engine.once('exit', () => resolve());
    engine.once('error', (error) => {
      words += error.message;
      resolve();
    });
  });
  await Promise.race([serves, ends, pause(START_MS, undefined, { ref: false })]);
  return words;
}

function running(engine: ChildProcess, port: number, directory: DataDirectory | undefined): Engine {
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
      if (directory !== undefined) rmSync(directory.enginePid, { force: true });
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
