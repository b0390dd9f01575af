/** The list of the archive: its order, its filters, its pages, and what is no longer in it. In memory; costs a second. */
import { expect, it, vi } from 'vitest';
import {
  archivedUnder,
  readArchive,
  type ArchiveFilter,
  type ArchivePosition,
} from '../../functions/imports/archived-records.ts';
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

it('a page reads the ids of the records that it has room for, and of no others', async () => {
  const many = Array.from({ length: 30 }, (_, at) => record(`g-${at}`, GONE));
  await archived('one', many);
  const identities = vi.spyOn(world.stores.progress, 'identities');
  const { items, searchedTo } = await page({}, { limit: 10 });
  expect([items.length, searchedTo]).toMatchObject([10, { import_id: 'one', index: 9 }]);
  expect(identities.mock.calls.map(([, ids]) => ids.length)).toEqual([10]);
});

it('a page that many imported records are on is filled with those that follow', async () => {
  const many = Array.from({ length: 30 }, (_, at) => record(`g-${at}`, GONE));
  await archived('one', many);
  const user = { company_id: COMPANY_ID, role: 'customer', avatar: '', license: 'active' } as const;
  await planted(world.stores.platform).putUsers([{ ...user, user_id: 77, email: GONE, name: 'Back' }]);
  await archived('two', many.slice(0, 25));
  const expected = many.slice(25).map((_, at) => `one ${25 + at}`);
  for (const limit of [1, 4, 500]) expect(await found({}, limit)).toEqual(expected);
  const { items } = await page({}, { limit: 4 });
  expect(items.map(({ position }) => position.index)).toEqual([25, 26, 27, 28]);
});

it('what a person has in many chunks is found in requests of a hundred places', async () => {
  limitChunks(1);
  const many = Array.from({ length: 230 }, (_, at) => record(`g-${at}`, GONE));
  await archived('one', many);
  const newest = await archivedUnder(COMPANY_ID, new Set([GONE]), 100, world.stores);
  expect(newest.map(({ index }) => index)).toEqual(many.slice(0, 100).map((_, at) => at));
  for (let at = 0; at < 60; at += 1) await archived(`later-${at}`, [record(`l-${at}`, GONE)]);
  const of60 = await archivedUnder(COMPANY_ID, new Set([GONE]), 60, world.stores);
  expect(of60.map(({ import_id }) => import_id)).toEqual(Array.from({ length: 60 }, (_, at) => `later-${59 - at}`));
});
