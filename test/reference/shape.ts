/** Whether a record is well-formed (sections 2.7 and 7.3): every problem of every block. */
import { referenceDate } from './date.ts';

export interface Fault {
  readonly error_code: string;
  readonly field?: string;
}

type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const invalid = (field: string): Fault => ({ error_code: 'invalid_record', field });

/** Code points. */
const lengthOf = (text: string): number => Array.from(text).length;
const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text);

export function isRecordId(value: unknown): value is string {
  return typeof value === 'string' && lengthOf(value) >= 1 && lengthOf(value) <= 128 && !hasLoneSurrogate(value);
}

/** In string form; `undefined` if it is unusable. */
export function externalIdOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `${value === 0 ? 0 : value}` : undefined;
  return isRecordId(value) ? value : undefined;
}

function isEmail(value: unknown): boolean {
  if (typeof value !== 'string' || lengthOf(value) > 254 || hasLoneSurrogate(value)) return false;
  const sides = value.split('@');
  return sides.length === 2 && sides[0] !== '' && sides[1] !== '' && !/[\s\p{Cc}]/u.test(value);
}

const isPlatformId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function percentage(value: unknown, field: string, outOfRange: string): Fault[] {
  if (isAbsent(value)) return [];
  if (typeof value !== 'number') return [invalid(field)];
  return value >= 0 && value <= 100 ? [] : [{ error_code: outOfRange, field }];
}

function date(value: unknown, field: string): Fault[] {
  if (isAbsent(value)) return [];
  if (typeof value !== 'string') return [invalid(field)];
  return referenceDate(value) === undefined ? [{ error_code: 'invalid_date_format', field }] : [];
}

function unless(holds: boolean, fault: Fault): Fault[] {
  return holds ? [] : [fault];
}

export function userFaults(user: unknown): Fault[] {
  if (!isObject(user)) return [invalid('user')];
  const { email, external_user_id } = user;
  if (isAbsent(email) && isAbsent(external_user_id)) return [invalid('user.email')];
  return [
    ...unless(isAbsent(email) || isEmail(email), invalid('user.email')),
    ...unless(
      isAbsent(external_user_id) || externalIdOf(external_user_id) !== undefined,
      invalid('user.external_user_id'),
    ),
  ];
}

function isReference(value: unknown): boolean {
  if (typeof value === 'string') return lengthOf(value) <= 1024;
  return typeof value === 'boolean' || Number.isFinite(value);
}

export function contentFaults(content: unknown): Fault[] {
  if (!isObject(content)) return [invalid('content')];
  const { type, platform_course_id, external_course_id, external_ref } = content;
  const isOther = typeof type === 'string' && type !== 'course';
  const isUnnamed = isAbsent(platform_course_id) && isAbsent(external_course_id) && !isOther;
  return [
    ...(isOther ? [{ error_code: 'unsupported_content_type', field: 'content.type' }] : []),
    ...unless(typeof type === 'string', invalid('content.type')),
    ...unless(isAbsent(platform_course_id) || isPlatformId(platform_course_id), invalid('content.platform_course_id')),
    ...unless(
      isAbsent(external_course_id) || externalIdOf(external_course_id) !== undefined,
      invalid('content.external_course_id'),
    ),
    ...unless(isAbsent(external_ref) || isReference(external_ref), invalid('content.external_ref')),
    ...unless(!isUnnamed, invalid('content.platform_course_id')),
  ];
}

/** The members of the blocks that say how far the learner is (§2.7), and the kind of each. */
export const MEMBERS = {
  progress: {
    completion_pct: 'percentage',
    started_at: 'date',
    last_activity_at: 'date',
    completed_at: 'date',
    classes: 'classes',
  },
  assessment: { status: 'status', score_pct: 'percentage', taken_at: 'date' },
} as const;
export type Kind = 'percentage' | 'number' | 'date' | 'classes' | 'status';

const FAULTS: Readonly<Record<Kind, (value: unknown, field: string) => Fault[]>> = {
  percentage: (value, field) =>
    percentage(value, field, field === 'progress.completion_pct' ? 'invalid_completion_pct' : 'invalid_record'),
  number: (value, field) => unless(isAbsent(value) || isPlatformId(value), invalid(field)),
  date,
  classes: classFaults,
  status: (value, field) =>
    unless(isAbsent(value) || ['passed', 'failed', 'not_taken'].includes(value as string), invalid(field)),
};

export function blockFaults(name: keyof typeof MEMBERS, block: unknown): Fault[] {
  if (isAbsent(block)) return [];
  if (!isObject(block)) return [invalid(name)];
  return Object.entries(MEMBERS[name]).flatMap(([member, kind]) => FAULTS[kind](block[member], `${name}.${member}`));
}

/** A value for each member of the progress of a record. */
export function progressWith<Value>(
  ofKind: Readonly<Record<Exclude<Kind, 'status'>, () => Value>>,
): Record<keyof typeof MEMBERS.progress, Value> {
  const values = Object.entries(MEMBERS.progress).map(([member, kind]) => [member, ofKind[kind]()]);
  return Object.fromEntries(values) as Record<keyof typeof MEMBERS.progress, Value>;
}

function classFaults(classes: unknown): Fault[] {
  if (isAbsent(classes)) return [];
  if (!Array.isArray(classes)) return [invalid('progress.classes')];
  return classes.flatMap((entry: unknown, at) => {
    const field = `progress.classes.${at}`;
    if (!isObject(entry)) return [invalid(field)];
    return [
      ...unless(isPlatformId(entry['platform_class_id']), invalid(`${field}.platform_class_id`)),
      ...date(entry['viewed_at'], `${field}.viewed_at`),
    ];
  });
}

/** Members of the course that only the audit shows. */
export const KEPT = ['external_ref'] as const;

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  '': ['external_record_id', 'user', 'content', 'progress', 'assessment'],
  user: ['email', 'external_user_id'],
  content: ['type', 'platform_course_id', 'external_course_id', ...KEPT],
  progress: Object.keys(MEMBERS.progress),
  assessment: Object.keys(MEMBERS.assessment),
};

/** Rule 2: "Unknown members are ignored with one warning"; "`null` counts as absent everywhere". */
export function hasUnknownMember(record: Members): boolean {
  const strange = (block: unknown, known: readonly string[]) =>
    isObject(block) && Object.entries(block).some(([name, value]) => value !== null && !known.includes(name));
  const classes = isObject(record['progress']) ? record['progress']['classes'] : undefined;
  return (
    Object.entries(KNOWN).some(([name, known]) => strange(name === '' ? record : record[name], known)) ||
    (Array.isArray(classes) && classes.some((entry) => strange(entry, ['platform_class_id', 'viewed_at'])))
  );
}
