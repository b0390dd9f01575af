/** Requests that overlap: tabs, replays, a deactivation, a change of the signing key, with store calls in random orders. */
import * as fc from 'fast-check';
import type { PublishedKey } from '../../../functions/auth/tokens.ts';
import type { Services } from '../../kit/world.ts';
import type { ClientTokens } from './clients.ts';
import { Life, type System } from './life.ts';
import { violationOf } from './moves.ts';

/** A request whose calls to the stores wait for the scheduler. */
type Request = (life: Life, at: Schedule) => Promise<ClientTokens | undefined>;

interface Schedule {
  /** Until its turn comes. */
  readonly pass: () => Promise<void>;
  readonly before: (services: Services) => Services;
}

interface Tokens {
  readonly old: ClientTokens;
  readonly recent: ClientTokens;
  readonly current: ClientTokens;
}

function scheduled(scheduler: fc.Scheduler): Schedule {
  const gated = <Store extends object>(store: Store): Store =>
    Object.fromEntries(
      Object.entries(store).map(([name, call]) => [name, scheduler.scheduleFunction(call)]),
    ) as unknown as Store;
  return {
    pass: () => scheduler.schedule(Promise.resolve()),
    before: (services) => {
      const { access, sessions, signingKeys, platform } = services.stores;
      const stores = { access: gated(access), sessions: gated(sessions), platform: gated(platform) };
      const publish = scheduler.scheduleFunction((key: PublishedKey) => signingKeys.publish(key));
      return { ...services, stores: { ...services.stores, ...stores, signingKeys: { ...signingKeys, publish } } };
    },
  };
}

/** Runs each overlap under so many schedules. Returns the violation, with the schedule. */
export async function overlapAtRandom(system: System, schedules: number, seed: number): Promise<string | undefined> {
  for (const name of OVERLAPS) {
    const mustEnd = /replay|deactivation|logout|ends? of/.test(name);
    const holds = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const life = await Life.begin(system);
      const tokens = await tokensOfEveryAge(life);
      const at = scheduled(scheduler);
      const isEarly: boolean[] = [];
      const requests = overlapsOf(tokens)[name] ?? [];
      const underWay = new Set(requests.keys());
      const carriedOut = requests.map(async (request, number) => {
        const response = await request(life, at);
        if (response !== undefined) isEarly.push(!(await life.willLast(response)));
        underWay.delete(number);
        return response;
      });
      // Cryptography takes time, so a turn is given once every request under way waits for one. A request may wait for two.
      while (underWay.size > 0) {
        if (scheduler.count() >= underWay.size) await scheduler.waitOne();
        else await new Promise((resolve) => void setImmediate(resolve));
      }
      const given = (await Promise.all(carriedOut)).filter((response) => response !== undefined);
      const broken = isEarly.includes(true)
        ? 'a token leaves before its key is published for long enough'
        : await violationIn(life, tokens, given, mustEnd);
      if (broken !== undefined) throw new Error(broken);
    });
    const violation = violationOf(await fc.check(holds, { numRuns: schedules, seed, endOnFailure: true }));
    if (violation !== undefined) return `${name}: ${violation}`;
  }
  return undefined;
}

/** Of one session, now. */
async function tokensOfEveryAge(life: Life): Promise<Tokens> {
  const old = await life.login();
  const recent = await refreshed(life, old);
  life.wait(31_000);
  const current = await refreshed(life, recent);
  life.wait(1000);
  return { old, recent, current };
}

async function refreshed(life: Life, held: ClientTokens): Promise<ClientTokens> {
  const response = await life.refresh(held);
  if (response === undefined) throw new Error('the refresh was refused');
  return response;
}

/** Runs in the functions that are deployed at its start. */
const refresh =
  (held: ClientTokens): Request =>
  (life, at) =>
    life.refresh(held, at.before(life.services));

const login: Request = (life, at) => life.login(at.before(life.services));

/** Starts at any moment among the calls of the others. */
const atAnyTime =
  (request: Request): Request =>
  async (life, at) => {
    await at.pass();
    return request(life, at);
  };

/** Requests that end all sessions, or change the facts about the user. */
const order = (how: (life: Life, services: Services) => Promise<unknown>): Request =>
  atAnyTime(async (life, at) => {
    await how(life, at.before(life.services));
    return undefined;
  });
const deactivation = order((life, services) => life.hear({ license: 'inactive' }, services));
const endOfSessions = order((life, services) => life.endSessions(services));
const rename = order((life, services) => life.hear({ name: 'B' }, services));
const logoutOf = (held: ClientTokens): Request => order((life, services) => life.logout(held, services));
const nextKey = order(async (life) => life.signWithNextKey());

/** By name; `old` among the tokens ends the session at any moment. */
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

const NONE = {} as ClientTokens;
const OVERLAPS = Object.keys(overlapsOf({ old: NONE, recent: NONE, current: NONE }));

/** The invariants after all requests have ended. */
async function violationIn(
  life: Life,
  { current }: Tokens,
  given: readonly ClientTokens[],
  mustEnd: boolean,
): Promise<string | undefined> {
  const { session_id, jti } = current.refresh;
  const ofSession = given.filter(({ refresh: each }) => each.session_id === session_id && each.jti !== jti);
  const rotations = new Set(ofSession.map((each) => each.refresh.jti)).size;
  if (rotations > 1) return `${rotations} rotations of one token`;
  const isLive = await life.passes(current);
  if (mustEnd === isLive) return isLive ? 'what ends a session did not end it' : 'a session ended by itself';
  for (const held of given) {
    if ((await life.passes(held)) !== isLive) return 'an access token does not follow its session';
    const isAnswered = (await life.refresh(held)) !== undefined;
    if (isAnswered !== isLive) return isLive ? 'a tab was logged out' : 'an ended session responds';
  }
  return undefined;
}
