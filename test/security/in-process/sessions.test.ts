/**
 * Login sessions against a model of them: every sequence of moves of a user, a thief and an administrator to a stated depth,
 * every interleaving of requests that overlap, and long random lives. Costs about half a minute.
 */
import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bench, type Held, type Stored } from '../sessions/bench.ts';
import { explore } from '../sessions/explore.ts';
import { everySchedule, type Request, type Run } from '../sessions/interleave.ts';
import { gateViolation, type Move, MOVES, opening } from '../sessions/moves.ts';
import { BROKEN, SOUND, type Variant } from '../sessions/variants.ts';
import { report, volume } from '../support/volume.ts';

const DEPTH = volume(9, 10);
const SEED = 20_260_102;

describe('moves one after another', () => {
  it(`hold to the model in every order, to a depth of ${DEPTH}`, async () => {
    const { violation, ...walked } = await explore(SOUND, DEPTH);
    expect(violation).toBeUndefined();
    report(`sessions, in sequence: ${walked.positions} positions, ${walked.moves} moves, depth ${DEPTH}, 0 violations`);
  });

  it('hold to the model over long random lives', async () => {
    const moves = array(constantFrom(...Object.values(MOVES)), { minLength: 1, maxLength: 60 });
    const lives = volume(2000, 20_000);
    const holds = asyncProperty(moves, async (life) => (await violationIn(life, SOUND)) === undefined);
    await expect(assert(holds, { numRuns: lives, seed: SEED })).resolves.toBeUndefined();
    report(`sessions, at random: ${lives} lives of up to 60 moves, 0 violations, seed ${SEED}`);
  });
});

async function violationIn(life: readonly Move[], variant: Variant): Promise<string | undefined> {
  let position = await opening(variant);
  for (const move of life) {
    const outcome = await move(position, variant);
    if (outcome === undefined) continue;
    if ('violation' in outcome) return outcome.violation;
    const violation = await gateViolation(outcome, variant);
    if (violation !== undefined) return violation;
    position = outcome;
  }
  return undefined;
}

/** A session with tokens of every age, now. */
async function aged(): Promise<{ stored: Stored; old: Held; recent: Held; current: Held }> {
  const bench = new Bench(SOUND);
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

const refresh =
  (held: Held): Request =>
  (bench, services) =>
    bench.refresh(held, services);
const deactivation: Request = async (bench, _services, pass) => {
  await pass();
  bench.stored = { ...bench.stored, isActive: false };
  return undefined;
};

/** Requests that overlap, by name; `old` among them ends the session, whenever it is judged. */
async function overlaps() {
  const { stored, old, recent, current } = await aged();
  const cases: Readonly<Record<string, readonly Request[]>> = {
    'three tabs': [refresh(current), refresh(current), refresh(current)],
    'two tabs, one behind': [refresh(current), refresh(recent), refresh(current)],
    'a tab and a replay': [refresh(current), refresh(old), refresh(current)],
    'a late reply and a replay': [refresh(recent), refresh(old), refresh(current)],
    'two replays and a tab': [refresh(old), refresh(old), refresh(current)],
    'two tabs and a deactivation': [refresh(current), refresh(current), deactivation],
    'four tabs': [refresh(current), refresh(current), refresh(current), refresh(current)],
    'two tabs, one behind, and a replay': [refresh(current), refresh(recent), refresh(current), refresh(old)],
    'a tab, a replay and a deactivation': [refresh(current), refresh(old), deactivation],
  };
  return { stored, old, cases };
}

/** How things must stand once all is quiet. */
function judgeOf(isReplayed: boolean) {
  return async ({ bench, answers }: Run): Promise<string | undefined> => {
    const given = answers.filter((answer) => answer !== undefined);
    if (bench.rotations > 1) return `${bench.rotations} rotations of one token`;
    const isStanding = bench.stored.isActive && bench.stored.session?.revoked === false;
    if (isReplayed && isStanding) return 'a replayed token did not end the session';
    const passed = await each(given, (held) => bench.passes(held));
    if (passed.some((passes) => passes !== isStanding)) return 'an access token is not judged by its session';
    const answered = await each(given, async (held) => (await bench.refresh(held)) !== undefined);
    if (answered.some((isAnswered) => isAnswered !== isStanding))
      return isStanding ? 'a tab was logged out' : 'a dead session answers';
    return undefined;
  };
}

/** One after another. */
async function each(given: readonly Held[], ask: (held: Held) => Promise<boolean>): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const held of given) answers.push(await ask(held));
  return answers;
}

async function everyOverlap(variant: Variant): Promise<{ schedules: number; violation?: string }> {
  const { stored, cases } = await overlaps();
  let schedules = 0;
  for (const [name, requests] of Object.entries(cases)) {
    const isReplayed = /replay/.test(name) && !/deactivation/.test(name);
    const ran = await everySchedule(stored, variant, requests, judgeOf(isReplayed));
    schedules += ran.schedules;
    if (ran.violation !== undefined) return { schedules, violation: `${name}, ${ran.violation}` };
  }
  return { schedules };
}

it('requests that overlap log nobody out and let no stolen session live, in every interleaving of their store calls', async () => {
  const { schedules, violation } = await everyOverlap(SOUND);
  expect(violation).toBeUndefined();
  report(`sessions, overlapping: ${schedules} interleavings of three and four requests, 0 violations`);
});

describe('a broken variant is caught', () => {
  it.each(Object.entries(BROKEN))('%s', async (name, variant) => {
    const caught = (await explore(variant, 4)).violation ?? (await everyOverlap(variant)).violation;
    expect(caught).toBeDefined();
    report(`sessions, ${name}: caught by "${caught}"`);
  });
});
