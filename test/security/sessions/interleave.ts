/**
 * Requests that overlap, in every order of their calls to the store: each call waits at a gate until the schedule lets it
 * pass, and every schedule there is gets its turn.
 */
import { Bench, type System } from './bench.ts';
import { type BenchServices, SOUND_SERVICES } from './variants.ts';
import type { Stored, ClientTokens } from './services.ts';

/** A request on services whose calls wait at its gate; what does not go through them waits by itself. */
export type Request = (bench: Bench, gate: Gate) => Promise<ClientTokens | undefined>;

export interface Gate {
  readonly pass: () => Promise<void>;
  readonly before: (services: BenchServices) => BenchServices;
}

export interface Run {
  readonly bench: Bench;
  readonly answers: readonly (ClientTokens | undefined)[];
  /** Those given before their tokens could be verified for all of their lives. */
  readonly early: readonly ClientTokens[];
}

type Waiting = { readonly request: number; readonly open: () => void };

/** Runs the requests under every schedule. Returns how many there were. */
export async function everySchedule(
  stored: Stored,
  system: System,
  requests: readonly Request[],
  check: (run: Run) => Promise<string | undefined>,
): Promise<{ schedules: number; violation?: string }> {
  let schedule: number[] = [];
  for (let schedules = 1; ; schedules += 1) {
    const { run, choices } = await carryOut(stored, system, requests, schedule);
    const violation = await check(run);
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
  const answers: (ClientTokens | undefined)[] = [];
  const early: ClientTokens[] = [];
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
  const { access, sessions, signingKeys, platform } = services.stores;
  return {
    ...services,
    stores: {
      access: { readAccess: gated((key) => access.readAccess(key)) },
      sessions: {
        create: gated((session) => sessions.create(session)),
        rotate: gated((session, jti) => sessions.rotate(session, jti)),
        revoke: gated((id) => sessions.revoke(id)),
      },
      signingKeys: { ...signingKeys, publish: gated((key) => signingKeys.publish(key)) },
      platform: {
        knownUsers: gated((ids) => platform.knownUsers(ids)),
        saveUser: gated((id, before, next) => platform.saveUser(id, before, next)),
      },
    },
  };
}

/**
 * Tabs, replays, a deactivation and a change of the signing key that overlap, in every interleaving; and what must hold once
 * all is quiet (§5). Returns how many interleavings there were.
 */
export async function everyOverlap(system: System): Promise<{ schedules: number; violation?: string }> {
  const tokens = await tokensOfEveryAge(system);
  let schedules = 0;
  for (const [name, requests] of Object.entries(overlapsOf(tokens))) {
    const mustEnd = /replay|deactivation|logout|end of/.test(name) || /ends of/.test(name);
    const ran = await everySchedule(tokens.stored, system, requests, expectationOf(tokens, mustEnd));
    schedules += ran.schedules;
    if (ran.violation !== undefined) return { schedules, violation: `${name}, ${ran.violation}` };
  }
  return { schedules };
}

interface Tokens {
  /** A session of which the tokens are, now. */
  readonly stored: Stored;
  readonly old: ClientTokens;
  readonly recent: ClientTokens;
  readonly current: ClientTokens;
}

async function tokensOfEveryAge({ keys }: System): Promise<Tokens> {
  const bench = await Bench.on({ keys, variant: SOUND_SERVICES });
  const old = await bench.login();
  const recent = await refreshed(bench, old);
  bench.stored = { ...bench.stored, nowMs: bench.stored.nowMs + 31_000 };
  const current = await refreshed(bench, recent);
  bench.stored = { ...bench.stored, nowMs: bench.stored.nowMs + 1000 };
  return { stored: bench.stored, old, recent, current };
}

async function refreshed(bench: Bench, held: ClientTokens): Promise<ClientTokens> {
  const answer = await bench.refresh(held);
  if (answer === undefined) throw new Error('the refresh was refused');
  return answer;
}

/** In the functions that are deployed when it begins. */
const refresh =
  (held: ClientTokens): Request =>
  (bench, gate) =>
    bench.refresh(held, gate.before(bench.services));

const login: Request = (bench, gate) => bench.login(gate.before(bench.services));

/** Begins at any moment among the calls of the others. */
const atAnyTime =
  (request: Request): Request =>
  async (bench, gate) => {
    await gate.pass();
    return request(bench, gate);
  };

/** What ends all that there is. */
const ending = (how: (bench: Bench, services: BenchServices) => Promise<unknown>): Request =>
  atAnyTime(async (bench, gate) => {
    await how(bench, gate.before(bench.services));
    return undefined;
  });
const deactivation = ending((bench, services) => bench.hear({ license: 'inactive' }, services));
const endOfSessions = ending((bench, services) => bench.endSessions(services));
const rename = ending((bench, services) => bench.hear({ name: 'B' }, services));
const logoutOf = (held: ClientTokens): Request => ending((bench, services) => bench.logout(held, services));

const nextKey = atAnyTime(async (bench) => {
  bench.signWithNextKey();
  return undefined;
});

/** By name; `old` among the tokens ends the session, whenever it is processed. */
function overlapsOf({ old, recent, current }: Tokens): Readonly<Record<string, readonly Request[]>> {
  return {
    'three tabs': [refresh(current), refresh(current), refresh(current)],
    'two tabs, one behind': [refresh(current), refresh(recent), refresh(current)],
    'a tab and a replay': [refresh(current), refresh(old), refresh(current)],
    'a late reply and a replay': [refresh(recent), refresh(old), refresh(current)],
    'two replays and a tab': [refresh(old), refresh(old), refresh(current)],
    'two tabs and a deactivation': [refresh(current), refresh(current), deactivation],
    'two tabs and the next key': [refresh(current), atAnyTime(refresh(current)), nextKey],
    'two tabs, one behind, and the next key': [refresh(current), atAnyTime(refresh(recent)), nextKey],
    'a tab, a replay and the next key': [refresh(current), atAnyTime(refresh(old)), nextKey],
    'a replay, a tab and the next key': [refresh(old), atAnyTime(refresh(current)), nextKey],
    'a tab, a login and the next key': [refresh(current), atAnyTime(login), nextKey],
    'two tabs and two keys': [refresh(current), atAnyTime(refresh(current)), nextKey, nextKey],
    'four tabs': [refresh(current), refresh(current), refresh(current), refresh(current)],
    'two tabs, one behind, and a replay': [refresh(current), refresh(recent), refresh(current), refresh(old)],
    'a tab, a replay and a deactivation': [refresh(current), refresh(old), deactivation],
    'two tabs and a logout': [refresh(current), refresh(current), logoutOf(current)],
    'a late reply, a tab and a logout': [refresh(recent), refresh(current), logoutOf(old)],
    'two tabs and an end of the sessions': [refresh(current), refresh(current), endOfSessions],
    'a tab, a login and an end of the sessions': [refresh(current), login, endOfSessions],
    'a fact about the user and an end of the sessions': [rename, endOfSessions],
    'a fact about the user and two ends of the sessions': [rename, endOfSessions, endOfSessions],
  };
}

/** What must hold once all is quiet. */
function expectationOf({ stored, current }: Tokens, mustEnd: boolean) {
  return async ({ bench, answers, early }: Run): Promise<string | undefined> => {
    const given = answers.filter((answer) => answer !== undefined);
    const rotations = bench.stored.rotations - stored.rotations;
    if (rotations > 1) return `${rotations} rotations of one token`;
    const isLive = await bench.passes(current);
    if (mustEnd === isLive) return isLive ? 'what ends a session did not end it' : 'a session ended by itself';
    if (early.length > 0) return 'a token leaves before its key is published for long enough';
    const passed = await each(given, (held) => bench.passes(held));
    if (passed.includes(!isLive)) return 'an access token does not follow its session';
    const answered = await each(given, async (held) => (await bench.refresh(held)) !== undefined);
    if (answered.includes(!isLive)) return isLive ? 'a tab was logged out' : 'a dead session answers';
    return undefined;
  };
}

/** One after another. */
async function each(given: readonly ClientTokens[], ask: (held: ClientTokens) => Promise<boolean>): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const held of given) answers.push(await ask(held));
  return answers;
}
