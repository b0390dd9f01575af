/** What counts of the versions of a record. Costs milliseconds; `test/reference` has the laws. */
import { expect, it } from 'vitest';
import { countingOf, versionsOf, contentId, storedIn } from '../../functions/records/versions.ts';
import { auditEntry } from '../../functions/records/transcript.ts';
import { contributed, plan, record, stored } from './fixtures.ts';

const at = (import_id: string, completion_pct: number, replace = false) =>
  contributed(record({ progress: { completion_pct } }), {
    import_id,
    imported_at: `2026-01-0${import_id}T00:00:00.000Z`,
    replace,
  });

const pct = ({ completion_pct }: { completion_pct: number }) => completion_pct;

it.each([
  ['one after the other without replacing → both', [at('1', 40), at('2', 80)], [40, 80]],
  ['replaced → the later word alone', [at('1', 80), at('2', 40, true)], [40]],
  ['processed before what it replaces → the same', [at('2', 40, true), at('1', 80)], [40]],
  ['sent after the replacing one → it counts with it', [at('1', 80), at('2', 40, true), at('3', 60)], [40, 60]],
  ['A, B, A, each replacing → the last A', [at('1', 80, true), at('2', 40, true), at('3', 80, true)], [80]],
  ['the same twice, in flight together → the first', [at('2', 80), at('1', 80)], [80]],
])('countingOf: %s', (_, contributions, counting) => {
  expect(countingOf(contributions).map(pct)).toEqual(counting);
});

it('versionsOf: each replaced version names the import that replaced it', () => {
  const versions = versionsOf([at('1', 80), at('2', 60), at('3', 40, true), at('4', 30, true)]).map(auditEntry);
  expect(versions.map(({ import_id, replaced_by }) => [import_id, replaced_by])).toEqual([
    ['1', '3'],
    ['2', '3'],
    ['3', '4'],
    ['4', undefined],
  ]);
});

it.each([
  ['none replaces', () => ({})],
  ['each replaces', () => ({ replaces: true as const })],
  ['every third replaces', (night: number) => (night % 3 === 0 ? { replaces: true as const } : {})],
])('versionsOf: 10,000 versions are compared in one pass: %s', (_, ofNight) => {
  let looks = 0;
  const first = at('1', 80);
  const nights = Array.from({ length: 10_000 }, (_each, night) => ({
    ...first,
    import_id: String(night).padStart(5, '0'),
    ...ofNight(night),
    get content_hash() {
      looks += 1;
      return `content ${night}`;
    },
  }));
  expect(versionsOf(nights)).toHaveLength(10_000);
  expect(looks).toBeLessThanOrEqual(20_000);
});

it.each([
  ['what was replaced, sent again → updated', 80, false, [at('1', 80), at('2', 40, true)], ['updated', 80]],
  ['what counts, sent again → unchanged', 40, false, [at('1', 80), at('2', 40, true)], ['unchanged', 40]],
  ['replacing, all that counts says it → unchanged', 40, true, [at('1', 80), at('2', 40, true)], ['unchanged', 40]],
  ['replacing, one of two versions says it → updated', 40, true, [at('1', 80), at('2', 40)], ['updated', 40]],
  [
    'accepted before the one that replaces → updated, and it does not count',
    80,
    false,
    [at('3', 40, true)],
    ['updated', 40],
  ],
] as const)('a record is planned with what counts: %s', (_, completion_pct, replace, contributions, expected) => {
  const context = { import_id: '2b', imported_at: '2026-01-02T12:00:00.000Z', replace };
  const { result } = plan(record({ progress: { completion_pct } }), stored({ contributions }), context);
  expect([result.outcome, result.progress?.completion_pct]).toEqual(expected);
});

const PAIR = { user_id: 7, platform_course_id: 101 };

const other = (import_id: string) => contributed(record({ progress: { completion_pct: 60 } }), { import_id });

const contributions = [contributed(record()), other('later'), contributed(record(), { import_id: 'latest' })];

const HISTORY = stored({ contributions });

it('storedIn: the contribution of this record of this import → true, of another record or learner → false', () => {
  const isStored = storedIn(new Map([['7/101', HISTORY]]));
  const contribution = { import_id: 'later', index: 0 };
  expect(isStored({ ...PAIR, contribution })).toBe(true);
  expect(isStored({ ...PAIR, contribution: { ...contribution, index: 1 } })).toBe(false);
  expect(isStored({ ...PAIR, user_id: 8, contribution })).toBe(false);
});

it('contentId: another id of the record → another content', () => {
  const renamed = { ...contributed(record()), external_record_id: 'r-2' };
  expect(contentId({ ...PAIR, contribution: renamed })).not.toBe(
    contentId({ ...PAIR, contribution: contributed(record()) }),
  );
});
