/** The decision of a revert, and that its cost does not grow with records times contributions. Costs milliseconds. */
import { expect, it } from 'vitest';
import { decideRevert } from '../../functions/reverts/report.ts';
import type { Contribution, RecordWrite } from '../../functions/shared/model.ts';
import { contributed, record, stored } from '../records/fixtures.ts';

const RESULT = { status: 'success', errors: [], warnings: [], progress: null } as const;
const PAIR = { user_id: 7, platform_course_id: 101 };
const EARLIER = 300;
const OWN = 100;

const contribution = (import_id: string, index: number): Contribution => ({
  ...contributed(record({ external_record_id: `${import_id}-${index}` }), { import_id }),
  index,
  completion_pct: index % 100,
});

/** Counts how often its percentage is read, which each join does once. */
function counted(each: Contribution, count: () => void): Contribution {
  return Object.defineProperty({ ...each }, 'completion_pct', {
    get: () => {
      count();
      return each.completion_pct;
    },
  });
}

it('decideRevert: many records of one learner course → its history is joined once', () => {
  let joined = 0;
  const count = () => (joined += 1);
  const own = Array.from({ length: OWN }, (_, index) => contribution('own', index));
  const earlier = Array.from({ length: EARLIER }, (_, index) => contribution('earlier', index));
  const contributions = [...own, ...earlier].map((each) => counted(each, count));
  const planned = own.map((each) => {
    const write: RecordWrite = { ...PAIR, claim: true, contribution: each, items: 1 };
    const { index, external_record_id } = each;
    return { result: { ...RESULT, index, external_record_id, outcome: 'applied' } as const, write };
  });
  const { records, freed } = decideRevert({
    plans: [{ records: [], planned }],
    histories: new Map([['7/101', stored({ contributions })]]),
    courses: new Map(),
    reverted: new Set(['own']),
    transfers: [],
  });
  expect(records.map(({ outcome, progress }) => [outcome, progress?.completion_pct])).toEqual(
    own.map(() => ['reverted', 99]),
  );
  expect(freed).toHaveLength(OWN);
  expect(joined).toBe(EARLIER);
});

it.each([
  ['before it → it was stored for its place alone', '1', 'nothing_to_revert'],
  ['after it → it counted', '3', 'reverted'],
] as const)(
  'decideRevert: an unchanged record whose content another import stored, accepted %s',
  (_, other, outcome) => {
    const at = (import_id: string) => contributed(record(), { import_id, imported_at: `2026-01-0${import_id}` });
    const contributions = [at('2'), at(other)];
    const write: RecordWrite = { ...PAIR, claim: false, contribution: at('2'), items: 1 };
    const { external_record_id } = write.contribution;
    const result = { ...RESULT, index: 0, external_record_id, outcome: 'unchanged' } as const;
    const { records } = decideRevert({
      plans: [{ records: [], planned: [{ result, write }] }],
      histories: new Map([['7/101', stored({ contributions })]]),
      courses: new Map(),
      reverted: new Set(['2']),
      transfers: [],
    });
    expect(records).toMatchObject([{ outcome }]);
  },
);
