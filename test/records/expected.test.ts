/** What an import of a plan may write: which changes of a record, and of what counts under its id, are seen. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { overOf, planIn, plannedImportId, signatureOf, withChanged } from '../../functions/records/expected.ts';
import type { Contribution, PlannedRecord } from '../../functions/shared/model.ts';

const PLAN = 'a000000000001';
const NOW = '2026-01-02T00:00:00.000Z';
const hash = (text: string) => text;

const contribution: Contribution = {
  source: 'external_migration',
  external_record_id: 'r1',
  import_id: '0'.repeat(26),
  index: 0,
  imported_at: NOW,
  external_ref: null,
  completion_pct: 50,
  score_pct: null,
  assessment_status: null,
  approved_course: 0,
  certified_at: null,
  started_at: NOW,
  last_activity_at: '2025-01-01T00:00:00.000Z',
  completed_at: null,
  classes: [{ platform_class_id: 1, viewed_at: NOW }],
  defaulted: ['started_at'],
  defaulted_classes: [1],
  content_hash: 'a',
};
const write = (changed: Partial<Contribution> = {}, user_id = 7) => ({
  user_id,
  platform_course_id: 101,
  contribution: { ...contribution, ...changed },
});
const isSame = (changed: Partial<Contribution>, user_id?: number) =>
  signatureOf(write(changed, user_id), hash) === signatureOf(write(), hash);

const LATER = '2026-01-03T00:00:00.000Z';

describe('the signature of a write', () => {
  it('a date that defaults to acceptance equals any other that does', () => {
    const classes = [{ platform_class_id: 1, viewed_at: LATER }];
    expect(isSame({ import_id: PLAN, imported_at: LATER, started_at: LATER, classes })).toBe(true);
  });

  it.each<Partial<Contribution>>([
    { completion_pct: 51 },
    { external_ref: 'x' },
    { score_pct: 1 },
    { assessment_status: 'failed' },
    { approved_course: 1 },
    { certified_at: NOW },
    { completed_at: NOW },
    { last_activity_at: LATER },
    { defaulted: [] },
    { defaulted_classes: [] },
    { classes: [] },
  ])('another %j is seen', (changed) => expect(isSame(changed)).toBe(false));

  it('another user is seen', () => expect(isSame({}, 8)).toBe(false));
});

it('what counts under an id is a set, without the imports of the plan', () => {
  const of = (...all: readonly [import_id: string, content_hash: string][]) =>
    overOf(
      all.map(([import_id, content_hash]) => ({ ...contribution, import_id, content_hash })),
      PLAN,
      hash,
    );
  const own = plannedImportId(PLAN, 3);
  expect(of(['x', 'b'], ['y', 'a'], [own, 'c'])).toBe(of(['x', 'a'], ['y', 'b']));
  expect(of(['x', 'a'])).not.toBe(of(['x', 'a'], ['y', 'b']));
});

it('an import of a plan names it', () => expect(planIn(plannedImportId(PLAN, 19_999))).toBe(PLAN));

describe('the message of a record that is plan_changed', () => {
  const planned = (changed: Partial<Contribution> = {}, user_id = 7): PlannedRecord => ({
    result: {
      index: 0,
      external_record_id: 'r1',
      status: 'success',
      outcome: 'applied',
      errors: [],
      warnings: [],
      progress: null,
    },
    write: { ...write(changed, user_id), claim: true, items: 0 },
  });
  const messageOf = (before: PlannedRecord | undefined) => {
    const stored = before && { records: [null], planned: [before] };
    const { planned: decided } = withChanged({ records: [null], planned: [planned()] }, [0], stored);
    return decided[0]?.result.errors[0]?.message;
  };

  it('names no user, who may be erased since', () => expect(messageOf(planned({}, 8))).not.toMatch(/[78]/));
  it('has the values', () =>
    expect(messageOf(planned({ completion_pct: 10 }))).toContain('completion_pct 10 was planned, 50 would be stored'));
  it('has the courses', () => {
    const { write: of, ...before } = planned();
    const ofOther = { ...before, ...(of && { write: { ...of, platform_course_id: 102 } }) };
    expect(messageOf(ofOther)).toContain('platform_course_id 102 was planned, 101 would be stored');
  });
  it('has the outcomes where what it overrules changed', () => {
    const before = planned();
    const message = messageOf({ ...before, result: { ...before.result, outcome: 'unchanged' } });
    expect(message).toContain('"unchanged" was planned, "applied" would be the outcome');
    expect(message).toContain('has changed since');
  });
  it('is a whole sentence without the report', () => expect(messageOf(undefined)).toMatch(/new plan\.$/));
});
