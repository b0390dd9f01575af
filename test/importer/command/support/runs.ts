/** The files and records of the tests of runs. */
import { fileOf } from './files.ts';

export const HEADER = 'external_record_id,user.email,content.platform_course_id,progress.completion_pct';

/** A file of so many rows, of which every tenth is rejected. */
export const csvOf = (count: number): string =>
  fileOf(
    [
      HEADER,
      ...Array.from({ length: count }, (_, i) => `r-${i},${i % 10 === 9 ? 'nobody' : 'hana.suzuki'}@acme.test,102,40`),
    ].join('\n'),
  );

export const recordOf = (id: string) => ({
  external_record_id: id,
  user: { email: 'hana.suzuki@acme.test' },
  content: { type: 'course' as const, platform_course_id: 102 },
  progress: { completion_pct: 40 },
});
