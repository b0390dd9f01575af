/** The list of the archive: its order, its filters, its pages, and what is no longer in it. In memory; costs a second. */
import { expect, it, vi } from 'vitest';
import { readArchive, type ArchiveFilter, type ArchivePosition } from '../../functions/imports/archived-records.ts';
import { spelledName } from '../../functions/records/person.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { planted } from '../kit/planted.ts';
import { COMPANY_ID, RUN, record, useImportWorld } from './world.ts';

const world = useImportWorld();
const GONE = 'gone@acme.test';
const retired = { content: { type: 'course', external_course_id: 'SEC-1' } };

/** Archives these records; each import is accepted a second after the one before. */
async function archived(import_id: string, records: readonly object[], run_id: string | null = null): Promise<void> {
  world.clock.now += 1_000;
  await world.accept(records, { import_id, run_id, archive: true });
  await world.deliver();
}

interface Options {
  readonly limit?: number;
  readonly after?: ArchivePosition;
}

const page = (filter: ArchiveFilter, { limit = 500, after }: Options = {}) =>
  readArchive(COMPANY_ID, filter, { limit, after }, world.stores);

/** The places of all records that the filter finds, page by page. */
async function found(filter: ArchiveFilter = {}, limit?: number): Promise<string[]> {
  const places: string[] = [];
  for (let after: ArchivePosition | undefined; ;) {
    const { items, searchedTo } = await page(filter, { ...(limit && { limit }), ...(after && { after }) });
    const shown = items.slice(0, limit);
    places.push(...shown.map(({ entry: { import_id, index } }) => `${import_id} ${index}`));
    after = shown.length < items.length ? shown.at(-1)?.position : searchedTo;
    if (after === undefined) return places;
  }
}

it('is newest import first, in the order sent, whatever the limit and the filter', async () => {
  limitChunks(2);
  const five = ['a', 'b', 'c', 'd', 'e'].map((id) => record(id, GONE));
  await archived('one', [record('x'), ...five]);
  await archived('two', five, RUN.run_id);
  const expected = [...[0, 1, 2, 3, 4].map((at) => `two ${at}`), ...[1, 2, 3, 4, 5].map((at) => `one ${at}`)];
  for (const filter of [{}, { name: GONE }, { error_code: 'user_not_found' as const }])
    for (const limit of [1, 2, 3, 500]) expect(await found(filter, limit)).toEqual(expected);
  expect(await found({ run_id: RUN.run_id }, 2)).toEqual(expected.slice(0, 5));
  expect(await found({ run_id: RUN.run_id, name: GONE })).toEqual(expected.slice(0, 5));
});

it('is narrowed by course, by either identifier as it was sent, and by error', async () => {
  const byNumber = { ...record('n'), content: { type: 'course', platform_course_id: 999 } };
  await archived('one', [
    record('g', GONE),
    { ...record('r'), ...retired },
    byNumber,
    { ...record('b', GONE), ...retired },
  ]);
  expect(await found({ course: 'SEC-1' })).toEqual(['one 1', 'one 3']);
  expect(await found({ course: '999' })).toEqual(['one 2']);
  expect(await found({ course: 'sec-1' })).toEqual([]);
  expect(await found({ error_code: 'external_course_id_not_mapped' })).toEqual(['one 1', 'one 3']);
  expect(await found({ error_code: 'user_not_found', course: 'SEC-1', name: GONE })).toEqual(['one 3']);
});

it('has the record as it was sent, with its errors, and when it was archived', async () => {
  await archived('one', [record('g', GONE)], RUN.run_id);
  const { items } = await page({ name: spelledName('<GONE@acme.test>') });
  expect(items.map(({ entry }) => entry)).toMatchObject([
    {
      import_id: 'one',
      run_id: RUN.run_id,
      archived_at: (await world.read('one')).created_at,
      external_record_id: 'g',
      errors: [{ error_code: 'user_not_found' }],
      record: record('g', GONE),
    },
  ]);
});

it('a record leaves it when a later import stores something under its id, and a revert of that brings it back', async () => {
  await archived('one', [record('g', GONE), record('h', GONE)]);
  await archived('two', [record('g', GONE)]);
  const user = { company_id: COMPANY_ID, role: 'customer', avatar: '', license: 'active' } as const;
  await planted(world.stores.platform).putUsers([{ ...user, user_id: 77, email: GONE, name: 'Back' }]);
  await archived('three', [record('g', GONE)]);
  expect(await world.outcomes('three')).toEqual(['applied']);
  expect(await found()).toEqual(['one 1']);
  await world.revert('three');
  expect(await found({ name: GONE })).toEqual(['two 0', 'one 0', 'one 1']);
});

it('what an earlier import stored under its id does not take it out', async () => {
  await archived('one', [record('a')]);
  const user = { company_id: COMPANY_ID, role: 'customer', avatar: '', license: 'inactive' } as const;
  await planted(world.stores.platform).putUsers([{ ...user, user_id: 7, email: 'ann@acme.test', name: 'Ann' }]);
  await archived('two', [record('a')]);
  expect(await found()).toEqual(['two 0']);
});

it('nothing is read of imports that archived nothing, or were reverted', async () => {
  await world.accept([record('a'), record('g', GONE)], { import_id: 'none' });
  await world.deliver();
  await archived('one', [record('h', GONE)]);
  await world.revert('one');
  const readAll = vi.spyOn(world.stores.imports, 'readAll');
  expect(await found()).toEqual([]);
  expect(readAll.mock.calls.map(([, ids]) => ids)).toEqual([[]]);
});

it('a request searches a bounded number of chunks, and the next one goes on', async () => {
  limitChunks(1);
  const many = Array.from({ length: 60 }, (_, at) => record(`g-${at}`, GONE));
  await archived('one', many);
  const first = await page({ error_code: 'user_inactive' });
  expect([first.items, first.searchedTo]).toMatchObject([[], { import_id: 'one', index: 39 }]);
  expect(await found({ course: '101' })).toHaveLength(60);
});
