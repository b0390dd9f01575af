/** Long histories are planned from a fold and their newest items: what is read, and what makes the fold invalid. Costs seconds. */
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { updateItem } from '../../functions/dynamodb/items.ts';
import { learnerCourseKey } from '../../functions/dynamodb/table.ts';
import { FOLDED, SEALED, unpackFold } from '../../functions/imports/folded-item.ts';
import { progressStore } from '../../functions/imports/progress-store.ts';
import type { RecordWrite } from '../../functions/shared/model.ts';
import { incompressible, write } from '../dynamodb/samples.ts';
import { memoryClient } from '../kit/memory-table/memory-client.ts';
import { ANN, COMPANY_ID, HOUR, importWorld, record } from './world.ts';

type World = Awaited<ReturnType<typeof importWorld>>;

const read: string[] = [];
let world: World;

beforeEach(async () => {
  world = await importWorld((command) => {
    if (!(command instanceof BatchGetCommand)) return;
    const keys = Object.values(command.input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys);
    read.push(...keys.map(({ sk }) => String(sk)).filter((sk) => sk.startsWith('course#')));
  });
});

const outside = { table: 'table', sleep: async () => {}, random: () => 0, nowMs: () => 0 };
const database = () => ({ client: memoryClient(world.table), ...outside });

const itemOf = (item: number) => world.table.read(learnerCourseKey(COMPANY_ID, ANN, item));
const foldOf = () => unpackFold(itemOf(0));

/** Four nights fill an item. */
const external_ref = incompressible(700);
const ofNight = (night: number) => ({
  ...record('r-1'),
  content: { ...record('').content, external_ref },
  progress: { completion_pct: 10 + night },
});

async function send(
  night: number,
  { import_id = `import-${night}`, ...options }: { import_id?: string; replace?: true } = {},
) {
  world.clock.now += HOUR;
  await world.accept([ofNight(night)], { import_id, ...options });
  read.splice(0);
  await world.deliver();
  const [result] = await world.results(import_id);
  return result;
}

async function nights(count: number, options: { replace?: true } = {}): Promise<void> {
  for (let night = 0; night < count; night += 1) await send(night, options);
}

/** Of overflow items. */
const further = (): string[] => read.filter((sk) => sk.split('#').length > 2).map((sk) => sk.split('#')[2] ?? '');

it('planning reads the newest items alone, and finds what the whole history says', async () => {
  await nights(26);
  const { items = 0, contributions = [] } = (await world.progressOf()) ?? {};
  expect([items > 5, contributions.length]).toEqual([true, 26]);
  const lower = await send(-5);
  expect(lower).toMatchObject({ outcome: 'updated', progress: { completion_pct: 35 } });
  expect(lower?.warnings.map(({ warning_code }) => warning_code)).toContain('earlier_record_kept');
  expect(new Set(further()).size).toBeLessThan(3);
});

it('a content of any night is `unchanged`, and relies on the import of that night', async () => {
  await nights(26);
  expect(await send(2, { import_id: 'again' })).toMatchObject({ outcome: 'unchanged' });
  expect(new Set(further()).size).toBeGreaterThan(4);
  expect(await world.stores.imports.readReliances({ company_id: COMPANY_ID, import_id: 'import-2' })).toMatchObject([
    { import_id: 'again' },
  ]);
});

it('where each import replaces, a fold has the newest version itself', async () => {
  await nights(14, { replace: true });
  const [only] = foldOf()?.records ?? [];
  expect([only?.contribution.replaces, only?.contents]).toEqual([true, []]);
  expect(await send(1, { import_id: 'again', replace: true })).toMatchObject({ progress: { completion_pct: 11 } });
});

it('a covered item takes no contribution of a delivery that knows an older state', async () => {
  await nights(12);
  const late = { ...write({ ...ANN, record: { index: 0, import_id: 'late' } }), items: 1 } satisfies RecordWrite;
  const { items = 0 } = foldOf() ?? {};
  await world.stores.progress.contribute(COMPANY_ID, [late]);
  const holders = Array.from({ length: items + 2 }, (_, at) => at).filter((at) => 'm#late#0' in (itemOf(at) ?? {}));
  expect(holders).toHaveLength(1);
  expect(holders[0]).toBeGreaterThanOrEqual(items);
});

it('an item that took a contribution while it was folded is not folded', async () => {
  await nights(5);
  const before = foldOf();
  const { items = 0 } = (await world.progressOf()) ?? {};
  const late = write({ ...ANN, record: { index: 0, import_id: 'late' } });
  const client = {
    send: async (command: object) => {
      const response = await database().client.send(command as never);
      const keys = JSON.stringify((command as { input: unknown }).input);
      if (command instanceof BatchGetCommand && keys.includes(`#${items - 1}"`))
        await updateItem(database(), learnerCourseKey(COMPANY_ID, ANN, items - 1), { add: { added: 1 } });
      return response;
    },
  };
  const opening = [{ ...late, items, filled: 4096 }];
  await progressStore({ ...outside, client }).contribute(COMPANY_ID, opening);
  expect([itemOf(0)?.['overflow'], foldOf()]).toEqual([items, before]);
});

it('a revert removes the fold before what it stands for, and the next round folds anew', async () => {
  await nights(12);
  const removed = await world.revert('import-11');
  expect([removed, itemOf(0)?.[FOLDED]]).toEqual([expect.anything(), undefined]);
  expect(await send(-5)).toMatchObject({ progress: { completion_pct: 20 } });
  for (let night = 30; night < 42; night += 1) await send(night);
  expect(foldOf()?.items).toBeGreaterThan(4);
  expect(itemOf(2)?.[SEALED]).toBe(true);
});

it('an item that was named and never written is sealed empty', async () => {
  await nights(5);
  const { items = 0 } = (await world.progressOf()) ?? {};
  await updateItem(database(), learnerCourseKey(COMPANY_ID, ANN), { set: { overflow: items } });
  for (let night = 5; night < 12; night += 1) await send(night);
  expect(itemOf(items)).toMatchObject({ [SEALED]: true });
  expect(foldOf()?.items).toBeGreaterThan(items);
  expect((await world.progressOf())?.contributions).toHaveLength(12);
});
