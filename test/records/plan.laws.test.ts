/** Laws that hold for every record. Costs a second. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveProgress } from '../../functions/records/merge.ts';
import { anythingSent, contribution, native, soundRecord } from './arbitraries.ts';
import { WITH_EXAM, plan, stored } from './fixtures.ts';
import { cases } from '../kit/at-length.ts';

const history = fc
  .record({
    native: fc.option(native, { nil: undefined }),
    contributions: fc.array(contribution, { maxLength: 6 }),
  })
  .map(stored);

describe('any record', () => {
  it('planning never throws: there is a result or there are errors, and only applied records are written', () => {
    fc.assert(
      fc.property(anythingSent, (raw) => {
        const { result, write } = plan(raw);
        expect(result.status).toBe(result.errors.length === 0 ? 'success' : 'error');
        expect(write !== undefined).toBe(result.outcome === 'applied');
        expect(result.errors.map(({ error_code }) => error_code)).not.toContain('processing_failed');
      }),
      { numRuns: cases(3000, 200) },
    );
  });

  it('a result has at most one warning of each code', () => {
    fc.assert(
      fc.property(anythingSent, (raw) => {
        const codes = plan(raw).result.warnings.map(({ warning_code }) => warning_code);
        expect(codes).toHaveLength(new Set(codes).size);
      }),
    );
  });
});

it('no import ever lowers percentage, classes or certification', () => {
  fc.assert(
    fc.property(soundRecord, history, (raw, before) => {
      const effective = effectiveProgress(before.native, before.contributions, WITH_EXAM);
      fc.pre(effective !== null);
      const { progress } = plan(raw, before).result;
      expect(progress?.completion_pct).toBeGreaterThanOrEqual(effective.completion_pct);
      expect(progress?.classes_viewed).toBeGreaterThanOrEqual(effective.classes.length);
      expect(progress?.approved_course).toBeGreaterThanOrEqual(effective.approved_course);
    }),
    { numRuns: cases(500, 60) },
  );
});
