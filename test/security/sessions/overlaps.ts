/** Tabs, replays, a deactivation and a change of the signing key that overlap, and how things must stand once all is quiet (§5). */
import { Bench, type System } from './bench.ts';
import { everySchedule, type Request, type Run } from './interleave.ts';
import type { Stored } from './stored.ts';
import type { Held } from './token.ts';
import { SOUND_SERVICES } from './variants.ts';

/** Every overlap in every interleaving; answers how many there were. */
export async function everyOverlap(system: System): Promise<{ schedules: number; violation?: string }> {
  const tokens = await tokensOfEveryAge(system);
  let schedules = 0;
  for (const [name, requests] of Object.entries(overlapsOf(tokens))) {
    // A replay is not noticed in a session whose user is inactive.
    const isReplayed = /replay/.test(name) && !/deactivation/.test(name);
    const ran = await everySchedule(tokens.stored, system, requests, judgeOf(tokens, isReplayed));
    schedules += ran.schedules;
    if (ran.violation !== undefined) return { schedules, violation: `${name}, ${ran.violation}` };
  }
  return { schedules };
}

interface Tokens {
  /** A session of which the tokens are, now. */
  readonly stored: Stored;
  readonly old: Held;
  readonly recent: Held;
  readonly current: Held;
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

async function refreshed(bench: Bench, held: Held): Promise<Held> {
  const answer = await bench.refresh(held);
  if (answer === undefined) throw new Error('the refresh was refused');
  return answer;
}

/** In the functions that are deployed when it begins. */
const refresh =
  (held: Held): Request =>
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

const deactivation = atAnyTime(async (bench) => {
  bench.stored = { ...bench.stored, isActive: false };
  return undefined;
});

const nextKey = atAnyTime(async (bench) => {
  bench.signWithNextKey();
  return undefined;
});

/** By name; `old` among the tokens ends the session, whenever it is judged. */
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
  };
}

/** How things must stand once all is quiet. */
function judgeOf({ stored, current }: Tokens, isReplayed: boolean) {
  return async ({ bench, answers, early }: Run): Promise<string | undefined> => {
    const given = answers.filter((answer) => answer !== undefined);
    const rotations = bench.stored.rotations - stored.rotations;
    if (rotations > 1) return `${rotations} rotations of one token`;
    const isStanding = bench.stored.isActive && bench.stored.sessions[current.refresh.session_id]?.revoked === false;
    if (isReplayed && isStanding) return 'a replayed token did not end the session';
    if (early.length > 0) return 'a token leaves before its key is published for long enough';
    const passed = await each(given, (held) => bench.passes(held));
    if (passed.includes(!isStanding)) return 'an access token is not judged by its session';
    const answered = await each(given, async (held) => (await bench.refresh(held)) !== undefined);
    if (answered.includes(!isStanding)) return isStanding ? 'a tab was logged out' : 'a dead session answers';
    return undefined;
  };
}

/** One after another. */
async function each(given: readonly Held[], ask: (held: Held) => Promise<boolean>): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const held of given) answers.push(await ask(held));
  return answers;
}
