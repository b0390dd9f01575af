import { describe, expect, it } from 'vitest';
import { learnerCourseId } from '../../../functions/records/identifiers.ts';
import { NO_PROGRESS } from '../../../functions/records/merge.ts';
import type { EveryStore } from '../../kit/services.ts';
import type { Contribution, Progress, RecordWrite } from '../../../functions/shared/model.ts';
import { Dice } from '../../kit/dice.ts';
import { contribution, freshCompany, incompressible, ODD_IDS, write } from '../samples.ts';
import { planted } from '../../kit/planted.ts';

const PAIR = { user_id: 7, platform_course_id: 101 };
const OTHER = { user_id: 8, platform_course_id: 101 };
const NATIVE: Progress = {
  ...NO_PROGRESS,
  completion_pct: 40,
  classes: [{ platform_class_id: 1001, viewed_at: null }],
  started_at: '2020-01-01T00:00:00.000Z',
};

/** Some 15 bytes each, however they are packed. */
function incompressibleViews(length: number) {
  const dice = new Dice(1, 1);
  return Array.from({ length }, () => ({
    platform_class_id: dice.between(1, 1e15),
    viewed_at: new Date(dice.between(0, 1e12)).toISOString(),
  }));
}

const indexes = (contributions: readonly Contribution[] = []) => contributions.map(({ index }) => index);

/** Contributions that fill several items, of three each. */
const MANY = 40;

export function progressStoreContract(stores: () => EveryStore): void {
  const contribute = (company_id: string, writes: RecordWrite[]) => stores().progress.contribute(company_id, writes);
  const stored = async (company_id: string, pair = PAIR) =>
    (await stores().progress.courseHistories(company_id, [pair])).get(learnerCourseId(pair));
  const claim = (company_id: string, ids: string[], pair = PAIR) =>
    stores().progress.claim(
      company_id,
      ids.map((external_record_id) => ({ external_record_id, ...pair })),
    );

  describe('claims', () => {
    it('a claim binds an id of any characters to its pair', async () => {
      const company_id = freshCompany();
      expect(await claim(company_id, ODD_IDS)).toEqual(new Map());
      expect(await stores().progress.identities(company_id, [...ODD_IDS, 'unbound'])).toEqual(
        new Map(ODD_IDS.map((id) => [id, PAIR])),
      );
    });

    it('a claim never moves: another pair gets the holder of the id, and its other ids are bound', async () => {
      const company_id = freshCompany();
      await claim(company_id, ['r-1']);
      expect(await claim(company_id, ['r-1', 'r-2'], OTHER)).toEqual(new Map([['r-1', PAIR]]));
      expect(await stores().progress.identities(company_id, ['r-1', 'r-2'])).toEqual(
        new Map([
          ['r-1', PAIR],
          ['r-2', OTHER],
        ]),
      );
    });

    it('a claim has one winner per id when two pairs race', async () => {
      const company_id = freshCompany();
      const ids = Array.from({ length: 60 }, (_, i) => `r-${i}`);
      const [lostByFirst, lostByOther] = await Promise.all([claim(company_id, ids), claim(company_id, ids, OTHER)]);
      expect(lostByFirst.size + lostByOther.size).toBe(60);
    });

    it('the first of two claims of one id in a call counts', async () => {
      const company_id = freshCompany();
      const claims = [PAIR, OTHER].map((pair) => ({ external_record_id: 'r-1', ...pair }));
      await stores().progress.claim(company_id, claims);
      expect(await stores().progress.identities(company_id, ['r-1'])).toEqual(new Map([['r-1', PAIR]]));
    });
  });

  describe('contributions', () => {
    it('contributions are read as written, whether or not the hint about the item was right', async () => {
      for (const items of [0, 1]) {
        const company_id = freshCompany();
        const record = { classes: [{ platform_class_id: 1, viewed_at: null }], external_ref: 'x\ud800y' };
        await contribute(company_id, [write({ items, record })]);
        await contribute(company_id, [write({ items, record: { ...record, index: 124 } })]);
        expect((await stored(company_id))?.contributions).toEqual([
          contribution(record),
          contribution({ ...record, index: 124 }),
        ]);
      }
    });

    it('contributions do not change the native progress, and it does not change them', async () => {
      const company_id = freshCompany();
      const row = { company_id, ...PAIR, progress: NATIVE };
      await planted(stores().platform).putNativeProgress([row]);
      await contribute(company_id, [write()]);
      await planted(stores().platform).putNativeProgress([{ ...row, progress: { ...NATIVE, completion_pct: 41 } }]);
      expect(await stored(company_id)).toMatchObject({
        native: { ...NATIVE, completion_pct: 41 },
        contributions: [contribution()],
      });
    });

    describe('more contributions than one item holds', () => {
      const external_ref = incompressible(30 * 1024);
      const large = (index: number, items = 0) => write({ items, record: { index, external_ref } });
      const all = Array.from({ length: MANY }, (_, index) => index);

      it('contributions beyond one item do not take the space of the organic progress', async () => {
        const company_id = freshCompany();
        await Promise.all(all.map((index) => contribute(company_id, [large(index, index % 2)])));
        const viewed = incompressibleViews(9_000);
        await planted(stores().platform).putNativeProgress([
          { company_id, ...PAIR, progress: { ...NATIVE, classes: viewed } },
        ]);
        expect((await stored(company_id))?.native?.classes).toHaveLength(9_000);
      });

      it('contributions that find no space beside an organic progress that fills the item go into another one', async () => {
        const company_id = freshCompany();
        const viewed = incompressibleViews(20_000);
        await planted(stores().platform).putNativeProgress([
          { company_id, ...PAIR, progress: { ...NATIVE, classes: viewed } },
        ]);
        await contribute(
          company_id,
          all.slice(0, 10).map((index) => large(index, 1)),
        );
        expect(await stored(company_id)).toMatchObject({ items: 5, native: { completion_pct: 40 } });
        expect(indexes((await stored(company_id))?.contributions)).toEqual(all.slice(0, 10));
      });
    });
  });

  describe('learner courses', () => {
    it('learner courses of similar numbers are distinct', async () => {
      const company_id = freshCompany();
      const pairs = [
        { user_id: 1, platform_course_id: 11 },
        { user_id: 11, platform_course_id: 1 },
        { user_id: 1, platform_course_id: Number.MAX_SAFE_INTEGER },
      ];
      await contribute(
        company_id,
        pairs.map((pair, index) => write({ ...pair, record: { index } })),
      );
      const found = await stores().progress.courseHistories(company_id, [...pairs, ...pairs]);
      expect(pairs.map((pair) => indexes(found.get(learnerCourseId(pair))?.contributions))).toEqual([[0], [1], [2]]);
    });
  });
}
