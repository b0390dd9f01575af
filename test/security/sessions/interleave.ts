/**
 * Requests that overlap, in every order of their calls to the store: each call waits at a gate until the schedule lets it
 * pass, and every schedule there is gets its turn.
 */
import type { SessionServices } from '../../../functions/workflow/sessions.ts';
import { Bench, type Held, type Stored } from './bench.ts';
import type { Variant } from './variants.ts';

/** A request on services whose calls wait at a gate; what does not go through them waits by itself. */
export type Request = (bench: Bench, services: SessionServices, pass: () => Promise<void>) => Promise<Held | undefined>;

export interface Run {
  readonly bench: Bench;
  readonly answers: readonly (Held | undefined)[];
}

type Gate = { readonly request: number; readonly open: () => void };

/** Runs the requests under every schedule; answers how many there were. */
export async function everySchedule(
  stored: Stored,
  variant: Variant,
  requests: readonly Request[],
  judge: (run: Run) => Promise<string | undefined>,
): Promise<{ schedules: number; violation?: string }> {
  let schedule: number[] = [];
  for (let schedules = 1; ; schedules += 1) {
    const { run, choices } = await carryOut(stored, variant, requests, schedule);
    const violation = await judge(run);
    if (violation !== undefined)
      return { schedules, violation: `schedule ${choices.map(({ taken }) => taken).join('')}: ${violation}` };
    const branch = choices.findLastIndex(({ taken, of }) => taken + 1 < of);
    if (branch === -1) return { schedules };
    schedule = [...choices.slice(0, branch).map(({ taken }) => taken), (choices[branch]?.taken ?? 0) + 1];
  }
}

async function carryOut(stored: Stored, variant: Variant, requests: readonly Request[], schedule: readonly number[]) {
  const bench = new Bench(variant, stored);
  const gates: Gate[] = [];
  const answers: (Held | undefined)[] = [];
  const carryOutOne = async (request: Request, at: number) => {
    const pass = () => new Promise<void>((resolve) => void gates.push({ request: at, open: resolve }));
    answers[at] = await request(bench, gatedServices(bench.services, pass), pass);
  };
  const all = Promise.all(requests.map(carryOutOne));
  const choices: { taken: number; of: number }[] = [];
  await settled();
  // A request that is not done waits at a gate.
  while (gates.length > 0) {
    gates.sort((one, other) => one.request - other.request);
    const taken = schedule[choices.length] ?? 0;
    choices.push({ taken, of: gates.length });
    gates.splice(taken, 1)[0]?.open();
    await settled();
  }
  await all;
  return { run: { bench, answers }, choices };
}

/** Until everything that can go on without a gate has done so. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

function gatedServices(services: SessionServices, pass: () => Promise<void>): SessionServices {
  const gated =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await pass();
      return call(...args);
    };
  const { access, sessions } = services;
  return {
    ...services,
    access: { readAccess: gated((key) => access.readAccess(key)) },
    sessions: {
      create: (session) => sessions.create(session),
      rotate: gated((session, jti) => sessions.rotate(session, jti)),
      revoke: gated((id) => sessions.revoke(id)),
    },
  };
}
