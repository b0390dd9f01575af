/** The stored items of reverts: gate of a company, revert and its steps, report, chunks that rely on an import. */
import { describe, expect, it } from 'vitest';
import { learnerCourseId } from '../../../functions/records/identifiers.ts';
import type { EveryStore } from '../../kit/services.ts';
import type { RecordWrite } from '../../../functions/shared/model.ts';
import { IMPORT_ID, LATER, ODD_IDS, freshCompany, importSubject, revertOf, write } from '../samples.ts';

const RACERS = 8;
const RELIED_ON = 'relied-on';
const PAIR = { user_id: 7, platform_course_id: 101 };

const runSubject = (company_id: string, run_id: string) => ({ kind: 'run', company_id, run_id }) as const;

export function revertStoreContract(stores: () => EveryStore): void {
  describe('the gate', () => {
    it('the gate is held by one revert, however many race, and the holder may take it again', async () => {
      const company_id = freshCompany();
      const taken = await racing((at) => stores().jobs.takeGate(company_id, `revert-${at}`));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const { by = '' } = await stores().jobs.readGate(company_id);
      expect(by).toBe(`revert-${taken.indexOf(true)}`);
      expect(await stores().jobs.takeGate(company_id, by)).toBe(true);
    });

    it('the gate is passed to each that waits, the first of them first, and opened after the last', async () => {
      const company_id = freshCompany();
      const { jobs } = stores();
      await jobs.takeGate(company_id, 'one');
      for (const by of ['two', 'three', 'two']) expect(await jobs.takeGate(company_id, by)).toBe(false);
      expect(await jobs.readGate(company_id)).toEqual({ epoch: 0, by: 'one', waiting: ['two', 'three'] });
      expect(await racing(() => jobs.passGate(company_id, 'one', true))).toEqual(
        expect.arrayContaining(['two', undefined]),
      );
      expect(await jobs.readGate(company_id)).toEqual({ epoch: 1, by: 'two', waiting: ['three'] });
      expect(await jobs.passGate(company_id, 'two', false)).toBe('three');
      expect(await jobs.passGate(company_id, 'three', true)).toBeUndefined();
      expect(await jobs.readGate(company_id)).toEqual({ epoch: 2 });
    });
  });

  describe('a revert', () => {
    const open = async (company: string) =>
      (await stores().jobs.listOpen()).filter((work) => work.kind === 'revert' && work.subject.company_id === company);

    it('a revert is requested once, however many calls race, and each returns the winner', async () => {
      const company_id = freshCompany();
      const stored = await racing((at) => stores().reverts.request(revertOf(company_id, { requested_by: at })));
      expect(new Set(stored.map(({ requested_by }) => requested_by)).size).toBe(1);
      expect(await stores().reverts.read(importSubject(company_id))).toEqual(stored[0]);
    });

    it('a revert that is stored as done leaves the gate open, and no other in its place', async () => {
      const company_id = freshCompany();
      await stores().reverts.putDone(revertOf(company_id, { phase: 'done' }));
      expect(await stores().jobs.readGate(company_id)).toEqual({ epoch: 0 });
      const first = await stores().reverts.read(importSubject(company_id));
      await stores().reverts.putDone(revertOf(company_id, { phase: 'done', requested_by: 2 }));
      expect(await stores().reverts.read(importSubject(company_id))).toEqual(first);
    });

    it.each(ODD_IDS)('a revert of the run %j is found by the watchdog until it is done', async (run_id) => {
      const company_id = freshCompany();
      const subject = runSubject(company_id, run_id);
      const revert = await stores().reverts.request(revertOf(company_id, { subject }));
      expect(await open(company_id)).toMatchObject([{ kind: 'revert', subject, due_at: LATER, resends: 0 }]);
      const done = await stores().reverts.advance(revert, { phase: 'done', completed_at: LATER });
      expect(await open(company_id)).toEqual([]);
      const { due_at: _, ...rest } = revert;
      expect(await stores().reverts.read(subject)).toEqual({ ...rest, phase: 'done', completed_at: LATER, version: 1 });
      expect(done).toMatchObject({ phase: 'done' });
    });

    it('a revert of a run may be requested again once it is done: the run has further imports', async () => {
      const company_id = freshCompany();
      const subject = runSubject(company_id, 'run');
      const first = await stores().reverts.request(revertOf(company_id, { subject }));
      await stores().reverts.advance(first, { phase: 'done' });
      const again = revertOf(company_id, { subject, requested_by: 2 });
      const stored = await racing(() => stores().reverts.request(again));
      expect(stored.map(({ requested_by, version }) => [requested_by, version])).toEqual(Array(RACERS).fill([2, 2]));
    });

    it('a request while a revert of the run runs is covered by it, whatever step it takes; it does not end unseen', async () => {
      const company_id = freshCompany();
      const subject = runSubject(company_id, 'run');
      const { reverts } = stores();
      const first = await reverts.request(revertOf(company_id, { subject }));
      const racers = racing((at) =>
        reverts.request(revertOf(company_id, { subject, requested_by: at, covers: LATER })),
      );
      const step = await reverts.advance(first, { phase: 'opened' });
      await racers;
      if (step === undefined) throw new Error('A request has taken a step.');
      expect(await reverts.finish(step, LATER)).toBeUndefined();
      const covering = await reverts.read(subject);
      expect([covering?.phase, covering?.version, (covering?.covers ?? '') > LATER]).toEqual(['opened', 1, true]);
    });

    it('a dry run of a run is requested beside its revert, and leaves the gate open', async () => {
      const company_id = freshCompany();
      const subject = { kind: 'preview', company_id, run_id: 'run' } as const;
      await racing(() => stores().reverts.request(revertOf(company_id, { subject, phase: 'previewing' })));
      expect(await open(company_id)).toMatchObject([{ kind: 'revert', subject }]);
      expect(await stores().reverts.read(runSubject(company_id, 'run'))).toBeUndefined();
      expect(await stores().jobs.readGate(company_id)).toEqual({ epoch: 0 });
    });
  });

  it('the contents that chunks rely on are noted once beside each import, and forgotten', async () => {
    const company_id = freshCompany();
    const ids = { company_id, import_id: RELIED_ON };
    const chunks = [0, 1, 9_999].map((chunk) => ({ import_id: IMPORT_ID, chunk }));
    for (const chunk of [...chunks, ...chunks]) {
      await stores().imports.putReliances(company_id, chunk, [RELIED_ON, 'another', RELIED_ON]);
    }
    expect(await stores().imports.readReliances(ids)).toEqual(chunks);
    await stores().imports.forgetReliances(ids, chunks.slice(0, 2));
    expect(await stores().imports.readReliances(ids)).toEqual(chunks.slice(2));
    expect(await stores().imports.readReliances({ company_id, import_id: 'another' })).toHaveLength(3);
  });

  describe('what an import wrote', () => {
    const stored = async (company_id: string, pair = PAIR) =>
      (await stores().progress.courseHistories(company_id, [pair])).get(learnerCourseId(pair))?.contributions ?? [];
    const large = (index: number, import_id: string, items = 0): RecordWrite =>
      write({ items, record: { index, import_id, external_ref: `${index}`.padEnd(60_000, 'x') } });

    it('the contributions of an import are removed from every item that has them, and nothing else, however often', async () => {
      const company_id = freshCompany();
      const own = [0, 1, 2, 3, 4].map((index) => large(index, IMPORT_ID));
      for (const each of own) {
        await stores().progress.contribute(company_id, [each]);
        await stores().progress.contribute(company_id, [large(each.contribution.index, 'another')]);
      }
      for (const _ of ['once', 'again']) await stores().reverts.remove(company_id, own);
      const left = await stored(company_id);
      expect(left.map(({ import_id, index }) => [import_id, index])).toEqual(
        [0, 1, 2, 3, 4].map((index) => ['another', index]),
      );
    });

    it('removing contributions that were never written creates no item', async () => {
      const company_id = freshCompany();
      await stores().reverts.remove(company_id, [write()]);
      expect(await stores().progress.courseHistories(company_id, [PAIR])).toEqual(new Map());
    });
  });
}

const racing = <Result>(one: (at: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: RACERS }, (_, at) => one(at)));
