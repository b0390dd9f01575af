import type { Warning } from './codes.ts';
import type { Course } from './model.ts';
import { listed } from './quote.ts';
import type { SentClass } from './record-blocks.ts';

/** The listed classes of a record, judged against its course. */
export interface JudgedClasses {
  /** Distinct classes of the course, each by its first entry; `undefined` where no classes were sent. */
  readonly viewed: readonly SentClass[] | undefined;
  readonly warnings: readonly Warning[];
}

/**
 * §4.3: "Classes not belonging to the course are skipped with warning class_not_in_course; duplicate class ids are ignored
 * (warning duplicate_class_id)". Duplicates are judged first, so a foreign class listed twice gives both warnings.
 */
export function judgeClasses(sent: readonly SentClass[] | undefined, course: Course): JudgedClasses {
  if (sent === undefined) return { viewed: undefined, warnings: [] };
  const { distinct, duplicates } = byFirstEntry(sent);
  const inCourse = new Set(course.classes.map(({ platform_class_id }) => platform_class_id));
  const viewed = distinct.filter(({ platform_class_id }) => inCourse.has(platform_class_id));
  const foreign = distinct.map(({ platform_class_id }) => platform_class_id).filter((id) => !inCourse.has(id));
  const warnings = [
    ...classWarning('class_not_in_course', 'classes that do not belong to the course are skipped', foreign),
    ...classWarning('duplicate_class_id', 'classes listed more than once count by their first entry', duplicates),
  ];
  return { viewed, warnings };
}

/** Rule 4: "a class listed twice counts by its first entry". */
export function byFirstEntry(sent: readonly SentClass[]): { distinct: SentClass[]; duplicates: number[] } {
  const first = new Map<number, SentClass>();
  const duplicates = new Set<number>();
  for (const entry of sent) {
    if (first.has(entry.platform_class_id)) duplicates.add(entry.platform_class_id);
    else first.set(entry.platform_class_id, entry);
  }
  return { distinct: [...first.values()], duplicates: [...duplicates] };
}

function classWarning(warning_code: Warning['warning_code'], rule: string, ids: readonly number[]): Warning[] {
  if (ids.length === 0) return [];
  return [{ warning_code, message: `${rule}: ${listed(ids)}`, field: 'progress.classes' }];
}
