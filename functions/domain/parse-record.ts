import { externalRecordIdOf } from './batch.ts';
import { invalid } from './block-problems.ts';
import type { Problem } from './codes.ts';
import { isExternalIdText } from './external-id.ts';
import { jsonBytes } from './json-bytes.ts';
import { isObject } from './json-object.ts';
import { judgeBlock, type JudgedBlock } from './judge-block.ts';
import * as blocks from './record-blocks.ts';
import * as schema from './record-schema.ts';
import { unknownMembersOf } from './unknown-members.ts';

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
  const judged = judgeBlocks(raw);
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

function judgeBlocks(raw: SentRecord) {
  const { user, content, progress, assessment } = raw;
  return {
    user: required('user', judgeBlock('user', user, schema.userBlock, blocks.readUser, missingUserId)),
    content: required(
      'content',
      judgeBlock('content', content, schema.contentBlock, blocks.readContent, missingCourseId),
    ),
    progress: judgeBlock('progress', progress, schema.progressBlock, blocks.readProgress),
    assessment: judgeBlock('assessment', assessment, schema.assessmentBlock, blocks.readAssessment),
  };
}

function malformedOf(judged: ReturnType<typeof judgeBlocks>): blocks.BlockName[] {
  const names = Object.keys(judged) as (keyof typeof judged)[];
  return names.filter((name) => judged[name].problems.length > 0);
}

function required<Block>(name: blocks.BlockName, judged: JudgedBlock<Block>): JudgedBlock<Block> {
  const isAbsent = judged.value === undefined && judged.problems.length === 0;
  return isAbsent ? { problems: [invalid(name, 'is required')] } : judged;
}

function recordIdProblems({ external_record_id: sent }: SentRecord): Problem[] {
  if (isExternalIdText(sent)) return [];
  return [invalid('external_record_id', isAbsent(sent) ? 'is required' : schema.RECORD_ID)];
}

/** §2.7: `user.email` is "required unless user.external_user_id is sent". */
function missingUserId({ email, external_user_id }: SentRecord): Problem[] {
  const isMissing = isAbsent(email) && isAbsent(external_user_id);
  return isMissing ? [invalid('user.email', 'is required unless user.external_user_id is sent')] : [];
}

/** §2.7, likewise. Content of another type has ids of its own, which nobody asks for here. */
function missingCourseId({ type, platform_course_id, external_course_id }: SentRecord): Problem[] {
  const isOtherType = typeof type === 'string' && type !== 'course';
  const isMissing = !isOtherType && isAbsent(platform_course_id) && isAbsent(external_course_id);
  return isMissing
    ? [invalid('content.platform_course_id', 'is required unless content.external_course_id is sent')]
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
