/** Calls and state of the revert of a run, and of its dry run, for any number of imports. Costs four seconds. */
import { expect, it } from 'vitest';
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { runPreviewKey, runRevertKey } from '../../functions/dynamodb/table.ts';
import { instant } from '../../functions/records/instants.ts';
import { leftOfRun, readRunRevert, requestRunRevert } from '../../functions/reverts/request.ts';
import { partOfRun } from '../../functions/reverts/together.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { planted } from '../kit/planted.ts';
import { COMPANY_ID, IMPORT_ID, RUN, importWorld, record } from '../imports/world.ts';

/** A run of so many imports of two records; one of every third import is in the import before, too. */
async function runOf(imports: number) {
  const used = { calls: 0, reads: 0, writes: 0 };
  const world = await importWorld((command) => {
    used.calls += 1;
    used.reads += readsOf((command as { input: Read }).input);
  });
  const users = Array.from({ length: imports }, (_, at) => ({ ...USER, user_id: 100 + at, email: `u${at}@acme.test` }));
  await planted(world.stores.platform).putUsers(users);
  for (let at = 0; at < imports; at += 1) {
    const shared = at % 3 === 2 ? at - 1 : at;
    const records = [record(`a-${shared}`, users[shared]?.email), record(`b-${at}`, users[at]?.email)];
    await world.accept(records, { import_id: `import-${at}`, run_id: RUN.run_id });
    await world.deliver();
    world.clock.now += 1_000;
  }
  world.table.onWrite = (_, before, after) => {
    used.writes += Math.ceil(Math.max(itemBytes(before ?? {}), itemBytes(after ?? {})) / 1024);
  };
  /** Returns its counts, what it has used for each import, and the bytes of its state. */
  const workedOff = async (kind: 'run' | 'preview') => {
    const left = (await leftOfRun(RUN, world.stores)) ?? [];
    Object.assign(used, { calls: 0, reads: 0, writes: 0 });
    await requestRunRevert({ kind, ...RUN }, left, 1, world.services);
    for (let pause = 0; pause === 0 || (await isRunning(kind)); pause += 1) {
      // What a chain of messages leaves, the watchdog sends again.
      if (pause > 0) await world.watch();
      await world.deliverReverts();
      world.clock.now += 120_000;
    }
    const key = (kind === 'run' ? runRevertKey : runPreviewKey)(RUN);
    const { status, counts } = (await readRunRevert({ kind, ...RUN }, world.services)) ?? {};
    const each: Record<string, number> = Object.fromEntries(
      Object.entries(used).map(([name, count]) => [name, count / imports]),
    );
    return { status, counts, each, bytes: itemBytes(world.table.read(key) ?? {}) };
  };
  const isRunning = async (kind: 'run' | 'preview') =>
    (await readRunRevert({ kind, ...RUN }, world.services))?.status === 'processing';
  return { world, workedOff };
}

interface Read {
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly unknown[] }>>;
  readonly Limit?: number;
}

/** The items that a command asks for, or may read. */
function readsOf({ RequestItems = {}, Limit = 1 }: Read): number {
  const keys = Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys);
  return keys.length > 0 ? keys.length : Limit;
}

const atMost = (used: Record<string, number> = {}) =>
  Object.fromEntries(
    Object.entries(used).map(([name, most]) => [name, expect.toSatisfy((count: number) => count <= 1.1 * most)]),
  );

const USER = { company_id: COMPANY_ID, name: '', role: 'customer', avatar: '', license: 'active' } as const;
const SIZES = AT_LENGTH ? [100, 1_000, 10_000] : [10, 100];

it(
  'a run of any size is previewed and reverted, by work that grows with it, and a state that does not',
  { timeout: 900_000 },
  async () => {
    const figures = [];
    for (const imports of SIZES) {
      const { world, workedOff } = await runOf(imports);
      const counts = { imports, total: 2 * imports, reverted: 2 * imports - Math.floor(imports / 3) };
      const dry = await workedOff('preview');
      expect(dry).toMatchObject({ status: 'validated', counts });
      const real = await workedOff('run');
      expect(real).toMatchObject({ status: 'success', counts });
      expect((await world.progressOf({ user_id: 100, platform_course_id: 101 }))?.contributions).toEqual([]);
      figures.push({ imports, dry: dry.each, real: real.each, bytes: Math.max(dry.bytes, real.bytes) });
    }
    if (AT_LENGTH) console.log(JSON.stringify(figures));
    const [first, ...larger] = figures;
    for (const each of larger) expect(each).toMatchObject({ dry: atMost(first?.dry), real: atMost(first?.real) });
    expect(Math.max(...figures.map(({ bytes }) => bytes))).toBeLessThan(600);
  },
);

it('two that ask at once whether an import is taken back get the same answer', async () => {
  const world = await importWorld();
  await world.accept([record('a')], { import_id: IMPORT_ID, run_id: RUN.run_id });
  await world.deliver();
  const now = instant(world.clock.now);
  const together = partOfRun({ ...RUN, accepted_by: now, ended_by: now }, world.stores.imports);
  const asked = await Promise.all([1, 2].map(() => together.among(new Map(), [IMPORT_ID])));
  expect(asked).toEqual([new Set([IMPORT_ID]), new Set([IMPORT_ID])]);
});
