import type { InferOutput } from 'valibot';
import { externalId } from './external-id.ts';
import { parseInstant } from './instant.ts';
import type { AssessmentStatus, Instant } from './model.ts';
import type { assessmentBlock, contentBlock, progressBlock, userBlock } from './record-schema.ts';

/**
 * The blocks of a well-formed record (§2.7): ids in string form, dates as instants, `undefined` for what was absent or `null`.
 */
export interface UserBlock {
  readonly email: string | undefined;
  readonly external_user_id: string | undefined;
}

export interface ContentBlock {
  readonly platform_course_id: number | undefined;
  readonly external_course_id: string | undefined;
  readonly external_ref: string | undefined;
}

export interface SentClass {
  readonly platform_class_id: number;
  readonly viewed_at: Instant | undefined;
}

export interface ProgressBlock {
  readonly completion_pct: number | undefined;
  readonly started_at: Instant | undefined;
  readonly last_activity_at: Instant | undefined;
  /** `null` was sent as such and is no absence: not completed, and it stays so. */
  readonly completed_at: Instant | null | undefined;
  readonly classes: readonly SentClass[] | undefined;
}

export interface AssessmentBlock {
  readonly status: AssessmentStatus | undefined;
  readonly score_pct: number | undefined;
  readonly taken_at: Instant | undefined;
}

export type BlockName = 'user' | 'content' | 'progress' | 'assessment';

export function readUser(block: InferOutput<typeof userBlock>): UserBlock {
  return { email: block.email ?? undefined, external_user_id: externalId(block.external_user_id) };
}

export function readContent(block: InferOutput<typeof contentBlock>): ContentBlock {
  return {
    platform_course_id: unsignedZero(block.platform_course_id),
    external_course_id: externalId(block.external_course_id),
    external_ref: block.external_ref ?? undefined,
  };
}

export function readProgress(block: InferOutput<typeof progressBlock>): ProgressBlock {
  return {
    completion_pct: unsignedZero(block.completion_pct),
    started_at: instantOf(block.started_at),
    last_activity_at: instantOf(block.last_activity_at),
    completed_at: block.completed_at === null ? null : instantOf(block.completed_at),
    classes: block.classes?.map((entry) => ({
      platform_class_id: entry.platform_class_id + 0,
      viewed_at: instantOf(entry.viewed_at),
    })),
  };
}

export function readAssessment(block: InferOutput<typeof assessmentBlock>): AssessmentBlock {
  return {
    status: block.status ?? undefined,
    score_pct: unsignedZero(block.score_pct),
    taken_at: instantOf(block.taken_at),
  };
}

function instantOf(text: string | null | undefined): Instant | undefined {
  return text === null || text === undefined ? undefined : parseInstant(text);
}

/** JSON has a −0, which is 0 everywhere else. */
function unsignedZero(number: number | null | undefined): number | undefined {
  return number === null || number === undefined ? undefined : number + 0;
}
