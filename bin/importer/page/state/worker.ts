/** Calls of the worker, which has the engine, the tokens and the files. */
import type { Api } from '../worker/main.ts';
import type { Answer, Call, Failure, PageEvent } from '../worker/protocol.ts';
import { current, update } from './store.ts';

/** The name of the file of the worker, filled in by the build. */
declare const WORKER: string;

/** Trusted Types, which no library of types has. Absent in browsers that do not know them. */
declare const trustedTypes:
  | {
      createPolicy(
        name: string,
        rules: { createScriptURL(text: string): string },
      ): { createScriptURL(text: string): URL };
    }
  | undefined;

export class WorkerError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

interface Pending {
  readonly lists: Record<string, unknown[]>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: WorkerError) => void;
}

const pending = new Map<number, Pending>();
let calls = 0;

/** The one policy of the page makes the address of its worker and nothing else. */
const rules = {
  createScriptURL(text: string): string {
    if (text !== WORKER) throw new TypeError('The page starts no other script.');
    return new URL(text, import.meta.url).href;
  },
};
const address =
  typeof trustedTypes === 'undefined'
    ? rules.createScriptURL(WORKER)
    : trustedTypes.createPolicy('page', rules).createScriptURL(WORKER);

const worker = new Worker(address, { type: 'module' });

worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
  if ('event' in data) return follow(data.event);
  const call = pending.get(data.id);
  if (call === undefined) return;
  if ('part' in data) {
    (call.lists[data.member] ??= []).push(...data.part);
    return;
  }
  pending.delete(data.id);
  if ('failure' in data) call.reject(new WorkerError(data.failure));
  else call.resolve(withLists(data.result, call.lists) as never);
});

let shown: ReturnType<typeof setTimeout> | undefined;

/** Takes what the worker reports into the state of the page. */
function follow(event: PageEvent): void {
  if (event.kind === 'signed out') update({ isSignedOut: true });
  if (event.kind === 'meter') update({ meters: { ...current().meters, [event.meter.step]: event.meter.done } });
  if (event.kind !== 'waiting') return;
  clearTimeout(shown);
  update({ waiting: { isAway: event.isAway, seconds: Math.ceil(event.delayMs / 1000) } });
  shown = setTimeout(() => update({ waiting: undefined }), event.delayMs + 500);
}

const withLists = (result: unknown, lists: Pending['lists']): unknown =>
  Object.keys(lists).length === 0 ? result : { ...(result as object), ...lists };

type Step = { readonly [Name in keyof Api]: Api[Name] extends (...args: never) => unknown ? Name : never }[keyof Api];

/** @throws WorkerError */
export function call<Name extends Step>(
  name: Name,
  ...args: Parameters<Api[Name]>
): Promise<Awaited<ReturnType<Api[Name]>>> {
  calls += 1;
  const request: Call = { id: calls, name, args };
  return new Promise((resolve, reject) => {
    pending.set(request.id, { lists: {}, resolve, reject });
    worker.postMessage(request);
  });
}
