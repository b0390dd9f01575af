/**
 * An independent implementation of the record rules (sections 2.7, 4.3 and 7.3) for one record. It shares no code with
 * the service, so that a fault in one of them shows as a difference.
 */
// The functions are long on purpose: each is a page of the rules, in their order.
/* oxlint-disable complexity */
import { referenceDate } from './date.ts';
import { impliedPercentage } from '../kit/implied-percentage.ts';
import {
  AMOUNTS,
  effectiveOf,
  isDateOfClassesAssumed,
  recordSource,
  type EffectiveProgress,
  type Evaluated,
  type SourceProgress,
} from './effective.ts';
import * as shape from './shape.ts';
import {
  type KnownRecord,
  type PairState,
  pairOf,
  type ReferenceCourse,
  type ReferenceUser,
  type ReferenceWorld,
} from './world.ts';

export interface ReferenceResult {
  readonly external_record_id: string | null;
  readonly status: 'success' | 'error';
  readonly codes: readonly shape.Fault[];
  readonly warnings: readonly string[];
  readonly outcome: 'applied' | 'updated' | 'unchanged' | null;
  readonly progress: (EffectiveProgress & { user_id: number; platform_course_id: number }) | null;
  /** The effective progress without an applied or updated record. */
  readonly before?: EffectiveProgress | null;
  /** The contribution of an accepted record. */
  readonly source?: SourceProgress;
  readonly said?: string;
}

/** §4.12: "rejected only with" these codes, whatever their number. */
const NOBODY = new Set([
  'user_not_found',
  'user_inactive',
  'course_not_in_catalog',
  'external_user_id_not_mapped',
  'external_course_id_not_mapped',
]);
export const isArchived = ({ codes }: ReferenceResult): boolean =>
  codes.length > 0 && !codes.some(({ error_code }) => !NOBODY.has(error_code));

interface ReferenceOptions {
  readonly created_at: string;
  readonly replace?: boolean;
  readonly isRepeat?: boolean;
}

type Members = Readonly<Record<string, unknown>>;
const block = (value: unknown): Members | undefined => (shape.isObject(value) ? value : undefined);

export function referenceBatch(
  records: readonly unknown[],
  world: ReferenceWorld,
  created_at: string,
  replace = false,
): ReferenceResult[] {
  const seen = new Set<string>();
  return records.map((record) => {
    const id = block(record)?.['external_record_id'];
    const isRepeat = shape.isRecordId(id) && seen.has(id);
    if (shape.isRecordId(id)) seen.add(id);
    return referenceResult(record, world, { created_at, replace, isRepeat });
  });
}

function referenceResult(record: unknown, world: ReferenceWorld, options: ReferenceOptions): ReferenceResult {
  const id = block(record)?.['external_record_id'];
  const external_record_id = shape.isRecordId(id) ? id : null;
  const rejected = (...codes: shape.Fault[]): ReferenceResult => ({
    external_record_id,
    status: 'error',
    codes: reported(codes),
    warnings: [],
    outcome: null,
    progress: null,
  });
  if (options.isRepeat === true)
    return rejected({ error_code: 'duplicate_external_record_id', field: 'external_record_id' });
  if (!shape.isObject(record)) return rejected({ error_code: 'invalid_record' });
  if (Buffer.byteLength(JSON.stringify(record)) > 64 * 1024) return rejected({ error_code: 'invalid_record' });

  const faults = {
    user: shape.userFaults(record['user']),
    content: shape.contentFaults(record['content']),
    progress: shape.blockFaults('progress', record['progress']),
    assessment: shape.blockFaults('assessment', record['assessment']),
  };
  const user = faults.user.length === 0 ? findUser(record['user'] as Members, world) : [];
  const course = faults.content.length === 0 ? findCourse(record['content'] as Members, world) : [];
  const usable = faults.progress.length + faults.assessment.length === 0;
  const evaluated = usable && isFound(course) ? evaluate(record, course) : undefined;
  const codes = [
    ...(external_record_id === null ? [{ error_code: 'invalid_record', field: 'external_record_id' }] : []),
    ...Object.values(faults).flat(),
    ...(isFound(user) ? [] : user),
    ...(isFound(course) ? [] : course),
    ...(evaluated !== undefined && 'fault' in evaluated ? [evaluated.fault] : []),
  ];
  if (codes.length > 0 || !isFound(user) || !isFound(course) || evaluated === undefined || 'fault' in evaluated)
    return { ...rejected(...codes), warnings: unknownMembers(record) };
  return accepted(record, { id: external_record_id as string, user, course, evaluated }, world, options);
}

const unknownMembers = (record: Members): string[] => (shape.hasUnknownMember(record) ? ['unknown_field_ignored'] : []);

const MOST_FAULTS = 100;

/** "All in the result up to 100 problems, then one that counts the rest"; problems of single classes come last. */
function reported(codes: readonly shape.Fault[]): readonly shape.Fault[] {
  if (codes.length <= MOST_FAULTS) return codes;
  const isOfClass = ({ field = '' }: shape.Fault) => /^progress\.classes\.\d/.test(field);
  const [others, ofClasses] = [codes.filter((code) => !isOfClass(code)), codes.filter(isOfClass)];
  return [...others, ...ofClasses.slice(0, MOST_FAULTS - others.length), { error_code: 'invalid_record' }];
}

type Lookup<T> = T | shape.Fault[];
const isFound = <T extends object>(found: Lookup<T>): found is T => !Array.isArray(found);

/** Rule 6: "each must resolve; then they must agree". */
function agreeing<T extends object>(
  found: readonly Lookup<T>[],
  same: (a: T, b: T) => boolean,
  field: string,
): Lookup<T> {
  const faults = found.flatMap((one) => (isFound(one) ? [] : one));
  const [first, second] = found.filter(isFound<T>);
  if (faults.length > 0 || first === undefined) return faults;
  if (second !== undefined && !same(first, second)) return [{ error_code: 'identifier_mismatch', field }];
  return first;
}

/** Compares ASCII letters without regard to case, and all other characters exactly. */
const folded = (email: string): string => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

function findUser({ email, external_user_id }: Members, world: ReferenceWorld): Lookup<ReferenceUser> {
  const found: Lookup<ReferenceUser>[] = [];
  const active = (user: ReferenceUser, field: string) =>
    user.active ? user : [{ error_code: 'user_inactive', field }];
  if (!shape.isAbsent(email)) {
    const user = world.users.find((known) => folded(known.email) === folded(email as string));
    found.push(user ? active(user, 'user.email') : [{ error_code: 'user_not_found', field: 'user.email' }]);
  }
  if (!shape.isAbsent(external_user_id)) {
    const field = 'user.external_user_id';
    const mapped = world.userMappings.get(shape.externalIdOf(external_user_id) as string);
    const user = world.users.find(({ user_id }) => user_id === mapped);
    found.push(user ? active(user, field) : [{ error_code: 'external_user_id_not_mapped', field }]);
  }
  return agreeing(found, (a, b) => a.user_id === b.user_id, 'user');
}

function findCourse(
  { platform_course_id, external_course_id }: Members,
  world: ReferenceWorld,
): Lookup<ReferenceCourse> {
  const found: Lookup<ReferenceCourse>[] = [];
  const byId = (id: unknown) => world.courses.find((course) => course.platform_course_id === id);
  if (!shape.isAbsent(platform_course_id)) {
    found.push(
      byId(platform_course_id) ?? [{ error_code: 'course_not_in_catalog', field: 'content.platform_course_id' }],
    );
  }
  if (!shape.isAbsent(external_course_id)) {
    const mapped = world.courseMappings.get(shape.externalIdOf(external_course_id) as string);
    const field = 'content.external_course_id';
    found.push(mapped === undefined ? [{ error_code: 'external_course_id_not_mapped', field }] : (byId(mapped) ?? []));
  }
  return agreeing(found, (a, b) => a.platform_course_id === b.platform_course_id, 'content');
}

/** Rules 7 to 9. */
function evaluate(record: Members, course: ReferenceCourse): Evaluated | { readonly fault: shape.Fault } {
  const warnings: string[] = [];
  const progress = block(record['progress']);
  const sentAssessment = block(record['assessment']);
  if (sentAssessment && !course.has_exam) warnings.push('assessment_ignored');
  const assessment = course.has_exam ? sentAssessment : undefined;
  const passed = assessment?.['status'] === 'passed';
  const listed = progress?.['classes'] as Members[] | null | undefined;
  const ids = (listed ?? []).map((entry) => entry['platform_class_id'] as number);
  if (new Set(ids).size < ids.length) warnings.push('duplicate_class_id');
  if (ids.some((id) => !course.classes.includes(id))) warnings.push('class_not_in_course');
  const viewed = listed ? firstEntries(listed, course) : undefined;
  const shared = { passed, assessment, viewed };
  const derived = viewed && impliedPercentage(viewed.size, course.classes.length);
  const sent = progress?.['completion_pct'];
  if (typeof sent === 'number') {
    const isAdjusted = derived !== undefined && derived > sent;
    return {
      ...shared,
      completion_pct: isAdjusted ? derived : sent,
      warnings: isAdjusted ? [...warnings, 'completion_pct_adjusted'] : warnings,
    };
  }
  const isExamOnly = passed && viewed !== undefined && viewed.size === 0;
  if (derived !== undefined && !isExamOnly)
    return { ...shared, completion_pct: derived, warnings: [...warnings, 'completion_pct_derived'] };
  if (passed) return { ...shared, completion_pct: 100, warnings: [...warnings, 'completion_pct_assumed'] };
  if (progress) return { fault: { error_code: 'invalid_record', field: 'progress.completion_pct' } };
  return { fault: { error_code: 'missing_progress', field: 'progress' } };
}

function firstEntries(listed: readonly Members[], course: ReferenceCourse): Map<number, string | undefined> {
  const viewed = new Map<number, string | undefined>();
  for (const { platform_class_id, viewed_at } of listed) {
    const id = (platform_class_id as number) + 0;
    if (!course.classes.includes(id) || viewed.has(id)) continue;
    viewed.set(id, typeof viewed_at === 'string' ? referenceDate(viewed_at) : undefined);
  }
  return viewed;
}

interface Sound {
  readonly id: string;
  readonly user: ReferenceUser;
  readonly course: ReferenceCourse;
  readonly evaluated: Evaluated;
}

/** Rules 5, 11 and 12. */
function accepted(
  record: Members,
  { id, user, course, evaluated }: Sound,
  world: ReferenceWorld,
  { created_at, replace = false }: ReferenceOptions,
): ReferenceResult {
  const pair = pairOf(user.user_id, course.platform_course_id);
  const state = world.pairs.get(pair) ?? { native: null, records: [] };
  const source = recordSource(block(record['progress']), evaluated, created_at);
  const said = saying(record, pair);
  const isOwn = (known: KnownRecord) => known.external_record_id === id;
  const earlier = counting(state.records.filter(isOwn));
  const isUnchanged = saysTheSame(said, earlier, replace);
  const own = replace ? [] : earlier.map((known) => known.source);
  const before = effectiveIn(state, course);
  const after = [...sourcesOf({ ...state, records: state.records.filter((known) => !isOwn(known)) }), ...own, source];
  const bound = world.identities.get(id);
  const progress = { user_id: user.user_id, platform_course_id: course.platform_course_id };
  if (bound !== undefined && bound !== pair) {
    const codes = [{ error_code: 'duplicate_external_record_id', field: 'external_record_id' }];
    const warnings = unknownMembers(record);
    return { external_record_id: id, status: 'error', codes, warnings, outcome: null, progress: null };
  }
  const warnings = [...evaluated.warnings, ...unknownMembers(record)];
  if (state.native && isAbove(state.native, source, evaluated, course)) warnings.push('native_progress_kept');
  const shown = isUnchanged ? sourcesOf(state) : after;
  if (
    source.certified_at?.sent === false ||
    source.completed_at?.sent === false ||
    isDateOfClassesAssumed(shown, course)
  )
    warnings.push('date_assumed');
  if (isImplausible(record, evaluated, created_at)) warnings.push('date_implausible');
  if (!isUnchanged && !replace && earlier.length > 0 && keepsMore(own, source)) warnings.push('earlier_record_kept');
  return {
    external_record_id: id,
    status: 'success',
    codes: [],
    warnings,
    outcome: isUnchanged ? 'unchanged' : earlier.length > 0 ? 'updated' : 'applied',
    progress: { ...progress, ...(isUnchanged && before ? before : effectiveOf(after, course)) },
    ...(!isUnchanged && { before }),
    source,
    said,
  };
}

/** Rule 12: `unchanged`, "with `replace` only where its content is that of every version that counts". */
export function saysTheSame(said: string, versions: readonly KnownRecord[], replace: boolean): boolean {
  const equal = versions.filter((known) => known.said === said).length;
  return equal > 0 && (!replace || equal === versions.length);
}

/** Rule 12: the newest replacing version of one record, and what was accepted after it. */
export function counting(versions: readonly KnownRecord[]): readonly KnownRecord[] {
  return versions.slice(
    Math.max(
      0,
      versions.findLastIndex(({ replaces }) => replaces),
    ),
  );
}

export function sourcesOf({ native, records }: PairState): SourceProgress[] {
  const ids = [...new Set(records.map((known) => known.external_record_id))];
  const counted = ids.flatMap((id) => counting(records.filter((known) => known.external_record_id === id)));
  return [...(native ? [native] : []), ...counted.map((known) => known.source)];
}

/** The effective progress of a learner in a course; `null` if there is none. */
export function effectiveIn(state: PairState, course: ReferenceCourse | undefined): EffectiveProgress | null {
  const sources = sourcesOf(state);
  return sources.length === 0 ? null : effectiveOf(sources, course);
}

/** Whether earlier versions keep something that this one lowers or leaves out. */
function keepsMore(earlier: readonly SourceProgress[], now: SourceProgress): boolean {
  const joined = (field: DateField) => effectiveOf([...earlier, now], undefined)[field];
  const isLater = (field: DateField) => {
    const at = now[field]?.at;
    return joined(field) !== (at ?? null) && (at === undefined || (joined(field) ?? '') > at);
  };
  const starts = earlier.flatMap(({ started_at }) => (started_at?.sent === true ? [started_at.at] : []));
  const { started_at } = now;
  return (
    earlier.some((known) => AMOUNTS.some((name) => isHigher(known[name], now[name]))) ||
    earlier.some((known) => known.certified && !now.certified) ||
    earlier.some(({ classes }) => [...classes.keys()].some((id) => !now.classes.has(id))) ||
    (['certified_at', 'completed_at', 'last_activity_at'] as const).some(isLater) ||
    (started_at?.sent === true && starts.some((at) => at < started_at.at))
  );
}
const isHigher = (one: number | null, other: number | null): boolean => (one ?? 0) > (other ?? 0);
type DateField = 'certified_at' | 'completed_at' | 'last_activity_at';

/** Dates that were sent and count (none of an exam that is not passed): before 1970, more than a day after the import, or a start behind what follows it. */
function isImplausible(record: Members, { assessment, viewed, passed }: Evaluated, created_at: string): boolean {
  const progress = block(record['progress']);
  const date = (value: unknown) => (typeof value === 'string' ? referenceDate(value) : undefined);
  const taken = passed ? date(assessment?.['taken_at']) : undefined;
  const [start, active, completed] = ['started_at', 'last_activity_at', 'completed_at'].map((name) =>
    date(progress?.[name]),
  );
  const limit = new Date(Date.parse(created_at) + 86_400_000).toISOString();
  const dates = [start, active, completed, taken, ...(viewed?.values() ?? [])];
  const ends = [active, completed, taken];
  return (
    dates.some((at) => at !== undefined && (at > limit || at < '1970')) ||
    ends.some((at) => at !== undefined && start !== undefined && at < start)
  );
}

/** Whether organic progress is above the record, in a dimension that the record has. */
function isAbove(
  native: SourceProgress,
  source: SourceProgress,
  { viewed, assessment }: Evaluated,
  course: ReferenceCourse,
): boolean {
  const organic = effectiveOf([native], course);
  return (
    AMOUNTS.some((name) => isHigher(organic[name], source[name]) && source[name] !== null) ||
    (viewed !== undefined && [...native.classes.keys()].some((id) => !viewed.has(id))) ||
    (native.certified && assessment !== undefined && assessment['status'] !== 'passed')
  );
}

/** The content of a record: resolved ids, normalised dates, no defaults; `null` is absent, except in `completed_at`. */
export function saying(record: Members, pair: string): string {
  const [content, progress, assessment] = [
    block(record['content']),
    block(record['progress']),
    block(record['assessment']),
  ];
  const { completed_at } = progress ?? {};
  return JSON.stringify([
    pair,
    shape.KEPT.map((name) => content?.[name] ?? null),
    membersSaid('progress', progress ?? {}),
    completed_at === undefined ? 'absent' : SAID.date(completed_at),
    assessment ? membersSaid('assessment', assessment) : null,
  ]);
}

const membersSaid = (name: keyof typeof shape.MEMBERS, sent: Members): unknown[] =>
  Object.entries(shape.MEMBERS[name]).map(([member, kind]) => SAID[kind](sent[member]));

const numberSaid = (value: unknown) => (typeof value === 'number' ? value + 0 : null);

const SAID: Readonly<Record<shape.Kind, (value: unknown) => unknown>> = {
  percentage: numberSaid,
  number: numberSaid,
  date: (value) => (typeof value === 'string' ? referenceDate(value) : null),
  status: (value) => value ?? null,
  classes: (listed) => {
    if (shape.isAbsent(listed)) return null;
    const classes = new Map<number, unknown>();
    for (const { platform_class_id, viewed_at } of listed as Members[]) {
      const id = (platform_class_id as number) + 0;
      if (!classes.has(id)) classes.set(id, SAID.date(viewed_at));
    }
    return [...classes].toSorted(([a], [b]) => a - b);
  },
};
