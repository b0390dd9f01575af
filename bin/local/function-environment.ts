import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { COMPILED } from './cache.ts';

export interface FunctionSpec {
  readonly name: string;
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly timeoutMs: number;
}

export interface ThreadData {
  readonly bundleUrl: string;
  readonly compiled: string;
  readonly functionName: string;
  readonly memoryMb: number;
}

/** Events and results cross as JSON text, as they do on Lambda. */
export interface Invocation {
  readonly event: string;
  readonly requestId: string;
  readonly deadlineMs: number;
}

export type InvocationEnd =
  | { readonly result: string }
  | { readonly fault: { readonly name: string; readonly message: string } };

/** The invocation ended without a result: the handler threw, crashed or timed out. */
export class FunctionFault extends Error {
  override readonly name = 'FunctionFault';
  /** False if the execution environment has ended, so that another must replace it. */
  readonly survives: boolean;

  constructor(message: string, survives: boolean) {
    super(message);
    this.survives = survives;
  }
}

const THREAD = pathToFileURL(join(import.meta.dirname, 'function-thread.mjs'));

/** `LOCAL_STACK_PRELOAD` names a module that each thread loads first. */
const preloaded = ({ LOCAL_STACK_PRELOAD } = process.env): string[] =>
  LOCAL_STACK_PRELOAD === undefined ? [] : ['--import', LOCAL_STACK_PRELOAD];

/** Limits each thread. With Node's default of eight times that, a busy stack holds over 200 MB more. */
const YOUNG_GENERATION_MB = 6;

/** One execution environment: a thread with its own memory and environment variables, one invocation at a time. */
export class FunctionEnvironment {
  readonly #worker: Worker;
  readonly #timeoutMs: number;

  constructor(spec: FunctionSpec, onLogLine: (line: string) => void) {
    const data: ThreadData = {
      bundleUrl: pathToFileURL(join(spec.bundle, 'index.mjs')).href,
      compiled: COMPILED,
      functionName: spec.name,
      memoryMb: spec.memoryMb,
    };
    this.#timeoutMs = spec.timeoutMs;
    this.#worker = new Worker(THREAD, {
      workerData: data,
      env: { ...spec.environment },
      execArgv: preloaded(),
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      stdout: true,
      stderr: true,
    });
    // An error between invocations shows in the next one.
    this.#worker.on('error', () => undefined);
    forwardLines(this.#worker.stdout, onLogLine);
    forwardLines(this.#worker.stderr, onLogLine);
  }

  /** @param event JSON text @returns JSON text @throws FunctionFault */
  invoke(event: string, requestId: string): Promise<string> {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        settle();
      };
      const onMessage = (message: InvocationEnd): void =>
        end(() => {
          if ('result' in message) resolve(message.result);
          else reject(new FunctionFault(`${message.fault.name}: ${message.fault.message}`, true));
        });
      const onError = (error: unknown): void => end(() => reject(new FunctionFault(String(error), false)));
      const onExit = (): void => end(() => reject(new FunctionFault('the function exited', false)));
      const timer = setTimeout(() => {
        end(() => reject(new FunctionFault(`timed out after ${this.#timeoutMs} ms`, false)));
        void worker.terminate();
      }, this.#timeoutMs);
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ event, requestId, deadlineMs: Date.now() + this.#timeoutMs } satisfies Invocation);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

function forwardLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}
