import { expect, it } from 'vitest';
import { previewJson, previewLines } from '../../../../bin/importer/command/lines/preview.ts';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';

const ODD = {
  user: { email: 'a@x.test' },
  content: { platform_course_id: 101 },
  progress: { started_at: '2031-01-01', completed_at: '1985-05-14', completion_pct: 40 },
  assessment: { status: 'passed', score_pct: 20, taken_at: '1985-05-14' },
};

it('what is odd is said in words, for people and in JSON', () => {
  const builder = new PreviewBuilder(Date.parse('2026-01-01'));
  builder.addRecord(ODD, 2, { line: 2, cells: [] });
  const preview = builder.preview([], { count: 0, zone: 'UTC' });
  const words = previewJson(preview).oddities.map(({ what }) => what);
  expect(words).toEqual([
    'a date is in the future',
    'a date is before 1990',
    'progress.started_at is after progress.completed_at',
    'assessment.taken_at is before progress.started_at',
    'progress.completed_at is a date, although progress.completion_pct is below 100',
    'assessment.status is passed, although progress.completion_pct is below 100',
    'assessment.status is passed, although assessment.score_pct is below 50',
  ]);
  const checks = previewLines(preview, undefined).filter((line) => line.startsWith('  - '));
  expect(checks).toEqual(words.map((what) => `  - ${what} (1 record, first on line 2)`));
});
