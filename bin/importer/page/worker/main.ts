/** The worker: runs each call of the page, and sends back its result or its error. The engine is loaded with the first file. */
import { ServiceError } from '../../wire/errors.ts';
import { messageOf } from '../../engine/errors.ts';
import { isObject } from '../../engine/mapping/fields.ts';
import { signIn, signOut } from './account.ts';
import { send } from './events.ts';
import type { Call, Failure } from './protocol.ts';

const engine = () => import('./engine.ts');
const history = () => import('./history.ts');

type Engine = Awaited<ReturnType<typeof engine>>;
type History = Awaited<ReturnType<typeof history>>;
export type Api = { signIn: typeof signIn; signOut: typeof signOut } & Engine & History;

const OWN: Readonly<Record<string, unknown>> = { signIn, signOut };
const OF_HISTORY = new Set(['listRuns', 'runPage', 'learnerOf', 'cancelRun', 'planRevert', 'revertRun']);

async function stepOf(name: string): Promise<unknown> {
  if (Object.hasOwn(OWN, name)) return OWN[name];
  const module: Readonly<Record<string, unknown>> = OF_HISTORY.has(name) ? await history() : await engine();
  return module[name];
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
  const isOfService = error instanceof ServiceError;
  return {
    name: error instanceof Error ? error.name : 'Error',
    message: messageOf(error),
    status: isOfService ? error.status : undefined,
    codes: isOfService ? error.errors.map(({ error_code }) => error_code) : [],
  };
}

self.addEventListener('message', ({ data }: MessageEvent<Call>) => void run(data));
