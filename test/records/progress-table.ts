import { expect, it } from 'vitest';
import { plan, record, warningsOf } from './fixtures.ts';

export const viewed = (...ids: number[]) => ids.map((platform_class_id) => ({ platform_class_id }));
export const passed = { assessment: { status: 'passed' } };

/** `code field` of the warnings about progress. */
export const DERIVED = 'completion_pct_derived progress.completion_pct';
export const ADJUSTED = 'completion_pct_adjusted progress.completion_pct';
export const ASSUMED = 'completion_pct_assumed progress.completion_pct';
export const IGNORED = 'assessment_ignored assessment';
export const FOREIGN = 'class_not_in_course progress.classes';
export const TWICE = 'duplicate_class_id progress.classes';

type Row = readonly [reason: string, members: object, completion_pct: number, ...warnings: string[]];

/** A record with these members is applied with this percentage and exactly these warnings about it, in this order. */
export function progressTable(rows: readonly Row[]): void {
  it.each(rows.map(([reason, members, pct, ...warnings]) => ({ reason, members, pct, warnings })))(
    'a record is applied with its percentage and warnings: $reason',
    (row) => {
      const planned = plan(record(row.members));
      expect(planned.result.errors).toEqual([]);
      expect(planned.result.progress?.completion_pct).toBe(row.pct);
      const aboutProgress = warningsOf(planned).filter((warning) => !warning.startsWith('date_assumed'));
      expect(aboutProgress).toEqual(row.warnings);
    },
  );
}
