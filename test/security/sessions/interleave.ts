/**
 * Requests that overlap, in every order of their calls to the store: each call waits at a gate until the schedule lets it
 * pass, and every schedule there is gets its turn.
 */
import { Bench, type System } from './bench.ts';
import type { BenchServices } from './variants.ts';
import type { Stored } from './stored.ts';
import type { Held } from './token.ts';

/** A request on services whose calls wait at its gate; what does not go through them waits by itself. */
export type Request = (bench: Bench, gate: Gate) => Promise<Held | undefined>;

export interface Gate {
  readonly pass: () => Promise<void>;
  readonly before: (services: BenchServices) => BenchServices;
}

export interface Run {
  readonly bench: Bench;
  readonly answers: readonly (Held | undefined)[];
  /** Those given before their tokens could be verified for all of their lives. */
  readonly early: readonly Held[];
}

type Waiting = { readonly request: number; readonly open: () => void };

/** Runs the requests under every schedule; answers how many there were. */
export async function everySchedule(
  stored: Stored,
  system: System,
  requests: readonly Request[],
  judge: (run: Run) => Promise<string | undefined>,
): Promise<{ schedules: number; violation?: string }> {
  let schedule: number[] = [];
  for (let schedules = 1; ; schedules += 1) {
    const { run, choices } = await carryOut(stored, system, requests, schedule);
    const violation = await judge(run);
    if (violation !== undefined)
      return { schedules, violation: `schedule ${choices.map(({ taken }) => taken).join('')}: ${violation}` };
    const branch = choices.findLastIndex(({ taken, of }) => taken + 1 < of);
    if (branch === -1) return { schedules };
    schedule = [...choices.slice(0, branch).map(({ taken }) => taken), (choices[branch]?.taken ?? 0) + 1];
  }
}

async function carryOut(stored: Stored, system: System, requests: readonly Request[], schedule: readonly number[]) {
  const bench = await Bench.on(system, stored);
  const waiting: Waiting[] = [];
  const answers: (Held | undefined)[] = [];
  const early: Held[] = [];
  const carryOutOne = async (request: Request, at: number) => {
    const pass = () => new Promise<void>((resolve) => void waiting.push({ request: at, open: resolve }));
    const answer = await request(bench, { pass, before: (services) => gatedServices(services, pass) });
    if (answer !== undefined && !(await bench.willLast(answer))) early.push(answer);
    answers[at] = answer;
  };
  const all = Promise.all(requests.map(carryOutOne));
  const choices: { taken: number; of: number }[] = [];
  await settled();
  // A request that is not done waits at its gate.
  while (waiting.length > 0) {
    waiting.sort((one, other) => one.request - other.request);
    const taken = schedule[choices.length] ?? 0;
    choices.push({ taken, of: waiting.length });
    waiting.splice(taken, 1)[0]?.open();
    await settled();
  }
  await all;
  return { run: { bench, answers, early }, choices };
}

/** Until everything that can go on without a gate has done so. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

function gatedServices(services: BenchServices, pass: () => Promise<void>): BenchServices {
  const gated =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await pass();
      return call(...args);
    };
  const { access, sessions, signingKeys } = services;
  return {
    ...services,
    access: { readAccess: gated((key) => access.readAccess(key)) },
    sessions: {
      create: gated((session) => sessions.create(session)),
      rotate: gated((session, jti) => sessions.rotate(session, jti)),
      revoke: gated((id) => sessions.revoke(id)),
    },
    signingKeys: { ...signingKeys, publish: gated((key) => signingKeys.publish(key)) },
  };
}
