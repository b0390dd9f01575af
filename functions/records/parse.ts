import * as schema from './schema.ts';
import * as blocks from './blocks.ts';
import { externalRecordIdOf, isExternalIdText } from './identifiers.ts';
import { isObject, jsonBytes } from './json.ts';
import { excerpt, listed } from './text.ts';
import type { Problem, Warning } from '../shared/codes.ts';

type SentRecord = Readonly<Record<string, unknown>>;

/** A record as far as its own text tells. A block is there only if it was sent and is well-formed. */
export interface ParsedRecord {
  readonly index: number;
  /** `null` where it is not a usable one. */
  readonly external_record_id: string | null;
  readonly problems: readonly Problem[];
  readonly user?: blocks.UserBlock;
  readonly content?: blocks.ContentBlock;
  readonly progress?: blocks.ProgressBlock;
  readonly assessment?: blocks.AssessmentBlock;
  /** Blocks that were sent but cannot be used: nothing may be concluded from their absence. */
  readonly malformed: readonly blocks.BlockName[];
  /** Paths of members the interface does not know. */
  readonly unknown_members: readonly string[];
}

/**
 * Judges the shape of one record (§2.7, §7.3), each block alone, and reports all its problems at once. Never throws,
 * whatever was sent.
 *
 * @param index position of the record in its import
 */
export function parseRecord(raw: unknown, index: number): ParsedRecord {
  if (!isObject(raw)) return unusable(raw, index, NO_OBJECT);
  if (jsonBytes(raw) > schema.MAX_RECORD_BYTES) return unusable(raw, index, OVERSIZED);
  const judged = validateBlocks(raw);
  const { user, content, progress, assessment } = judged;
  return {
    index,
    external_record_id: externalRecordIdOf(raw),
    problems: [...recordIdProblems(raw), ...Object.values(judged).flatMap(({ problems }) => problems)],
    ...(user.value && { user: user.value }),
    ...(content.value && { content: content.value }),
    ...(progress.value && { progress: progress.value }),
    ...(assessment.value && { assessment: assessment.value }),
    malformed: malformedOf(judged),
    unknown_members: unknownMembersOf(raw),
  };
}

function validateBlocks(raw: SentRecord) {
  const { user, content, progress, assessment } = raw;
  return {
    user: required('user', blocks.validateBlock('user', user, schema.userBlock, blocks.readUser, missingUserId)),
    content: required(
      'content',
      blocks.validateBlock('content', content, schema.contentBlock, blocks.readContent, missingCourseId),
    ),
    progress: blocks.validateBlock('progress', progress, schema.progressBlock, blocks.readProgress),
    assessment: blocks.validateBlock('assessment', assessment, schema.assessmentBlock, blocks.readAssessment),
  };
}

function malformedOf(judged: ReturnType<typeof validateBlocks>): blocks.BlockName[] {
  const names = Object.keys(judged) as (keyof typeof judged)[];
  return names.filter((name) => judged[name].problems.length > 0);
}

function required<Block>(name: blocks.BlockName, judged: blocks.ValidatedBlock<Block>): blocks.ValidatedBlock<Block> {
  const isAbsent = judged.value === undefined && judged.problems.length === 0;
  return isAbsent ? { problems: [blocks.invalid(name, 'is required')] } : judged;
}

function recordIdProblems({ external_record_id: sent }: SentRecord): Problem[] {
  if (isExternalIdText(sent)) return [];
  return [blocks.invalid('external_record_id', isAbsent(sent) ? 'is required' : schema.RECORD_ID)];
}

/** §2.7: `user.email` is "required unless user.external_user_id is sent". */
function missingUserId({ email, external_user_id }: SentRecord): Problem[] {
  const isMissing = isAbsent(email) && isAbsent(external_user_id);
  return isMissing ? [blocks.invalid('user.email', 'is required unless user.external_user_id is sent')] : [];
}

/** §2.7, likewise. Content of another type has ids of its own, which nobody asks for here. */
function missingCourseId({ type, platform_course_id, external_course_id }: SentRecord): Problem[] {
  const isOtherType = typeof type === 'string' && type !== 'course';
  const isMissing = !isOtherType && isAbsent(platform_course_id) && isAbsent(external_course_id);
  return isMissing
    ? [blocks.invalid('content.platform_course_id', 'is required unless content.external_course_id is sent')]
    : [];
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

const NO_OBJECT: Problem = { error_code: 'invalid_record', message: 'the record must be an object' };
export const OVERSIZED: Problem = {
  error_code: 'invalid_record',
  message: 'the record must be at most 64 KiB as JSON',
};

function unusable(raw: unknown, index: number, problem: Problem): ParsedRecord {
  return {
    index,
    external_record_id: externalRecordIdOf(raw),
    problems: [problem],
    malformed: [],
    unknown_members: [],
  };
}

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
