/** Very many records of one user and course: each is kept, and a dry run reports the same (rule 12). Costs seconds. */
import { expect, it } from 'vitest';
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { processChunk } from '../../functions/imports/process.ts';
import { cases } from '../kit/at-length.ts';
import type { Attributes, MemoryTable } from '../kit/memory-table/memory-table.ts';
import { Dice } from '../kit/dice.ts';
import { planted } from '../kit/planted.ts';
import { ANN, COMPANY_ID, record, useImportWorld } from './world.ts';

const CLASSES = Array.from({ length: 100 }, (_, at) => ({ platform_class_id: 1001 + at, title: '' }));
const VIEWS = CLASSES.map(({ platform_class_id }, at) => ({
  platform_class_id,
  viewed_at: `2024-01-${String((at % 28) + 1).padStart(2, '0')}T03:04:05Z`,
}));

const world = useImportWorld(async () => {
  const course = { platform_course_id: 101, title: 'One', has_exam: true, classes: CLASSES };
  await planted(world.stores.platform).putCourses(COMPANY_ID, [course]);
});

const small = (id: number) => ({ ...record(`r-${id}`), progress: { completion_pct: (id % 1000) / 10 } });
const viewing = (id: number) => ({ ...small(id), progress: { completion_pct: 50, classes: VIEWS } });
/** As large as a record may be; nearly all of it is kept. */
const largest = (id: number) => ({
  ...viewing(id),
  content: { ...record('').content, external_ref: `${id} `.padEnd(1024, '\u0007') },
  note: 'x'.repeat(51_000),
});
const batch = (length: number, recordOf: (id: number) => object, from = 0) =>
  Array.from({ length }, (_, at) => recordOf(from + at));

const learnerItems = ({ table }: { table: MemoryTable }): Attributes[] =>
  [...table.items()].filter(({ pk }) => String(pk).includes('#learner#'));

const VIEWING = cases(200, 20);

it.each([
  ['250 small ones', batch(250, small)],
  [`${VIEWING} with 100 class views`, batch(VIEWING, viewing)],
  ['12 of nearly 64 KiB', batch(12, largest)],
  ['some of each, small and large', batch(30, (id) => [small, viewing, largest][id % 3]?.(id) ?? {})],
])('a dry run and the import accept each of them: %s', async (_, records) => {
  const all = records.map(() => 'applied');
  await world.accept(records, { dry_run: true, import_id: 'dry' });
  expect(await world.outcomes('dry')).toEqual(all);
  await world.accept(records);
  await world.deliver();
  expect(await world.outcomes()).toEqual(all);
  expect((await world.progressOf())?.contributions).toHaveLength(records.length);
  const dry = await world.results('dry');
  expect(await world.results()).toEqual(dry.map(({ before: _before, ...result }) => result));
  await world.accept(records, { import_id: 'again' });
  await world.deliver();
  expect(new Set(await world.outcomes('again'))).toEqual(new Set(['unchanged']));
});

const PARALLEL = cases(90, 30);

it('chunks of many imports in flight may be done in any order, and each twice', async () => {
  const dice = new Dice(1, 1);
  const ids = Array.from({ length: 6 }, (_, at) => `import-${at}`);
  for (const [at, import_id] of ids.entries()) {
    await world.accept(batch(PARALLEL, at % 2 === 0 ? viewing : small, at * PARALLEL), { import_id });
  }
  const deliveries = [...world.sent, ...world.sent].toSorted(() => dice.next() - 0.5);
  for (let done = 0; done < deliveries.length; done += 5) {
    await Promise.all(deliveries.slice(done, done + 5).map((message) => processChunk(message, world.services)));
  }
  for (const import_id of ids) expect(new Set(await world.outcomes(import_id))).toEqual(new Set(['applied']));
  const names = (await world.progressOf())?.contributions.map(({ import_id, index }) => `${import_id} ${index}`);
  expect(new Set(names)).toEqual(
    new Set(ids.flatMap((id) => Array.from({ length: PARALLEL }, (_, at) => `${id} ${at}`))),
  );
  const stored = learnerItems(world).flatMap((item) => Object.keys(item).filter((name) => name.startsWith('m#')));
  expect(stored).toHaveLength(6 * PARALLEL);
});

it.each([
  ['small records', cases(5_000, 250), small],
  ['records with 100 class views', cases(1_000, 100), viewing],
])('%s are kept, %i of them, in items that leave space', async (_, count, recordOf) => {
  for (let from = 0; from < count; from += 250) {
    await world.accept(batch(Math.min(250, count), recordOf, from), { import_id: `import-${from}` });
  }
  await world.deliver();
  const history = await world.progressOf();
  expect(history?.contributions).toHaveLength(count);
  const sizes = learnerItems(world).map(itemBytes);
  expect(Math.max(...sizes)).toBeLessThan(205 * 1024);
  expect(history?.items).toBe(sizes.length);
  await world.accept([recordOf(0), small(9_999)], { dry_run: true, import_id: 'dry' });
  expect(await world.outcomes('dry')).toEqual(['unchanged', 'applied']);
});

const VERSIONS = cases(60, 30);

it('one record updated again and again keeps every version, and the highest progress', async () => {
  for (let version = 0; version < VERSIONS; version += 1) {
    const progress = { completion_pct: (version * 11) % 100, classes: VIEWS.slice(0, 90 + (version % 3)) };
    await world.accept([{ ...record('r-1'), progress }], { import_id: `import-${version}` });
    await world.deliver();
  }
  const history = await world.progressOf();
  expect(history?.items).toBeGreaterThan(1);
  expect(new Set(history?.contributions.map(({ external_record_id }) => external_record_id))).toEqual(new Set(['r-1']));
  expect(history?.contributions.length).toBe(VERSIONS);
  await world.accept([{ ...record('r-1'), progress: { completion_pct: 1 } }], { import_id: 'last' });
  await world.deliver();
  expect((await world.results('last'))[0]?.progress).toMatchObject({ completion_pct: 99, classes_viewed: 92 });
  expect(await world.stores.progress.courseHistories(COMPANY_ID, [ANN, ANN])).toHaveProperty('size', 1);
});
