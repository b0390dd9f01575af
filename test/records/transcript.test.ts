/** A learner's history in a course, as it is shown. Costs milliseconds. */
import { expect, it } from 'vitest';
import { auditEntry, courseOfLearner } from '../../functions/records/transcript.ts';
import { contributed, NATIVE, record, stored, WITH_EXAM } from './fixtures.ts';

const completed = (external_record_id: string, completed_at: string | null) =>
  contributed(record({ external_record_id, progress: { completion_pct: 100, completed_at } }));
const [OLD, NEW, NONE] = [completed('old', '2023-01-01'), completed('new', '2025-01-01'), completed('none', null)];

it('contributions come by completion, oldest first, those of one date in the order of the history, and those without one last', () => {
  const again = { ...OLD, external_record_id: 'again' };
  const course = courseOfLearner(stored({ native: NATIVE, contributions: [NONE, NEW, OLD, again] }), WITH_EXAM);
  expect(course.contributions.map(({ external_record_id }) => external_record_id)).toEqual([
    'old',
    'again',
    'new',
    'none',
  ]);
  expect(course).toMatchObject({ platform_course_id: 101, title: WITH_EXAM.title, native: NATIVE });
  expect(course.effective.completed_at).toBe('2025-01-01T00:00:00.000Z');
});

it('a course that is gone has no title', () => {
  expect(courseOfLearner(stored({ contributions: [OLD] }), undefined).title).toBeNull();
});

it('an entry shows nothing of the bookkeeping', () => {
  const bookkeeping = /^(?:index|defaulted|defaulted_classes|content_hash|replaces|external_record_id)$/;
  const shown = Object.keys(auditEntry({ contribution: { ...OLD, replaces: true } }));
  expect(shown.filter((name) => bookkeeping.test(name))).toEqual([]);
});
