/** The worker: runs each call of the page, and sends back its result or its error. The engine is loaded with the first file. */
import { ServiceError, ServiceUnreachable } from '../../wire/errors.ts';
import { EngineError, messageOf } from '../../engine/ground/errors.ts';
import { isObject } from '../../engine/ground/fields.ts';
import { signIn, signInWays, signOut } from './account.ts';
import * as history from './history.ts';
import { ASK, type Call, type Failure, Problem, type ProblemCode, send } from './protocol.ts';

const OWN = { signIn, signInWays, signOut, ...history };
/** Loaded once a call needs it. */
const engine = () => import('./engine.ts');

export type Api = typeof OWN & Awaited<ReturnType<typeof engine>>;

async function stepOf(name: string): Promise<unknown> {
  const steps: Readonly<Record<string, unknown>> = Object.hasOwn(OWN, name) ? OWN : await engine();
  return steps[name];
}

async function run({ id, name, args }: Call): Promise<void> {
  try {
    const step = await stepOf(name);
    if (typeof step !== 'function') throw new TypeError(`The worker has no call ${name}.`);
    const result: unknown = await step(...args);
    sendResult(id, result);
  } catch (error) {
    send({ id, failure: failureOf(error) });
  }
}

/** Items of a list in one message: the page takes them in a few milliseconds. */
const PART = 2000;

/** The long lists of a result go ahead of it. */
function sendResult(id: number, result: unknown): void {
  if (!isObject(result) || Array.isArray(result)) return send({ id, result });
  const others = Object.entries(result).filter(([member, list]) => {
    if (!Array.isArray(list) || list.length <= PART) return true;
    for (let from = 0; from < list.length; from += PART) send({ id, member, part: list.slice(from, from + PART) });
    return false;
  });
  send({ id, result: Object.fromEntries(others) });
}

function failureOf(error: unknown): Failure {
  const said = error instanceof EngineError ? error.said : undefined;
  if (error instanceof ServiceError) {
    const { status, errors } = error;
    const codes = errors.map(({ error_code }) => error_code);
    // A gateway in front of the service names no code.
    const own: ProblemCode = status === 429 ? 'too_many_requests' : 'no_service';
    return { said, codes: codes.length === 0 ? [own] : codes, value: String(status) };
  }
  const { code, value } = problemOf(error);
  return { said, codes: [code], value };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ServiceUnreachable) return new Problem('unreachable');
  // The browser refuses to read a file that is no longer as it was chosen.
  if (error instanceof DOMException && FILE_GONE.has(error.name)) return new Problem('file_changed');
  return new Problem('unexpected', messageOf(error));
}

const FILE_GONE: ReadonlySet<string> = new Set(['NotReadableError', 'NotFoundError']);

self.addEventListener('message', ({ data }: MessageEvent<Call | typeof ASK>) => {
  if (data === ASK) send({ isAlive: true });
  else void run(data);
});
