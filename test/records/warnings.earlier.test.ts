/** The warning that an earlier version of a record keeps something. Costs milliseconds. */
import { expect, it } from 'vitest';
import { contributed, plan, record, stored, warningsOf } from './fixtures.ts';

it.each([
  ['a lower percentage', { completion_pct: 60 }, {}, true],
  ['a class that is left out', { classes: [{ platform_class_id: 1001 }] }, {}, true],
  [
    'a certification that is left out',
    { completion_pct: 90, completed_at: null },
    { assessment: { status: 'failed' } },
    true,
  ],
  ['a completion that is left out', { completed_at: null }, {}, true],
  ['an earlier last activity', { last_activity_at: '2024-01-01' }, {}, true],
  ['a later start', { started_at: '2023-06-01' }, {}, true],
  ['a higher percentage and a later date', { completion_pct: 95, last_activity_at: '2025-01-01' }, {}, false],
  ['dates that are left to their defaults', { started_at: undefined, last_activity_at: undefined }, {}, false],
])('a record whose earlier version keeps something says so: %s', (_, progress, members, isKept) => {
  const earlier = {
    completion_pct: 90,
    started_at: '2023-01-01',
    last_activity_at: '2024-06-01',
    completed_at: '2024-06-01',
    classes: [{ platform_class_id: 1001 }, { platform_class_id: 1002 }],
  };
  const assessment = { status: 'passed', taken_at: '2024-06-01' };
  const before = stored({ contributions: [contributed(record({ progress: earlier, assessment }))] });
  const raw = record({ progress: { ...earlier, ...progress }, assessment, ...members });
  const kept = 'earlier_record_kept external_record_id';
  expect(warningsOf(plan(raw, before)).includes(kept)).toBe(isKept);
  expect(warningsOf(plan(raw, before, { replace: true }))).not.toContain(kept);
});

it('the warning names what is kept, and how to correct it', () => {
  const earlier = contributed(record({ progress: { completion_pct: 90 } }));
  const before = stored({ contributions: [earlier] });
  const { warnings } = plan(record({ progress: { completion_pct: 40 } }), before).result;
  expect(warnings.map(({ message }) => message)).toEqual([
    'An earlier import of this record is kept: completion_pct 90 instead of 40. To correct it, send the record with "replace": true.',
  ]);
});
