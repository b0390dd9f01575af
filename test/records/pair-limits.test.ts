/** How much one user may have in one course. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { contributionBytes, mayFillPair, pairLimitProblems, replacedBy } from '../../functions/records/pair-limits.ts';
import { jsonBytes } from '../../functions/records/json.ts';
import type { Contribution } from '../../functions/shared/model.ts';
import { contributed, plan, record, stored } from './fixtures.ts';

const withPct = (completion_pct: number, external_record_id = 'r-1') =>
  record({ external_record_id, progress: { completion_pct } });

const others = (length: number) =>
  Array.from({ length }, (_, position) => contributed(withPct(5, `other-${position}`)));
const updates = (length: number) =>
  Array.from({ length }, (_, position) => contributed(withPct(position), { import_id: `import-${position}` }));
const errorsWith = (contributions: readonly Contribution[], bytes?: number) =>
  plan(withPct(50), stored({ contributions, ...(bytes !== undefined && { bytes }) })).result.errors;
const DATED_UPDATE = record({
  progress: { completion_pct: 90, started_at: '2020-01-01', last_activity_at: '2025-06-01' },
});
const FULL = [{ error_code: 'invalid_record', field: 'external_record_id' }];

describe('limits of a pair', () => {
  it('50 contributions are kept, the 51st is refused', () => {
    expect(errorsWith(others(49))).toEqual([]);
    expect(errorsWith(others(50))).toMatchObject(FULL);
  });

  it('earlier records of the same import count', () => {
    const { result } = plan(withPct(50), undefined, { earlierInChunk: { contributions: 50, bytes: 0 } });
    expect(result.errors).toMatchObject(FULL);
  });

  it('300 KB are kept', () => {
    expect(errorsWith([], 306_000)).toEqual([]);
    expect(errorsWith([], 307_000)).toMatchObject(FULL);
  });

  it('what is known already is unchanged however full the pair is', () => {
    const contributions = [...others(50), contributed(withPct(50))];
    expect(plan(withPct(50), stored({ contributions })).result.outcome).toBe('unchanged');
  });

  it('a short history is kept whole', () => {
    expect(plan(DATED_UPDATE, stored({ contributions: updates(24) })).write?.replaces).toEqual([]);
    expect(plan(DATED_UPDATE, stored({ contributions: updates(25) })).write?.replaces).toHaveLength(25);
  });

  it('of a long one, earlier contributions of the same record that are dominated are replaced', () => {
    const other = contributed(withPct(1, 'other'), { import_id: 'other' });
    const higher = contributed(withPct(95), { import_id: 'higher' });
    const { write, result } = plan(DATED_UPDATE, stored({ contributions: [other, higher, ...updates(40)] }));
    expect(write?.replaces).toHaveLength(40);
    expect(write?.replaces).not.toContainEqual({ import_id: 'higher', index: 0 });
    expect(result).toMatchObject({ outcome: 'updated', progress: { completion_pct: 95 } });
  });

  it('a record that is updated again and again never reaches the limit', () => {
    expect(plan(DATED_UPDATE, stored({ contributions: updates(50) })).result.outcome).toBe('updated');
  });
});

describe('each rule by itself', () => {
  it('replacedBy: nothing of a short history, dominated contributions of the same record of a long one', () => {
    const newer = contributed(DATED_UPDATE, { import_id: 'newer' });
    expect(replacedBy(newer, updates(24))).toEqual([]);
    expect(replacedBy(newer, updates(25))).toHaveLength(25);
    expect(replacedBy(newer, others(25))).toEqual([]);
  });

  it('pairLimitProblems: what is replaced makes room', () => {
    const [newer, ...older] = updates(3);
    if (newer === undefined) throw new Error('no contribution');
    expect(pairLimitProblems(newer, [], { contributions: 50, bytes: 0 })).toMatchObject(FULL);
    expect(pairLimitProblems(newer, older, { contributions: 50, bytes: 0 })).toEqual([]);
    expect(pairLimitProblems(newer, older, { contributions: 1, bytes: 307_200 })).toMatchObject(FULL);
  });

  it('mayFillPair: more than 10 records that name user and course alike', () => {
    const alike = (length: number) => Array.from({ length }, (_, position) => withPct(5, `r-${position}`));
    expect(mayFillPair([...alike(10), null, 5, record({ user: { email: 'ben@acme.test' } })])).toBe(false);
    expect(mayFillPair(alike(11))).toBe(true);
  });

  it('contributionBytes: the size as JSON', () => {
    const contribution = contributed(withPct(5));
    expect(contributionBytes(contribution)).toBe(jsonBytes(contribution));
  });
});

it('records that name a pair alike are found whatever else they say about it', () => {
  const alike = Array.from({ length: 11 }, (_, at) => ({
    user: { email: 'ann@acme.test', note: at },
    content: { platform_course_id: 101, title: `${at}` },
  }));
  expect(mayFillPair(alike)).toBe(true);
  expect(mayFillPair(alike.slice(1))).toBe(false);
});
