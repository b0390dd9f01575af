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

export type ThreadData = FunctionSpec & { readonly compiled: string };

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
  #current: PromiseWithResolvers<string> | undefined;

  constructor(spec: FunctionSpec, onLogLine: (line: string) => void) {
    this.#timeoutMs = spec.timeoutMs;
    this.#worker = new Worker(THREAD, {
      workerData: { ...spec, compiled: COMPILED } satisfies ThreadData,
      env: { ...spec.environment },
      execArgv: preloaded(),
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      stdout: true,
      stderr: true,
    });
    this.#worker
      .on('message', (end: InvocationEnd) => {
        if ('result' in end) this.#current?.resolve(end.result);
        else this.#fail(`${end.fault.name}: ${end.fault.message}`, true);
      })
      .on('error', (error) => this.#fail(String(error)))
      .on('exit', () => this.#fail('the function exited'));
    forwardLines(this.#worker.stdout, onLogLine);
    forwardLines(this.#worker.stderr, onLogLine);
  }

  /** @param event JSON text @returns JSON text @throws FunctionFault */
  async invoke(event: string, requestId: string): Promise<string> {
    const { promise } = (this.#current = Promise.withResolvers<string>());
    const timer = setTimeout(() => {
      this.#fail(`timed out after ${this.#timeoutMs} ms`);
      void this.#worker.terminate();
    }, this.#timeoutMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage({ event, requestId, deadlineMs: Date.now() + this.#timeoutMs } satisfies Invocation);
    return promise.finally(() => clearTimeout(timer));
  }

  #fail(message: string, survives = false): void {
    this.#current?.reject(new FunctionFault(message, survives));
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

function forwardLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}
