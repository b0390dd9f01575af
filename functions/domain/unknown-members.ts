import type { Warning } from './codes.ts';
import { isObject } from './json-object.ts';
import { excerpt, listed } from './quote.ts';
import * as schema from './record-schema.ts';

/** Paths of the members of a record that the interface does not know. `null` counts as absent. */
export function unknownMembersOf(record: Readonly<Record<string, unknown>>): string[] {
  const { user, content, progress, assessment } = record;
  return [
    ...unknownIn(record, schema.migrationRecord.entries, ''),
    ...unknownIn(user, schema.userBlock.entries, 'user.'),
    ...unknownIn(content, schema.contentBlock.entries, 'content.'),
    ...unknownIn(progress, schema.progressBlock.entries, 'progress.'),
    ...classEntriesOf(progress).flatMap((entry, position) =>
      unknownIn(entry, schema.classEntry.entries, `progress.classes.${position}.`),
    ),
    ...unknownIn(assessment, schema.assessmentBlock.entries, 'assessment.'),
  ];
}

/** Rule 2: "unknown members are ignored with one warning naming them". */
export function unknownFieldWarning(paths: readonly string[]): Warning[] {
  const [first] = paths;
  if (first === undefined) return [];
  return [{ warning_code: 'unknown_field_ignored', message: `unknown and ignored: ${listed(paths)}`, field: first }];
}

function classEntriesOf(progress: unknown): readonly unknown[] {
  const classes = isObject(progress) ? progress['classes'] : undefined;
  return Array.isArray(classes) ? classes : [];
}

function unknownIn(block: unknown, known: object, prefix: string): string[] {
  if (!isObject(block)) return [];
  return Object.keys(block)
    .filter((name) => !Object.hasOwn(known, name) && block[name] !== null)
    .map((name) => prefix + excerpt(name));
}
