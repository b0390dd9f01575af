/** The stored items of the archive: what is kept of a chunk, and the names that lead to it. */
import { describe, expect, it } from 'vitest';
import { spelledName } from '../../../functions/records/person.ts';
import type { ArchivedPlace } from '../../../functions/imports/archive.ts';
import type { ImportItem, Plan } from '../../../functions/shared/model.ts';
import type { EveryStore } from '../../kit/services.ts';
import { freshCompany, importItem } from '../samples.ts';

const UNTIL = '2999-01-01T00:00:00.000Z';
const PAST = '2001-01-01T00:00:00.000Z';
const OLDER = '2026-01-01T00:00:00.000Z';
const [ANN, BEN] = ['ann@acme.test', 'ben@acme.test'];

/** A plan that archives a record of each of these users, from this position on. */
function archiving(first: number, ...users: readonly object[]): Plan {
  const errors = [{ error_code: 'user_not_found', message: 'gone' } as const];
  const result = {
    external_record_id: 'r',
    status: 'error',
    outcome: null,
    errors,
    warnings: [],
    progress: null,
  } as const;
  const planned = users.map((_, at) => ({ result: { ...result, index: first + at, archived: true as const } }));
  return { records: users.map((user) => ({ user, odd: '\ud800 \u0000 😀' })), planned };
}

export function archiveStoreContract(stores: () => EveryStore): void {
  describe('the archive', () => {
    const archive = () => stores().archive;
    const imported = (overrides: Partial<ImportItem> = {}) =>
      importItem(freshCompany(), { run_id: 'spring', archived_until: UNTIL, ...overrides });

    const kept = async ({ company_id, import_id }: ImportItem, ...chunks: number[]) =>
      (
        await archive().readArchived(
          company_id,
          chunks.map((chunk) => ({ import_id, chunk })),
        )
      ).map((each) => each && Object.keys(each.archived).map(Number));
    const placesOf = async (...of: Parameters<EveryStore['archive']['archivedPlaces']>) => {
      const places: ArchivedPlace[] = [];
      for await (const place of archive().archivedPlaces(...of)) places.push(place);
      return places;
    };
    const placed = async ({ company_id }: ImportItem, name: string) => {
      const places = await placesOf(company_id, spelledName(name));
      return places.map(({ import_id, chunk, positions }) => [import_id, chunk, ...positions]);
    };

    it('what a plan archives is read as it was put, however often, and found by each of its names', async () => {
      const item = imported();
      const plan = archiving(125, { email: ANN }, { email: BEN, external_user_id: 9 }, { email: 'ANN@acme.test' });
      for (const _ of [1, 2]) await archive().putArchived(item, 1, plan);
      const [chunk] = await archive().readArchived(item.company_id, [{ import_id: item.import_id, chunk: 1 }]);
      expect(chunk?.run_id).toBe('spring');
      expect(chunk?.archived[126]).toEqual({ record: plan.records[1], errors: plan.planned[1]?.result.errors });
      expect(await placed(item, ' Ann@ACME.test')).toEqual([[item.import_id, 1, 125, 127]]);
      expect(await placed(item, '9')).toEqual(await placed(item, BEN));
      expect(await placed(item, 'cid@acme.test')).toEqual([]);
    });

    it('nothing is kept of an import that asked for none, nor of a chunk without such records', async () => {
      const asked = imported();
      const { archived_until: _, ...none } = asked;
      await archive().putArchived(none, 0, archiving(0, { email: ANN }));
      await archive().putArchived(asked, 1, archiving(0));
      expect(await kept(asked, 0, 1)).toEqual([undefined, undefined]);
      expect(await placed(asked, ANN)).toEqual([]);
    });

    it('the places of a name come newest import first, and go on after a place', async () => {
      const newer = imported();
      const older = { ...newer, import_id: 'z'.repeat(26), created_at: OLDER };
      for (const [item, chunk] of [
        [older, 0],
        [newer, 0],
        [newer, 1],
      ] as const)
        await archive().putArchived(item, chunk, archiving(chunk * 125, { email: ANN }));
      expect((await placed(newer, ANN)).map(([import_id, chunk]) => [import_id, chunk])).toEqual([
        [newer.import_id, 1],
        [newer.import_id, 0],
        [older.import_id, 0],
      ]);
      const after = { created_at: newer.created_at, import_id: newer.import_id, chunk: 0 };
      const rest = await placesOf(newer.company_id, ANN, after);
      expect(rest.map(({ import_id }) => import_id)).toEqual([older.import_id]);
    });

    it('a record that is taken out takes its names with it, but for those that others have', async () => {
      const item = imported();
      const names = [{ email: ANN }, { email: BEN, external_user_id: 'A-1' }, { email: ANN, external_user_id: 'a-1' }];
      await archive().putArchived(item, 0, archiving(0, ...names));
      const [stored] = await archive().readArchived(item.company_id, [{ import_id: item.import_id, chunk: 0 }]);
      const { 1: ben, ...left } = stored?.archived ?? {};
      expect(ben).toBeDefined();
      await archive().replaceArchived(item, 0, stored?.archived ?? {}, left);
      expect(await kept(item, 0)).toEqual([[0, 2]]);
      expect(await placed(item, BEN)).toEqual([]);
      expect(await placed(item, 'A-1')).toEqual([[item.import_id, 0, 2]]);
      await archive().replaceArchived(item, 0, left, {});
      expect(await kept(item, 0)).toEqual([undefined]);
      expect(await placed(item, ANN)).toEqual([]);
    });

    it('all that an import archived is removed, and nothing of another', async () => {
      const item = imported();
      const other = { ...item, import_id: 'z'.repeat(26) };
      await archive().putArchived(item, 0, archiving(0, { email: ANN }));
      await archive().putArchived(item, 1, archiving(125, { email: BEN }));
      await archive().putArchived(other, 0, archiving(0, { email: ANN }));
      for (const _ of [1, 2]) await archive().removeArchived(item);
      expect(await kept(item, 0, 1)).toEqual([undefined, undefined]);
      expect(await placed(item, BEN)).toEqual([]);
      expect(await placed(item, ANN)).toEqual([[other.import_id, 0, 0]]);
    });

    it('what has expired is not shown, whether or not it is deleted already', async () => {
      const item = imported({ archived_until: PAST });
      await archive().putArchived(item, 0, archiving(0, { email: ANN }));
      expect(await kept(item, 0)).toEqual([undefined]);
      expect(await placed(item, ANN)).toEqual([]);
    });

    it('what has expired and is not deleted yet is removed with what an import archived', async () => {
      const item = imported({ archived_until: PAST });
      const chunks = [{ import_id: item.import_id, chunk: 0 }];
      await archive().putArchived(item, 0, archiving(0, { email: ANN }));
      expect(await archive().readStored(item.company_id, chunks)).toMatchObject([{ run_id: 'spring' }]);
      await archive().removeArchived(item);
      expect(await archive().readStored(item.company_id, chunks)).toEqual([undefined]);
    });
  });
}
