/** The decision about one record, given what is stored about its user and course, and laws that hold for every record. Costs a second. */
import { describe, expect, it } from 'vitest';
import { parseRecord } from '../../functions/records/parse.ts';
import { historyBefore, planRecord } from '../../functions/records/plan.ts';
import { DUPLICATE, PROCESSING_FAILED, rejectedRecord } from '../../functions/records/result.ts';
import { contributed, CONTEXT, NATIVE, plan, record, stored, warningsOf } from './fixtures.ts';
import * as fc from 'fast-check';
import { anythingSent } from './arbitraries.ts';
import { cases } from '../kit/at-length.ts';

const withPct = (completion_pct: number, external_record_id = 'r-1') =>
  record({ external_record_id, progress: { completion_pct } });

const PAIR = { user_id: 7, platform_course_id: 101 };

describe('an external_record_id binds to its pair (rule 12)', () => {
  it('an unknown external_record_id is applied, claimed and written', () => {
    const { result, write } = plan(withPct(50));
    expect(result).toMatchObject({ status: 'success', outcome: 'applied', errors: [], warnings: [] });
    expect(write).toMatchObject({ ...PAIR, claim: true, items: 0 });
  });

  it('a known id with the same content is unchanged, relies on the stored contribution, and keeps the stored dates', () => {
    const before = contributed(withPct(50));
    const { result, write, relies_on } = plan(withPct(50), stored({ contributions: [before] }));
    expect(result).toMatchObject({ status: 'success', outcome: 'unchanged' });
    expect(result.progress?.last_activity_at).toBe(before.imported_at);
    expect([relies_on, write]).toMatchObject([
      before.import_id,
      { claim: false, contribution: { completion_pct: 50 } },
    ]);
  });

  it('a known id with the content of any earlier contribution is unchanged', () => {
    const history = [50, 60].map((pct) => contributed(withPct(pct), { import_id: `import-${pct}` }));
    expect(plan(withPct(50), stored({ contributions: history })).result.outcome).toBe('unchanged');
  });

  it('a known id with other content is updated, joined and not claimed again', () => {
    const { result, write } = plan(withPct(30), stored({ contributions: [contributed(withPct(50))] }));
    expect(result).toMatchObject({ outcome: 'updated', progress: { completion_pct: 50 } });
    expect(write).toMatchObject({ claim: false, items: 1 });
  });

  it('contributions of the same import are disregarded', () => {
    const own = contributed(withPct(90), CONTEXT);
    const { result, write } = plan(withPct(50), stored({ contributions: [own] }));
    expect(result).toMatchObject({ outcome: 'applied', progress: { completion_pct: 50 } });
    expect(write?.claim).toBe(true);
  });

  it('an id bound to another pair is a duplicate, and its message names the two', () => {
    const { result, write } = plan(withPct(50), undefined, { boundTo: { user_id: 8, platform_course_id: 555 } });
    expect(result.errors).toMatchObject([{ error_code: 'duplicate_external_record_id', field: 'external_record_id' }]);
    expect(result.errors[0]?.message).toMatch(/8.*555/);
    expect(write).toBeUndefined();
  });

  it('an id bound to the same pair is applied', () => {
    expect(plan(withPct(50), undefined, { boundTo: PAIR }).result.outcome).toBe('applied');
  });

  it('an id bound to another pair is reported only for a record without other errors', () => {
    const { errors } = plan(withPct(101), undefined, { boundTo: { user_id: 8, platform_course_id: 555 } }).result;
    expect(errors.map((error) => error.error_code)).toEqual(['invalid_completion_pct']);
  });
});

describe('results that are decided without rules', () => {
  it('a repeat within the batch is a duplicate and has no other error', () => {
    const { result, write } = rejectedRecord({ external_record_id: 'r-1', user: 5 }, 3, DUPLICATE);
    expect(result).toMatchObject({
      index: 3,
      external_record_id: 'r-1',
      status: 'error',
      outcome: null,
      warnings: [],
      progress: null,
    });
    expect(result.errors).toMatchObject([{ error_code: 'duplicate_external_record_id', field: 'external_record_id' }]);
    expect(write).toBeUndefined();
  });

  it.each([null, 5, 'x', [], {}, { external_record_id: {} }])(
    'a fault of the service is processing_failed, whatever was sent: %j',
    (raw) => {
      const { result } = rejectedRecord(raw, 2, PROCESSING_FAILED);
      expect(result).toMatchObject({ index: 2, external_record_id: null, status: 'error' });
      expect(result.errors).toMatchObject([{ error_code: 'processing_failed' }]);
    },
  );

  it('a valid record that was never resolved is processing_failed', () => {
    const { result } = planRecord(
      parseRecord(record(), 0),
      { problems: [] },
      historyBefore('this-import', undefined),
      CONTEXT,
    );
    expect(result.errors).toMatchObject([{ error_code: 'processing_failed' }]);
  });
});

it('a result shows effective progress with its record applied', () => {
  const classes = [
    { platform_class_id: 1001, viewed_at: '2024-12-01' },
    { platform_class_id: 1003, viewed_at: '2025-03-01' },
  ];
  const raw = record({ progress: { classes }, assessment: { status: 'passed', taken_at: '2025-04-01' } });
  const { classes: _, ...kept } = NATIVE;
  expect(plan(raw, stored({ native: NATIVE })).result.progress).toEqual({
    ...PAIR,
    ...kept,
    completion_pct: 66.67,
    classes_viewed: 2,
    approved_course: 1,
    certified_at: '2025-04-01T00:00:00.000Z',
  });
});

it('a rejected record has errors, and no warning but that of members that are not known', () => {
  const planned = plan(record({ extra: 1, progress: { completion_pct: 101, classes: [] } }));
  expect(planned.write).toBeUndefined();
  expect(planned.result).toMatchObject({ status: 'error', outcome: null, progress: null });
  expect(warningsOf(planned)).toEqual(['unknown_field_ignored extra']);
});

describe('any record', () => {
  it('planning never throws: there is a result or there are errors, only applied records are written, and no code is warned twice', () => {
    fc.assert(
      fc.property(anythingSent, (raw) => {
        const { result, write } = plan(raw);
        expect(result.status).toBe(result.errors.length === 0 ? 'success' : 'error');
        expect(write !== undefined).toBe(result.outcome === 'applied');
        expect(result.errors.map(({ error_code }) => error_code)).not.toContain('processing_failed');
        const codes = result.warnings.map(({ warning_code }) => warning_code);
        expect(codes).toHaveLength(new Set(codes).size);
      }),
      { numRuns: cases(3000, 200) },
    );
  });
});
