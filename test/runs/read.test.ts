/** A migration seen and cancelled as a whole. Costs milliseconds. */
import { expect, it, vi } from 'vitest';
import { cancelOpen } from '../../functions/imports/runs.ts';
import { sumOf } from '../../functions/imports/run-counts.ts';
import { readOpenRun, readRun } from '../../functions/runs/read.ts';
import { instant } from '../../functions/records/instants.ts';
import type { ImportItem } from '../../functions/shared/model.ts';
import { importItem } from '../dynamodb/samples.ts';
import { cases } from '../kit/at-length.ts';
import { Dice } from '../kit/dice.ts';
import { createWorld } from '../kit/world.ts';
import { COMPANY_ID, MINUTE, RECORDS, importWorld, record } from '../imports/world.ts';

const LMS = { company_id: COMPANY_ID, run_id: 'lms' };

const IDS = ['a', 'b', 'c'].map((letter) => letter.repeat(26));

async function runWorld() {
  const world = await importWorld();
  const start = (position: number, records: readonly unknown[], dry_run = false) =>
    world.accept(records, { import_id: IDS[position] ?? '', run_id: 'lms', dry_run });
  const run = async () => readRun(LMS, world.services);
  return { ...world, start, run };
}

const UNDECIDED = {
  created_by: 1,
  created_by_client: null,
  title: null,
  shape: null,
  notify: null,
  language: null,
  version: 0,
  updated_at: null,
  updated_by: null,
  plan: null,
};

it('a run is the fold of its real imports', async () => {
  const world = await runWorld();
  const { start, run, clock } = world;
  expect(await run()).toBeUndefined();
  const created_at = instant(clock.now);
  await start(0, RECORDS, true);
  expect(await run()).toMatchObject({ status: 'draft', created_at, counts: { imports: 0 }, completed_at: null });
  clock.now += 1_000;
  await start(1, RECORDS);
  clock.now += 1_000;
  await start(2, [record('d', 'nobody@acme.test')]);
  const counts = { imports: 2, total: 4, processed: 0, succeeded: 0, failed: 0, archived: 0, with_warnings: 0 };
  const common = { run_id: 'lms', company_id: COMPANY_ID, created_at, ...UNDECIDED };
  expect(await run()).toEqual({ ...common, status: 'processing', counts, completed_at: null });
  clock.now += 1_000;
  await world.deliver();
  expect(await run()).toEqual({
    ...common,
    status: 'partial_success',
    counts: { ...counts, processed: 4, succeeded: 3, failed: 1 },
    completed_at: instant(clock.now),
  });
});

it('an import is counted as soon as it is accepted, also after the run has rested for a while', async () => {
  const world = await runWorld();
  const { start, run, clock, stores } = world;
  await start(0, RECORDS);
  await world.deliver();
  clock.now += 10 * MINUTE;
  const keep = vi.spyOn(stores.imports, 'keepParts');
  for (const _ of [1, 2]) expect(await run()).toMatchObject({ status: 'success', counts: { imports: 1 } });
  expect(keep).toHaveBeenCalledOnce();
  await start(1, [record('d')]);
  expect(await run()).toMatchObject({ status: 'processing', counts: { imports: 2 } });
});

it('cancelling a run ends each of its open imports, and no other', async () => {
  const world = await runWorld();
  const { start, run, read, services, sent } = world;
  await start(0, RECORDS);
  await world.deliver();
  await start(1, [record('d')]);
  await world.accept([record('e')], { import_id: IDS[2] ?? '' });
  const found = await readOpenRun(LMS, services);
  expect(found?.run.status).toBe('processing');
  await cancelOpen(found?.open ?? [], services);
  expect(await run()).toMatchObject({ status: 'partial_success', counts: { succeeded: 3, failed: 1 } });
  expect((await read(IDS[0])).cancelled_at).toBeNull();
  expect(await read(IDS[2])).toMatchObject({ status: 'processing', cancelled_at: null });
  expect(sent).not.toEqual([]);
});

const CHUNK = { succeeded: 3, failed: 1, with_warnings: 2, conflict: [], failed_indexes: [] };

/** A run of any number of imports, each at its own time; and how it was read, call by call. */
async function longRun() {
  const calls: object[] = [];
  const world = createWorld({ observe: (command) => calls.push(command) });
  const { clock, services, stores } = world;
  await stores.imports.putRun(LMS, { created_at: instant(clock.now), by: 1, dry_run: false });
  let imports = 0;
  const add = (agoMs: number, more: Partial<ImportItem> = {}) => {
    const ids = { import_id: String((imports += 1)).padStart(26, '0'), run_id: 'lms' };
    const created_at = instant(clock.now - agoMs);
    const status = 'partial_success';
    const item = {
      ...ids,
      created_at,
      status,
      total: 4,
      completed_at: created_at,
      summaries: { 0: CHUNK },
      ...more,
    } as const;
    return stores.imports.commit(importItem(COMPANY_ID, item));
  };
  /** Begins to accept an import; it is committed later. Returns since when. */
  const begin = async () => {
    await stores.imports.putRun(LMS, { created_at: instant(clock.now), by: 1, dry_run: false });
    return clock.now;
  };
  const open = (agoMs: number) => add(agoMs, { status: 'processing', completed_at: null, summaries: {} });
  const end = async ({ company_id, import_id }: ImportItem) => {
    const item = await stores.imports.setSummary({ company_id, import_id }, 0, CHUNK);
    if (item) await stores.imports.settle({ ...item, status: 'partial_success' }, instant(clock.now));
  };
  const read = async () => {
    calls.length = 0;
    return readRun(LMS, services);
  };
  const summed = async () => {
    const all = await stores.imports.importsOfRun(LMS);
    const { counts, completed_at } = sumOf(all);
    const hasEnded = all.length > 0 && all.every(({ status }) => status !== 'processing');
    return { counts, completed_at: hasEnded ? completed_at : null };
  };
  return { ...world, add, begin, open, end, read, summed, calls };
}

const namesOf = (calls: readonly object[]) => calls.map((call) => call.constructor.name);

it('a run is read on from where a reader kept its sum, and an import that was open then is read itself', async () => {
  const { add, open, end, read, summed, calls, clock } = await longRun();
  const dry = { status: 'validated', dry_run: true } as const;
  for (let at = 0; at < 150; at += 1) await add((200 - at) * MINUTE, at % 10 === 0 ? dry : {});
  const late = await open(190 * MINUTE);
  await add(4 * MINUTE);
  const all = { ...(await summed()), status: 'processing' };
  expect(await read()).toMatchObject(all);
  expect(namesOf(calls)).toEqual(['GetCommand', 'GetCommand', 'QueryCommand', 'BatchGetCommand', 'UpdateCommand']);
  expect(await read()).toMatchObject(all);
  expect(namesOf(calls)).toEqual(['GetCommand', 'GetCommand', 'BatchGetCommand', 'QueryCommand']);
  clock.now += 10 * MINUTE;
  await end(late);
  expect(await read()).toMatchObject({ ...(await summed()), status: 'partial_success' });
});

type LongRun = Awaited<ReturnType<typeof longRun>>;

/** What is under way: imports that are about to be accepted, since when, and those that are open. */
interface UnderWay {
  readonly begun: number[];
  readonly opened: ImportItem[];
}

/** An import that begins, one that comes into the index minutes later, or one that ends. */
async function change({ add, open, end, begin, clock }: LongRun, dice: Dice, { begun, opened }: UnderWay) {
  if (dice.chance(0.5)) begun.push(await begin());
  const isLate = (since = clock.now) => clock.now - since > 4 * MINUTE - 5_000;
  while (isLate(begun[0]) || (begun.length > 0 && dice.chance(0.5))) {
    const agoMs = clock.now - (begun.shift() ?? 0);
    if (dice.chance(0.9)) await add(agoMs);
    else opened.push(await open(agoMs));
  }
  if (dice.chance(0.1)) for (const item of opened.splice(dice.below(opened.length + 1), 1)) await end(item);
}

/** All that is under way ends, and nothing comes for a while, until another import begins. */
async function rest({ add, begin, end, clock }: LongRun, dice: Dice, { begun, opened }: UnderWay): Promise<void> {
  for (const since of begun.splice(0)) await add(clock.now - since);
  if (dice.chance(0.8)) for (const item of opened.splice(0)) await end(item);
  clock.now += dice.below(20 * MINUTE);
  if (dice.chance(0.3)) begun.push(await begin());
}

it.each(Array.from({ length: cases(5, 1) }, (_, seed) => seed))(
  'the counts are those of every import, whoever kept which sum, and however late an import is listed (%i)',
  async (seed) => {
    const run = await longRun();
    const { read, summed, clock, stores, calls } = run;
    const dice = new Dice(seed);
    const underWay: UnderWay = { begun: [], opened: [] };
    const kept: (() => Promise<void>)[] = [];
    let rested = 0;
    for (let moves = 1; moves < cases(1_500, 400); moves += 1) {
      clock.now += dice.below(5_000);
      const isQuiet = dice.chance(0.05);
      await (isQuiet ? rest : change)(run, dice, underWay);
      if (!isQuiet && dice.chance(0.8)) continue;
      const { begun_at } = (await stores.runs.read(LMS)) ?? {};
      const { keep } = await stores.imports.readParts({ ...LMS, begun_at }, clock.now);
      if (keep) kept.push(() => stores.imports.keepParts(LMS, keep));
      // A reader that kept its sum much later than it read.
      if (kept.length > 0 && dice.chance(0.5)) await dice.pick(kept)();
      // The second reader finds what the first has kept.
      const all = await summed();
      for (const _ of [1, 2]) expect(await read()).toMatchObject(all);
      rested += Number(!namesOf(calls).includes('QueryCommand'));
    }
    expect(rested).toBeGreaterThan(0);
  },
);

it('of a run that rests what is kept is read, until an import begins, whatever a late reader keeps', async () => {
  const { add, begin, read, summed, calls, clock, stores } = await longRun();
  for (let at = 0; at < 150; at += 1) await add((200 - at) * MINUTE);
  await add(4 * MINUTE);
  const late = await stores.imports.readParts(LMS, clock.now);
  clock.now += 10 * MINUTE;
  const all = { ...(await summed()), status: 'partial_success' };
  for (const [last, count] of [
    ['UpdateCommand', 4],
    ['GetCommand', 2],
  ] as const) {
    expect(await read()).toMatchObject(all);
    expect([namesOf(calls).at(-1), calls.length]).toEqual([last, count]);
  }
  if (late.keep) await stores.imports.keepParts(LMS, late.keep);
  for (const _ of [1, 2]) expect(await read()).toMatchObject(all);
  expect(namesOf(calls)).toEqual(['GetCommand', 'GetCommand']);
  // It is committed a minute later: until then a reader must not take the run to rest.
  await begin();
  clock.now += MINUTE;
  expect(await read()).toMatchObject(all);
  await add(MINUTE);
  expect((await read())?.counts.imports).toBe(152);
});

it('an import up to which a sum was kept stays in it, also for a reader whose clock is behind', async () => {
  const { add, open, end, read, summed, clock, stores } = await longRun();
  for (let at = 0; at < 100; at += 1) await add(200 * MINUTE);
  const early: ImportItem[] = [];
  for (let at = 0; at < 100; at += 1) early.push(await open(100 * MINUTE));
  for (const change of [open, add]) await change(5 * MINUTE - 1_000);
  const { keep } = await stores.imports.readParts(LMS, clock.now + 2_000);
  if (keep) await stores.imports.keepParts(LMS, keep);
  for (const each of early) await end(each);
  // The first of them keeps the sum of those that have ended since.
  for (const _ of [1, 2]) expect(await read()).toMatchObject(await summed());
});

it('a sum ends before an import that is one open import too many, and a reader whose sum is not kept has it all the same', async () => {
  const { add, open, read, summed, services, stores } = await longRun();
  for (let at = 0; at < 120; at += 1) await add(200 * MINUTE);
  for (let at = 0; at < 1_002; at += 1) await open(100 * MINUTE);
  for (let at = 0; at < 120; at += 1) await add(50 * MINUTE);
  const error = vi.spyOn(services.telemetry, 'error');
  const keepParts = vi.spyOn(stores.imports, 'keepParts').mockRejectedValueOnce(new Error('throttled'));
  expect(await read()).toMatchObject(await summed());
  expect(error).toHaveBeenCalledOnce();
  keepParts.mockRestore();
  for (let again = 0; again < 2; again += 1) expect(await read()).toMatchObject(await summed());
  const { parts, open: left } = await stores.imports.readParts(LMS, services.clock.nowMs());
  expect([parts.length, left.length]).toEqual([1 + 1_002 + 120, 1_002]);
});
