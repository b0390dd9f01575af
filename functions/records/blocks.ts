import * as v from 'valibot';
import type { BaseIssue, InferOutput } from 'valibot';
import { externalId } from './identifiers.ts';
import { parseInstant } from './instants.ts';
import { isObject } from './json.ts';
import type { assessmentBlock, contentBlock, progressBlock, userBlock } from './schema.ts';
import type { Problem, RecordErrorCode } from '../shared/codes.ts';
import type { AssessmentStatus, Instant } from '../shared/model.ts';

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

/** One block, judged alone: its value if it was sent and is well-formed, its problems if it is not; neither if it is absent. */
export interface ValidatedBlock<Block> {
  readonly problems: readonly Problem[];
  readonly value?: Block;
}

type BlockSchema = v.GenericSchema<unknown, Record<string, unknown>>;

/**
 * @param read turns the schema's output into the domain's form
 * @param missing what else the block must hold, which a schema of single members cannot say
 */
export function validateBlock<const Schema extends BlockSchema, Block>(
  name: BlockName,
  sent: unknown,
  schema: Schema,
  read: (output: v.InferOutput<Schema>) => Block,
  missing: (sent: Readonly<Record<string, unknown>>) => readonly Problem[] = () => [],
): ValidatedBlock<Block> {
  if (sent === undefined || sent === null) return { problems: [] };
  if (!isObject(sent)) return { problems: [invalid(name, 'must be an object')] };
  const judged = v.safeParse(schema, sent, { abortPipeEarly: true });
  const problems = [...blockProblems(name, judged.issues ?? []), ...missing(sent)];
  return judged.success && problems.length === 0 ? { problems, value: read(judged.output) } : { problems };
}

const NAMED_CLASS_ENTRIES = 10;

/**
 * The problems of one block, in the order of its schema (§7.3). Of the class entries with problems the first 10 are named;
 * the others are counted in one problem of `progress.classes`.
 */
export function blockProblems(block: BlockName, issues: readonly BaseIssue<unknown>[]): Problem[] {
  const badEntries = new Set(issues.map(classEntryOf).filter((entry) => entry !== undefined));
  const named = new Set([...badEntries].slice(0, NAMED_CLASS_ENTRIES));
  const problems = issues
    .filter((issue) => isNamed(classEntryOf(issue), named))
    .map((issue) =>
      isMemberOfArray(issue)
        ? invalid(`${block}.${pathOf(issue)}`, 'must be an object')
        : toProblem(`${block}.${pathOf(issue)}`, issue),
    );
  const unnamed = badEntries.size - named.size;
  return unnamed === 0 ? problems : [...problems, invalid('progress.classes', `holds ${unnamed} more invalid entries`)];
}

/** `invalid_record` (§7.3): "structural problem; the message names the field". */
export function invalid(field: string, rule: string): Problem {
  return { error_code: 'invalid_record', message: `${field} ${rule}`, field };
}

function toProblem(field: string, issue: BaseIssue<unknown>): Problem {
  const isAbsent = issue.input === undefined || issue.input === null;
  const error_code = codeOf(field, typeof issue.input);
  return { error_code, message: `${field} ${isAbsent ? 'is required' : issue.message}`, field };
}

/** A value of the wrong type is a structural problem; the other codes are for a wrong value of the right type. */
function codeOf(field: string, sentType: string): RecordErrorCode {
  if (field === 'content.type' && sentType === 'string') return 'unsupported_content_type';
  if (field === 'progress.completion_pct' && sentType === 'number') return 'invalid_completion_pct';
  if (field.endsWith('_at') && sentType === 'string') return 'invalid_date_format';
  return 'invalid_record';
}

function pathOf(issue: BaseIssue<unknown>): string {
  const path = issue.path ?? [];
  return (isMemberOfArray(issue) ? path.slice(0, -1) : path).map(({ key }) => String(key)).join('.');
}

/** Valibot takes an array for an object without members; what is wrong is the array. */
function isMemberOfArray({ path }: BaseIssue<unknown>): boolean {
  const last = path?.at(-1);
  return last !== undefined && Array.isArray(last.input) && typeof last.key === 'string';
}

function classEntryOf({ path }: BaseIssue<unknown>): number | undefined {
  return path?.[0]?.key === 'classes' && typeof path[1]?.key === 'number' ? path[1].key : undefined;
}

function isNamed(entry: number | undefined, named: ReadonlySet<number>): boolean {
  return entry === undefined || named.has(entry);
}
