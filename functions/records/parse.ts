/** The shape of a record (§2.7, §7.3), validated before anything is looked up. */
import * as v from 'valibot';
import { externalRecordIdOf, isExternalIdText } from './identifiers.ts';
import { isObject, jsonBytes } from './json.ts';
import { blockProblems, invalid } from './problems.ts';
import * as schema from './schema.ts';
import type { AssessmentBlock, ContentBlock, ProgressBlock, UserBlock } from './schema.ts';
import { broken, excerpt, listed } from './text.ts';
import type { Problem, Warning } from '../shared/codes.ts';
import { MAX_RECORD_BYTES } from '../shared/limits.ts';

/** A block is present only if it was sent and is well-formed. */
export interface ParsedRecord {
  readonly index: number;
  /** `null` if none was sent that is usable. */
  readonly external_record_id: string | null;
  readonly problems: readonly Problem[];
  readonly user?: UserBlock;
  readonly content?: ContentBlock;
  readonly progress?: ProgressBlock;
  readonly assessment?: AssessmentBlock;
  /** Blocks that were sent and are malformed: no rule may take them for absent. */
  readonly malformed: readonly BlockName[];
  /** The warning that names the members that the interface does not define, if there are any. */
  readonly ignored: readonly Warning[];
}

/** Every member of a record but its id: a block that the schema gains does not compile until it is validated. */
export type BlockName = Exclude<keyof typeof schema.migrationRecord.entries, 'external_record_id'>;
const BLOCK_NAMES: readonly BlockName[] = ['user', 'content', 'progress', 'assessment'];
type SentRecord = Readonly<Record<string, unknown>>;

interface ValidatedBlock<Block> {
  readonly problems: readonly Problem[];
  readonly value?: Block;
}

/**
 * Validates the shape of one record, each block by itself, and reports all its problems at once. Never throws, whatever was
 * sent.
 *
 * @param index position of the record in its import
 *
 * @example
 * const { problems } = parseRecord({ external_record_id: 'r-1', user: { email: 'ann@acme.test' } }, 0);
 * problems; // => [{ error_code: 'invalid_record', message: 'content is required.', field: 'content' }]
 */
export function parseRecord(raw: unknown, index: number): ParsedRecord {
  if (!isObject(raw)) return unusable(raw, index, NOT_AN_OBJECT);
  if (jsonBytes(raw) > MAX_RECORD_BYTES) return unusable(raw, index, OVERSIZED);
  const blocks = validateBlocks(raw);
  const { user, content, progress, assessment } = blocks;
  return {
    index,
    external_record_id: externalRecordIdOf(raw),
    problems: [...recordIdProblems(raw), ...Object.values(blocks).flatMap(({ problems }) => problems)],
    ...(user.value && { user: user.value }),
    ...(content.value && { content: content.value }),
    ...(progress.value && { progress: progress.value }),
    ...(assessment.value && { assessment: assessment.value }),
    malformed: malformedOf(blocks),
    ignored: ignoredIn(raw),
  };
}

/**
 * The record without the members that the interface does not define, which are not stored, and the warning that names them.
 * A record without such members is returned as it is.
 *
 * @example
 * const { known, ignored } = knownPartOf({ external_record_id: 'r-1', tenant: 'acme' });
 * known; // => { external_record_id: 'r-1' }
 * ignored[0].field; // => 'tenant'
 */
export function knownPartOf(raw: unknown): { readonly known: unknown; readonly ignored: readonly Warning[] } {
  const ignored = isObject(raw) ? ignoredIn(raw) : [];
  return { known: ignored.length === 0 ? raw : onlyKnown(raw, schema.migrationRecord.entries), ignored };
}

const BLOCKS: Readonly<Record<string, object>> = {
  user: schema.userBlock.entries,
  content: schema.contentBlock.entries,
  progress: schema.progressBlock.entries,
  classes: schema.classEntry.entries,
  assessment: schema.assessmentBlock.entries,
};

function onlyKnown(sent: unknown, known: object): unknown {
  if (Array.isArray(sent)) return sent.map((each) => onlyKnown(each, known));
  if (!isObject(sent)) return sent;
  const members = Object.entries(sent).filter(([name]) => Object.hasOwn(known, name));
  return Object.fromEntries(
    members.map(([name, value]) => {
      const block = BLOCKS[name];
      return [name, block === undefined ? value : onlyKnown(value, block)];
    }),
  );
}

/** Rule 2: "unknown members are ignored with one warning naming them". */
function ignoredIn(record: SentRecord): Warning[] {
  const paths = unknownIn(record, schema.migrationRecord.entries);
  const [first] = paths;
  if (first === undefined) return [];
  const message = `The interface does not define these fields, so they are ignored: ${listed(paths)}.`;
  return [{ warning_code: 'unknown_field_ignored', message, field: first }];
}

/** The only problem of a record of more than 64 KiB, which is not read further. */
export const OVERSIZED: Problem = {
  error_code: 'invalid_record',
  message: `The record must be at most ${MAX_RECORD_BYTES / 1024} KiB as JSON.`,
};

const NOT_AN_OBJECT: Problem = { error_code: 'invalid_record', message: 'The record must be an object.' };

function unusable(raw: unknown, index: number, problem: Problem): ParsedRecord {
  const external_record_id = externalRecordIdOf(raw);
  return { index, external_record_id, problems: [problem], malformed: [], ignored: [] };
}

function recordIdProblems({ external_record_id }: SentRecord): Problem[] {
  if (isExternalIdText(external_record_id)) return [];
  return [invalid('external_record_id', broken(schema.RECORD_ID, external_record_id ?? undefined))];
}

function validateBlocks({ user, content, progress, assessment }: SentRecord) {
  return {
    user: required('user', validateBlock('user', user, schema.userBlock, missingUserId)),
    content: required('content', validateBlock('content', content, schema.contentBlock, missingCourseId)),
    progress: validateBlock('progress', progress, schema.progressBlock),
    assessment: validateBlock('assessment', assessment, schema.assessmentBlock),
  };
}

/** @param missing what else the block must have, which a schema of single members cannot express */
function validateBlock<const Schema extends v.GenericSchema>(
  name: BlockName,
  sent: unknown,
  blockSchema: Schema,
  missing: (sent: SentRecord) => readonly Problem[] = () => [],
): ValidatedBlock<v.InferOutput<Schema>> {
  if (isAbsent(sent)) return { problems: [] };
  if (!isObject(sent)) return { problems: [invalid(name, broken('must be an object', sent))] };
  const validated = v.safeParse(blockSchema, sent, { abortPipeEarly: true });
  const problems = [...blockProblems(name, validated.issues ?? []), ...missing(sent)];
  return validated.success && problems.length === 0 ? { problems, value: validated.output } : { problems };
}

function required<Block>(name: BlockName, block: ValidatedBlock<Block>): ValidatedBlock<Block> {
  const isMissing = block.value === undefined && block.problems.length === 0;
  return isMissing ? { problems: [invalid(name, 'is required')] } : block;
}

/** §2.7: `user.email` is "required unless user.external_user_id is sent". */
function missingUserId({ email, external_user_id }: SentRecord): Problem[] {
  const isMissing = isAbsent(email) && isAbsent(external_user_id);
  return isMissing ? [invalid('user.email', 'is required unless user.external_user_id is sent')] : [];
}

/** §2.7, likewise. Content of another type has ids of its own, so a course id is not required there. */
function missingCourseId({ type, platform_course_id, external_course_id }: SentRecord): Problem[] {
  const isOtherType = typeof type === 'string' && type !== 'course';
  const isMissing = !isOtherType && isAbsent(platform_course_id) && isAbsent(external_course_id);
  const rule = 'is required unless content.external_course_id is sent';
  return isMissing ? [invalid('content.platform_course_id', rule)] : [];
}

function malformedOf(blocks: Readonly<Record<BlockName, ValidatedBlock<unknown>>>): BlockName[] {
  return BLOCK_NAMES.filter((name) => blocks[name].problems.length > 0);
}

/** Paths of the members that the interface does not know. `null` counts as absent. */
function unknownIn(sent: unknown, known: object, prefix = ''): string[] {
  if (!isObject(sent)) return [];
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(known, name) && sent[name] !== null);
  const inBlocks = Object.keys(known).flatMap((name) => {
    const [block, value, path] = [BLOCKS[name], sent[name], `${prefix}${name}.`];
    if (block === undefined) return [];
    if (name !== 'classes') return unknownIn(value, block, path);
    return Array.isArray(value) ? value.flatMap((each, at) => unknownIn(each, block, `${path}${at}.`)) : [];
  });
  return [...unknown.map((name) => prefix + excerpt(name)), ...inBlocks];
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
