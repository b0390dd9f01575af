import { describe, expect, it } from 'vitest';
import { importWithoutRecords } from '../../../functions/imports/import-item.ts';
import type { ImportFilter } from '../../../functions/imports/import-lists.ts';
import type { EveryStore } from '../../kit/services.ts';
import type { ImportItem, ImportStatus, ImportPosition } from '../../../functions/shared/model.ts';
import { AT, freshCompany, IMPORT_ID, importItem, plan, SUMMARY } from '../samples.ts';

const ids = (company_id: string) => ({ company_id, import_id: IMPORT_ID });

const LATER = '2026-01-02T04:00:00.000Z';
const chunk = { first_index: 0, records: [{ a: '\ud800' }, 7, null], duplicates: [1], oversized: [] };
const text = JSON.stringify(chunk);
const message = (company_id: string) => ({ company_id, import_id: IMPORT_ID, chunk: 0, payload_hash: 'p'.repeat(32) });

export function importStoreContract(stores: () => EveryStore): void {
  const created = async (overrides: Parameters<typeof importItem>[1] = {}) => {
    const item = importItem(freshCompany(), overrides);
    await stores().imports.commit(item);
    return item;
  };

  const ended = (item: ImportItem, status: ImportStatus) => stores().imports.settle({ ...item, status }, LATER);

  const open = async (company: string) => {
    const listed = await stores().jobs.listOpen();
    return listed.flatMap((work) => (work.kind === 'import' && work.company_id === company ? [work] : []));
  };

  describe('imports that replace', () => {
    const noted = async (company_id: string) => {
      const { gate } = await stores().imports.readChunk(message(company_id));
      return gate.replacing ?? new Map();
    };
    const isReplacing = async (company_id: string, nowMs: number) =>
      stores().imports.isReplacing(company_id, await noted(company_id), nowMs);

    it('isReplacing: accepted and open → true; ended → false, and no note is left', async () => {
      const item = await created({ replace: true });
      await stores().imports.noteReplacing(item, AT);
      expect(await isReplacing(item.company_id, Infinity)).toBe(true);
      await ended(item, 'success');
      expect(await isReplacing(item.company_id, 0)).toBe(false);
      expect(await noted(item.company_id)).toEqual(new Map());
    });

    it('isReplacing: not accepted → true while that may still come, then false, and no note is left', async () => {
      const company_id = freshCompany();
      await stores().imports.noteReplacing(ids(company_id), AT);
      expect(await isReplacing(company_id, Date.parse(AT) + 59_999)).toBe(true);
      expect(await isReplacing(company_id, Date.parse(AT) + 60_000)).toBe(false);
      expect(await noted(company_id)).toEqual(new Map());
    });

    it('close forgets the note', async () => {
      const item = await created({ replace: true });
      await stores().imports.noteReplacing(item, AT);
      await stores().imports.close(item);
      expect(await noted(item.company_id)).toEqual(new Map());
    });
  });

  describe('setSummary', () => {
    it('setSummary returns the import with the summary and the new due time', async () => {
      const { company_id } = await created();
      const item = await stores().imports.setSummary(ids(company_id), 1, SUMMARY, LATER);
      expect(item).toMatchObject({ summaries: { 1: SUMMARY }, due_at: LATER, status: 'processing' });
    });

    it('setSummary loses no summary when calls race', async () => {
      const { company_id } = await created();
      await Promise.all(
        [0, 1, 2, 3].map((n) => stores().imports.setSummary(ids(company_id), n, { ...SUMMARY, failed: n }, LATER)),
      );
      const item = await stores().imports.read(ids(company_id));
      expect(Object.values(item?.summaries ?? {}).map(({ failed }) => failed)).toEqual([0, 1, 2, 3]);
    });
  });

  describe('the watchdog', () => {
    it('an import is open, with the number of its resends, until it has ended and is closed', async () => {
      const item = await created();
      const { company_id, import_id, due_at } = item;
      const listed = { kind: 'import', company_id, import_id, due_at, resends: 0, isClosing: false };
      expect(await open(company_id)).toEqual([listed]);
      await stores().imports.countResend(item, LATER);
      await stores().imports.startClosing(item, LATER, LATER);
      const closing = { ...listed, due_at: LATER, resends: 1, isClosing: true };
      expect(await open(company_id)).toEqual([closing]);
      await stores().imports.close(item);
      expect(await open(company_id)).toEqual([closing]);
      await ended(item, 'success');
      expect(await open(company_id)).toEqual([closing]);
      await stores().imports.close(item);
      expect(await open(company_id)).toEqual([]);
      expect(await stores().imports.read(ids(company_id))).not.toHaveProperty('due_at');
    });
  });

  describe('chunks', () => {
    it('readChunk returns the import, the plan and the payload, as far as each is stored', async () => {
      const item = await created();
      const { company_id } = item;
      expect(await stores().imports.readChunk(message(company_id))).toEqual({ import: item, gate: { epoch: 0 } });
      await stores().imports.stage(ids(company_id), [{ hash: message(company_id).payload_hash, text }]);
      await stores().imports.putPlan(ids(company_id), 0, plan('first'));
      expect(await stores().imports.readChunk(message(company_id))).toEqual({
        import: item,
        plan: plan('first'),
        payload: chunk,
        gate: { epoch: 0 },
      });
    });

    it('payloads are returned in the order of the request, absent ones as undefined, repeats twice', async () => {
      const company_id = freshCompany();
      await stores().imports.stage(ids(company_id), [
        { hash: 'b', text },
        { hash: 'a', text: JSON.stringify({ ...chunk, first_index: 5 }) },
      ]);
      const payloads = await stores().imports.readPayloads(ids(company_id), ['a', 'none', 'b', 'a']);
      expect(payloads.map((payload) => payload?.first_index)).toEqual([5, undefined, 0, 5]);
    });

    it('the first plan is stored, and every racing call applies that one', async () => {
      const company_id = freshCompany();
      const plans = Array.from({ length: 10 }, (_, i) => plan(`plan ${i}`));
      const stored = await Promise.all(plans.map((each) => stores().imports.putPlan(ids(company_id), 0, each)));
      expect(new Set(stored.map((each) => JSON.stringify(each))).size).toBe(1);
      const [kept] = await stores().imports.readPlans(importItem(company_id), [0]);
      expect(kept).toEqual(stored[0]);
    });

    it('plans whose text does not compress below 300 KB are stored', async () => {
      const company_id = freshCompany();
      let seed = 1;
      const noise = Array.from({ length: 220_000 }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return String.fromCharCode(33 + (seed % 94));
      }).join('');
      const large = { ...plan('large'), records: [noise] };
      await stores().imports.putPlan(ids(company_id), 0, large);
      expect(await stores().imports.readPlans(importItem(company_id), [0])).toEqual([large]);
    });
  });

  describe('the list of imports', () => {
    it('the list goes from newest to oldest, page by page, in one company', async () => {
      const company_id = freshCompany();
      const ids = ['a', 'b', 'c', 'd', 'e'];
      await created();
      await Promise.all(
        ids.map((import_id, i) =>
          stores().imports.commit(
            importItem(company_id, { import_id, created_at: `2026-01-0${Math.ceil((i + 1) / 2)}` }),
          ),
        ),
      );
      const pages = [];
      let after: ImportPosition | undefined;
      do {
        const { items, searchedTo } = await stores().imports.list(company_id, 2, {}, after);
        pages.push(items.map(({ import_id }) => import_id));
        after = searchedTo;
      } while (after);
      expect(pages).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
    });

    it('the list shows open imports as they are now, and ended ones from their entries alone', async () => {
      const item = await created({ run_id: 'r', summaries: { 0: SUMMARY } });
      const { company_id } = item;
      const list = async () => (await stores().imports.list(company_id, 10)).items;
      expect(await list()).toEqual([importWithoutRecords(item)]);
      const { item: terminal } = await ended(item, 'error');
      expect(await list()).toEqual([importWithoutRecords(terminal)]);
    });

    it('the list is narrowed to a status, a run and a time, each by an index', async () => {
      const company_id = freshCompany();
      const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`;
      const put = (import_id: string, n: number, overrides: Partial<ImportItem>) =>
        stores().imports.commit(importItem(company_id, { import_id, created_at: day(n), ...overrides }));
      await put('a', 1, { status: 'success', run_id: 'x' });
      await put('b', 2, { status: 'error', run_id: 'x#y' });
      await put('c', 3, { status: 'error', run_id: 'x' });
      await put('d', 4, { status: 'processing', run_id: 'x' });
      const found = async (filter: ImportFilter) =>
        (await stores().imports.list(company_id, 9, filter)).items.map(({ import_id }) => import_id).join('');
      expect(await found({ status: 'error' })).toBe('cb');
      expect(await found({ run_id: 'x' })).toBe('dca');
      expect(await found({ run_id: 'x', status: 'error' })).toBe('c');
      expect(await found({ created_since: day(2), created_before: day(4) })).toBe('cb');
      expect(await found({ run_id: 'x', created_since: day(3) })).toBe('dc');
      expect(await found({ created_since: day(4), created_before: day(2) })).toBe('');
      expect(
        (await stores().imports.importsOfRun({ company_id, run_id: 'x' })).map(({ import_id }) => import_id),
      ).toEqual(['a', 'c', 'd']);
    });

    it('a page ends after 25 imports that are processing, and the next page starts there', async () => {
      const company_id = freshCompany();
      const ids = Array.from({ length: 30 }, (_, i) => `i${i + 10}`);
      await Promise.all(ids.map((import_id) => stores().imports.commit(importItem(company_id, { import_id }))));
      const first = await stores().imports.list(company_id, 30);
      expect(first.items).toHaveLength(25);
      const second = await stores().imports.list(company_id, 30, {}, first.searchedTo);
      expect([...first.items, ...second.items].map(({ import_id }) => import_id)).toEqual(ids.toReversed());
      expect(second.searchedTo).toBeUndefined();
    });
  });

  describe('runs', () => {
    it('runs are listed once, by their first import, newest first', async () => {
      const company_id = freshCompany();
      const { imports } = stores();
      const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
      const made = (created_at: string) => ({ created_at, by: 1, dry_run: false });
      await imports.putRun({ company_id, run_id: 'a#1' }, made(first));
      await imports.putRun({ company_id, run_id: 'b' }, made(second));
      await imports.putRun({ company_id, run_id: 'a#1' }, made(second));
      const newest = { run_id: 'b', created_at: second };
      expect(await imports.listRuns(company_id, 1)).toEqual([newest]);
      expect(await imports.listRuns(company_id, 2, newest)).toEqual([{ run_id: 'a#1', created_at: first }]);
    });
  });
}
