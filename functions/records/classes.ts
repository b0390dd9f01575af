/** The classes that a record lists as viewed (§2.7, §4.3): which of them count, and which are skipped. */
import { warning } from './problems.ts';
import type { SentClass } from './schema.ts';
import { listed } from './text.ts';
import type { Course, Warning, WarningCode } from '../shared/model.ts';

/**
 * §4.3: "Classes not belonging to the course are skipped with warning class_not_in_course; duplicate class ids are ignored
 * (warning duplicate_class_id)". A foreign class listed twice gives both warnings.
 *
 * @returns `viewed`: distinct listed classes of the course, in the order sent; `undefined` if no classes were sent
 *
 * @example
 * const course = { classes: [{ platform_class_id: 1001, title: 'Extinguishers' }] };
 * const listed = [{ platform_class_id: 1001 }, { platform_class_id: 5 }];
 * const { viewed, warnings } = viewedClasses(listed, course);
 * viewed; // => [{ platform_class_id: 1001 }]
 * warnings.map((each) => each.warning_code); // => ['class_not_in_course']
 */
export function viewedClasses(
  sent: readonly SentClass[] | undefined,
  { classes }: Pick<Course, 'classes'>,
): { readonly viewed: readonly SentClass[] | undefined; readonly warnings: readonly Warning[] } {
  if (sent === undefined) return { viewed: undefined, warnings: [] };
  const { distinct, duplicates } = byFirstEntry(sent);
  const inCourse = new Set(classes.map(({ platform_class_id }) => platform_class_id));
  const viewed = distinct.filter(({ platform_class_id }) => inCourse.has(platform_class_id));
  const foreign = distinct.map(({ platform_class_id }) => platform_class_id).filter((id) => !inCourse.has(id));
  const warnings = [
    ...classWarning('class_not_in_course', 'lists classes that are not in the course and are skipped', foreign),
    ...classWarning('duplicate_class_id', 'lists classes more than once; the first entry of each counts', duplicates),
  ];
  return { viewed, warnings };
}

/**
 * Rule 4: "a class listed twice counts by its first entry".
 *
 * @returns the first entry of each class, in the order sent, and the ids listed more than once
 *
 * @example
 * const classes = [{ platform_class_id: 7, viewed_at: '2024-05-01T00:00:00.000Z' }, { platform_class_id: 7 }];
 * byFirstEntry(classes); // => { distinct: [classes[0]], duplicates: [7] }
 */
export function byFirstEntry(sent: readonly SentClass[]): { distinct: SentClass[]; duplicates: number[] } {
  const first = new Map<number, SentClass>();
  const duplicates = new Set<number>();
  for (const entry of sent) {
    if (first.has(entry.platform_class_id)) duplicates.add(entry.platform_class_id);
    else first.set(entry.platform_class_id, entry);
  }
  return { distinct: [...first.values()], duplicates: [...duplicates] };
}

function classWarning(warning_code: WarningCode, rule: string, ids: readonly number[]): Warning[] {
  return ids.length === 0 ? [] : [warning(warning_code, 'progress.classes', `${rule}: ${listed(ids)}`)];
}
