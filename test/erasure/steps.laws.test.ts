/**
 * Random histories of a company, in which a person is erased while invocations die before any call to the database, messages
 * are lost, doubled and late. `ERASURES=2000` for the long run; about 5 ms a case.
 */
// oxlint-disable complexity -- a history is decided by many dice, one after the other
import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { registerUserMappings } from '../../functions/catalog/register-mappings.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import { cancelImport } from '../../functions/imports/cancel.ts';
import { requestImportRevert } from '../../functions/reverts/request.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { cases, FIRST_SEED } from '../kit/at-length.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { Dice } from '../kit/dice.ts';
import {
  ANN,
  ANN_FACT,
  ANN_ID,
  COMPANY,
  ERASE,
  EXTERNAL,
  FORMER,
  NATIVE,
  UNREGISTERED,
  type ErasureWorld,
  erasureWorld,
} from './world.ts';

const CASES = Number(process.env['ERASURES'] ?? cases(150, 25));
const FIRST = Number(process.env['ERASURES_FROM'] ?? FIRST_SEED);
afterAll(() => limitChunks());

interface Sent {
  readonly import_id: string;
  readonly dry_run: boolean;
  readonly records: readonly { readonly who: string; readonly raw: unknown }[];
}

const spelled = (dice: Dice, address: string) =>
  Array.from(address, (letter) => (dice.chance(0.3) ? letter.toUpperCase() : letter)).join('');

function userOf(dice: Dice, who: string): unknown {
  if (who !== 'ann') {
    const email = `${who}@acme.test`;
    return dice.pick([
      { email },
      { email: spelled(dice, email) },
      who === 'ben' ? { external_user_id: 'ext-ben' } : { email },
    ]);
  }
  const email = spelled(dice, ANN);
  return dice.pick<unknown>([
    { email },
    { email },
    { external_user_id: EXTERNAL },
    { email, external_user_id: EXTERNAL },
    { email, external_user_id: UNREGISTERED },
    { external_user_id: UNREGISTERED },
    { email: ` ${email}` },
    { email: `mailto:${email}` },
    { email: FORMER },
    { email: [email] },
    email,
  ]);
}

function recordOf(dice: Dice, import_id: string): Sent['records'][number] {
  const who = dice.pick(['ann', 'ann', 'ben', 'cid']);
  const mark = who === 'ann' ? 'planted' : who;
  if (dice.oneIn(25)) return { who, raw: who === 'ann' ? `a text about ${ANN}.` : 'a text' };
  const raw = {
    external_record_id: dice.pick([`rec-${mark}-${dice.below(4)}`, `rec-${mark}-${import_id.slice(0, 3)}`, 'shared']),
    user: userOf(dice, who),
    content: {
      type: 'course',
      platform_course_id: dice.pick([101, 101, 102, 999]),
      ...(dice.chance(0.5) && { external_ref: `ref-${mark}` }),
    },
    progress: { completion_pct: dice.pick<unknown>([10, 50, 50, 100, 'x', 101]) },
    ...(dice.oneIn(3) && { [`note-${mark}`]: mark }),
  };
  return { who, raw };
}

async function fill(dice: Dice, world: ErasureWorld): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (let at = 0; at < dice.between(1, 4); at += 1) {
    const import_id = `${at}${'a'.repeat(25)}`;
    const dry_run = dice.oneIn(4);
    const records = Array.from({ length: dice.between(1, 6) }, () => recordOf(dice, import_id));
    world.clock.now += 1_000;
    await world.accept(
      import_id,
      records.map(({ raw }) => raw),
      dry_run,
    );
    sent.push({ import_id, dry_run, records });
    const [late, now] = [[], []] as object[][];
    for (const message of world.messages.splice(0)) (dice.oneIn(4) ? late : now)?.push(message);
    for (const message of now ?? []) {
      const acknowledged = await world.deliverOne(message, dice.oneIn(4) ? dice.below(10) : undefined);
      if (!acknowledged) late?.push(message);
    }
    world.messages.push(...((late ?? []) as typeof world.messages));
    const item = await world.stores.imports.read(COMPANY, import_id);
    if (item !== undefined && dice.oneIn(8)) await cancelImport(item, world.services);
    else if (item !== undefined && !dry_run && item.status !== 'processing' && dice.oneIn(5))
      await requestImportRevert(item, 1, world.services);
  }
  if (dice.oneIn(3)) await world.comeToRest();
  return sent;
}

/** An invocation that runs meanwhile, and ends before its time is over. */
interface Meanwhile {
  readonly untilMs: number;
  resume(): Promise<void>;
}

/** Brings the erasure to its end, through deaths and lost, doubled and late messages. */
async function erase(dice: Dice, world: ErasureWorld, meanwhile?: Meanwhile): Promise<void> {
  let deaths = dice.below(6);
  for (let round = 0; world.isErasing(); round += 1) {
    if (round > 200) throw new Error('The erasure does not end.');
    const dies = deaths > 0 && dice.chance(0.7);
    if (dies) deaths -= 1;
    const [message] = world.erasureMessages.splice(0, 1);
    // A watchdog comes at once where something runs that ends soon.
    const tickMs = meanwhile !== undefined && world.clock.now < meanwhile.untilMs && round < 3 ? 1_000 : 61_000;
    const nextMs = world.clock.now + (message === undefined ? tickMs : (message.delaySeconds ?? 0) * 1_000);
    if (meanwhile !== undefined && (nextMs > meanwhile.untilMs || dice.oneIn(6))) {
      world.clock.now = Math.max(world.clock.now, Math.min(nextMs, meanwhile.untilMs) - 1);
      await meanwhile.resume();
    }
    if (message === undefined) await world.tick(tickMs);
    else {
      world.clock.now = Math.max(world.clock.now, nextMs);
      const acknowledged = await world.deliverOne(message, dies ? dice.below(60) : undefined);
      if ((!acknowledged && dice.chance(0.5)) || dice.oneIn(5)) world.erasureMessages.push(message);
    }
    if (dice.oneIn(3)) {
      const [late] = world.messages.splice(0, 1);
      if (late !== undefined) await world.deliverOne(late, dice.oneIn(3) ? dice.below(8) : undefined);
    }
  }
}

const withoutHolder = (value: unknown): string =>
  JSON.stringify(value).replace(
    new RegExp(`already belongs to user ${ANN_ID} and course \\d+, and cannot be used for another`),
    'belonged to another user, who has been erased since',
  );

/** What is stored of everybody but the person, and their results in imports that have ended. */
async function othersResults(world: ErasureWorld, sent: readonly Sent[]): Promise<Map<string, string>> {
  const results = new Map<string, string>();
  // While a revert may take something back, only results are compared.
  const items = [...world.table.items()];
  const own = items.filter(({ pk, user_id }) =>
    String(pk).includes('#record#') ? user_id !== ANN_ID : /#learner#[89]$/.test(String(pk)),
  );
  if (items.every(({ sk }) => sk !== 'revert'))
    for (const { pk, sk, ...rest } of own)
      for (const [name, value] of Object.entries(rest).filter(([each]) => each !== 'added'))
        results.set(`${pk} ${sk} ${name}`, String(value));
  for (const { import_id, records } of sent) {
    const item = await world.stores.imports.read(COMPANY, import_id);
    if (item === undefined || item.status === 'processing') continue;
    for (const { result, record } of await world.reported(import_id))
      if (records[result.index]?.who !== 'ann')
        results.set(`${import_id} ${result.index}`, withoutHolder([result, record]));
  }
  return results;
}

const RECORD_OF_ANN = {
  external_record_id: 'rec-planted-late',
  user: { email: ANN },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 70 },
};

/** What may run when the person is erased, and for how long. What a client sends of them afterwards is another matter. */
const EARLIER = ['accept', 'dry run', 'progress', 'mapping'] as const;
const ANY_TIME = ['process', 'cancel', 'watch'] as const;

async function begin(
  kind: (typeof EARLIER | typeof ANY_TIME)[number],
  dice: Dice,
  world: ErasureWorld,
): Promise<Meanwhile> {
  const [open] = await world.stores.jobs.listOpen();
  const message = world.messages.splice(0, 1);
  const mapping = { mappings: [{ external_user_id: 'ext-planted-2', email: ANN }] };
  const runs: Record<typeof kind, readonly [number, () => Promise<unknown>]> = {
    accept: [29_000, () => world.accept('z'.repeat(26), [RECORD_OF_ANN])],
    'dry run': [29_000, () => world.accept('z'.repeat(26), [RECORD_OF_ANN], true)],
    progress: [60_000, () => world.tell({ ...NATIVE, version: 12, completion_pct: 80 })],
    mapping: [29_000, () => registerUserMappings(COMPANY, mapping.mappings, world.services)],
    process: [20_000, async () => message[0] && world.deliverOne(message[0])],
    cancel: [29_000, async () => open?.kind === 'import' && cancelImport(open, world.services)],
    watch: [60_000, () => watch({}, CONTEXT, world.services)],
  };
  const [ms, run] = runs[kind];
  return { untilMs: world.clock.now + ms, ...world.stall(run, dice.below(14)) };
}

/** What went wrong in one history. */
async function meanwhileOf(seed: number): Promise<unknown[]> {
  const dice = new Dice(seed, 1);
  const world = await erasureWorld();
  limitChunks(2);
  await world.setUp();
  const sent = await fill(dice, world);
  const before = await othersResults(world, sent);
  const isEarlier = dice.chance(0.6);
  const kind = dice.pick<(typeof EARLIER | typeof ANY_TIME)[number]>(isEarlier ? [...EARLIER, ...ANY_TIME] : ANY_TIME);
  const earlier = isEarlier ? await begin(kind, dice, world) : undefined;
  if (dice.chance(0.5)) world.clock.now += dice.below(20_000);
  await world.tell({ ...ERASE, emails: [FORMER], external_user_ids: [UNREGISTERED] });
  // It has come to any of its calls when the other one begins.
  for (let step = isEarlier ? 3 : dice.below(3); step < 3; step += 1) {
    await world.tick();
    for (const message of world.erasureMessages.splice(0)) {
      world.clock.now += (message.delaySeconds ?? 0) * 1_000;
      if (await world.deliverOne(message, dice.below(120))) continue;
      world.erasureMessages.push(message);
      step = 3;
    }
  }
  const meanwhile = earlier ?? (await begin(kind, dice, world));
  await erase(dice, world, meanwhile);
  await meanwhile.resume();
  await world.comeToRest();
  return [...world.findings().map((found) => ({ kind, found })), ...(await changed(before, world, sent))];
}

async function changed(before: ReadonlyMap<string, string>, world: ErasureWorld, sent: readonly Sent[]) {
  const after = await othersResults(world, sent);
  return [...before].flatMap(([record, result]) =>
    after.get(record) === result ? [] : [{ record, result, after: after.get(record) }],
  );
}

/** What went wrong in one history. */
async function violationsOf(seed: number): Promise<unknown[]> {
  const dice = new Dice(seed);
  const world = await erasureWorld();
  limitChunks(2);
  await world.setUp();
  const sent = await fill(dice, world);
  const before = await othersResults(world, sent);
  if (dice.oneIn(4)) await world.tell({ kind: 'user', company_id: COMPANY, id: ANN_ID, version: 10, deleted: true });
  const fact = { ...ERASE, emails: [FORMER], external_user_ids: [UNREGISTERED] };
  const applied = await world.tell(fact);
  await erase(dice, world);
  const found = world.findings();
  const [open] = await world.stores.jobs.listOpen();
  if (open?.kind === 'import' && dice.oneIn(3)) await cancelImport(open, world.services);

  await world.tell(ANN_FACT, { ...NATIVE, version: 9, completion_pct: 60 });
  const answers: unknown[] = [];
  for (const { import_id, records, dry_run } of sent) {
    const raw = records.map((each) => each.raw);
    answers.push((await world.replay(import_id, raw, dry_run)).kind);
  }
  await world.comeToRest();
  const again = await world.tell(fact);
  return [
    ...found,
    ...world.findings(),
    ...world.contributions(ANN_ID),
    ...answers.filter((kind) => kind !== 'replayed'),
    ...(await changed(before, world, sent)),
    ...(await wrongResults(world, sent)),
    ...(isDeepStrictEqual(applied, { results: [{ status: 'applied', erased_at: null }] }) ? [] : [applied]),
    ...(JSON.stringify(again).startsWith('{"results":[{"status":"stale","erased_at":"2') ? [] : [again]),
  ];
}

/** Every record has a result; those of the person are erased, and no others. */
async function wrongResults(world: ErasureWorld, sent: readonly Sent[]): Promise<unknown[]> {
  const wrong = await Promise.all(
    sent.map(async ({ import_id, records }) => {
      const reported = await world.reported(import_id);
      const isErased = ({ result, record }: (typeof reported)[number]) =>
        result.erased === true && record === null && result.external_record_id === null && result.progress === null;
      const isWrong = (each: (typeof reported)[number]) =>
        records[each.result.index]?.who === 'ann' ? !isErased(each) : each.result.erased !== undefined;
      return reported.length === records.length ? reported.filter(isWrong) : [{ import_id, reported }];
    }),
  );
  return wrong.flat();
}

it.each([
  ['leaves nothing of the person, and everything of everybody else', violationsOf],
  ['takes with it what still runs when it begins, and what begins while it runs', meanwhileOf],
])('%s', { timeout: 1_800_000 }, async (_, violations) => {
  for (let seed = FIRST; seed < FIRST + CASES; seed += 1)
    expect({ seed, violations: await violations(seed) }).toEqual({ seed, violations: [] });
});
