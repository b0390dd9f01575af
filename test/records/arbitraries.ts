import * as fc from 'fast-check';
import type { Contribution, Progress } from '../../functions/shared/model.ts';
import { CODE_POINT } from '../kit/code-point.ts';
import { progressWith } from '../reference/shape.ts';
import { contributed, record } from './fixtures.ts';

/** Few distinct values, so that ties and overlaps are common. */
const day = fc.integer({ min: 1, max: 9 }).map((number) => `2024-01-0${number}T00:00:00.000Z`);
const date = fc.option(day, { nil: undefined });
const nullableDate = fc.option(day, { nil: null });
const percentage = fc.constantFrom(0, 20, 33.33, 50, 66.67, 100);
const classId = fc.constantFrom(1001, 1002, 1003);

export const native = fc.record({
  ...progressWith<fc.Arbitrary<unknown>>({
    percentage: () => percentage,
    number: () => fc.option(fc.nat(3), { nil: null }),
    date: () => nullableDate,
    classes: () =>
      fc.uniqueArray(fc.record({ platform_class_id: classId, viewed_at: nullableDate }), {
        selector: (view) => view.platform_class_id,
      }),
  }),
  certified_at: nullableDate,
  approved_course: fc.constantFrom(0, 1),
}) as fc.Arbitrary<Progress>;

/** Records that are sound in the course with an exam. */
const soundRecord = fc
  .record({
    external_record_id: fc.constantFrom('r-1', 'r-2', 'r-3'),
    ...progressWith<fc.Arbitrary<unknown>>({
      percentage: () => fc.option(percentage, { nil: undefined }),
      number: () => fc.option(fc.nat(3), { nil: undefined }),
      date: () => date,
      classes: () =>
        fc.array(fc.record({ platform_class_id: fc.oneof(classId, fc.constant(5)), viewed_at: date }), {
          maxLength: 5,
        }),
    }),
    completed_at: fc.option(day, { nil: null }),
    assessment: fc.option(fc.record({ status: fc.constantFrom('passed', 'failed', 'not_taken'), taken_at: date }), {
      nil: undefined,
    }),
  })
  .map(({ external_record_id, assessment, ...progress }) => record({ external_record_id, assessment, progress }));

/** The contributions of such records, of imports of their own; dates default to the day of the import. */
export const contribution: fc.Arbitrary<Contribution> = fc
  .tuple(soundRecord, fc.constantFrom('import-a', 'import-b', 'import-c'), day)
  .map(([raw, import_id, imported_at]) => contributed(raw, { import_id, imported_at }));

const anyJson = fc.jsonValue({ maxDepth: 6, stringUnit: CODE_POINT });
const member = fc.constantFrom('external_record_id', 'user', 'content', 'progress', 'assessment', '__proto__');
const progressMember = fc.constantFrom('completion_pct', 'started_at', 'classes', 'completed_at');
const anyClass = fc.oneof(anyJson, fc.record({ platform_class_id: anyJson, viewed_at: anyJson }));

/** Any JSON value, and values that are ever closer to a sound record. */
export const anythingSent: fc.Arbitrary<unknown> = fc.oneof(
  anyJson,
  fc.dictionary(member, anyJson),
  fc.tuple(soundRecord, member, anyJson).map(([raw, name, value]) => ({ ...raw, [name]: value })),
  fc.tuple(progressMember, anyJson).map(([name, value]) => record({ progress: { completion_pct: 50, [name]: value } })),
  fc.array(anyClass).map((classes) => record({ progress: { classes } })),
  fc.tuple(anyJson, anyJson).map(([email, external_user_id]) => record({ user: { email, external_user_id } })),
);
