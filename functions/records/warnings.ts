/** The warnings of a record that come from what is stored, or from its dates: `native_progress_kept`, `earlier_record_kept`, `date_assumed`, `date_implausible`. */
import type { EvaluatedProgress } from './evaluate.ts';
import { effectiveProgress, joinAll, type KnownDate, type ProgressState, stateOf } from './merge.ts';
import { listed } from './text.ts';
import type { Course, Progress, Warning, Contribution, Instant } from '../shared/model.ts';
import type { ValidRecord } from './contribution.ts';

/**
 * §4.3: "Non-destructive merge: the maximum is kept per dimension (warning `native_progress_kept`)". Warns if organic
 * progress, with the percentage that its classes imply, is above the record in a dimension that the record itself contains.
 *
 * @example
 * const native = { completion_pct: 90, classes: [], approved_course: 0 };
 * const record = { completion_pct: 50, viewed: undefined, assessment: undefined, warnings: [] };
 * const [warning] = nativeProgressKept(native, record, { has_exam: false, classes: [] });
 * warning.message; // => "The learner's higher progress on the platform is kept: completion_pct 90 instead of 50."
 */
export function nativeProgressKept(
  native: Progress | null,
  record: EvaluatedProgress,
  course: Pick<Course, 'has_exam' | 'classes'>,
): Warning[] {
  const organic = effectiveProgress(native, [], course);
  if (organic === null) return [];
  const kept = [
    ...higherPercentage(organic, record),
    ...furtherClasses(organic, record),
    ...certification(organic, record),
  ];
  if (kept.length === 0) return [];
  const message = `The learner's higher progress on the platform is kept: ${kept.join('; ')}.`;
  return [{ warning_code: 'native_progress_kept', message, field: 'progress' }];
}

type Percentage = Pick<Progress, 'completion_pct'>;

const higherPercentage = ({ completion_pct: before }: Percentage, { completion_pct: now }: Percentage): string[] =>
  before > now ? [`completion_pct ${before} instead of ${now}`] : [];

function furtherClasses(native: Progress, { viewed }: EvaluatedProgress): string[] {
  if (viewed === undefined) return [];
  const listedIds = new Set(viewed.map(({ platform_class_id }) => platform_class_id));
  const further = native.classes.map(({ platform_class_id }) => platform_class_id).filter((id) => !listedIds.has(id));
  return further.length === 0 ? [] : [`viewed classes ${listed(further)}`];
}

function certification(native: Progress, { assessment }: EvaluatedProgress): string[] {
  const isContradicted = assessment !== undefined && assessment.status !== 'passed';
  return native.approved_course === 1 && isContradicted ? ['the certification'] : [];
}

/**
 * Rule 12: "where the earlier version of the record keeps something that the new one would have lowered or left out (a percentage,
 * a certification, a class, a later date), the warning `earlier_record_kept` names it and says how to correct it".
 *
 * @param earlier the versions that count and were accepted before this one
 *
 * @example
 * const none = { classes: [], approved_course: 0, certified_at: null, completed_at: null, last_activity_at: null, started_at: null };
 * const version = (completion_pct) => ({ ...none, completion_pct, defaulted: [], defaulted_classes: [] });
 * const [warning] = earlierRecordKept([version(90)], version(40));
 * warning.message; // => 'An earlier import of this record is kept: completion_pct 90 instead of 40. To correct it, send the record with "replace": true.'
 */
export function earlierRecordKept(earlier: readonly Contribution[], now: Contribution): Warning[] {
  const before = joinAll(earlier.map(stateOf));
  const kept = before === null ? [] : Object.values(KEPT).flatMap((keptOf) => keptOf(before, stateOf(now)));
  if (kept.length === 0) return [];
  const message = `An earlier import of this record is kept: ${kept.join('; ')}. To correct it, send the record with "replace": true.`;
  return [{ warning_code: 'earlier_record_kept', message, field: 'external_record_id' }];
}

type Kept = (before: ProgressState, now: ProgressState) => string[];

/** What an earlier state keeps of each member. */
const KEPT: Readonly<Record<keyof ProgressState, Kept>> = {
  completion_pct: higherPercentage,
  certified: (before, now) => (before.certified && !now.certified ? ['the certification'] : []),
  classes: (before, now) => {
    const further = [...before.classes.keys()].filter((id) => !now.classes.has(id));
    return further.length > 0 ? [`viewed classes ${listed(further)}`] : [];
  },
  dates: ({ dates: before }, { dates: now }) => {
    const later = (['completed_at', 'certified_at', 'last_activity_at'] as const).filter((field) =>
      isLater(before[field], now[field]),
    );
    return [
      ...later.map((field) => `${field} ${before[field]?.at}`),
      ...(isEarlierStart(before.started_at, now.started_at) ? [`started_at ${before.started_at?.at}`] : []),
    ];
  },
};

/** A date that the join keeps because it is later. A default is not kept where the new version sends a date. */
function isLater(before: KnownDate, now: KnownDate): boolean {
  if (before === null || now === null) return before !== null;
  return before.at > now.at && (before.sent || !now.sent);
}

function isEarlierStart(before: KnownDate, now: KnownDate): boolean {
  return before !== null && now !== null && before.sent && now.sent && before.at < now.at;
}

type SentDate = readonly [path: string, at: Instant];

const DAY_MS = 24 * 60 * 60 * 1000;
const EARLIEST = '1970-01-01T00:00:00.000Z';
const START = 'progress.started_at';
const ASSUMED = { completed_at: 'progress.completed_at', certified_at: 'assessment.taken_at' } as const;

/**
 * Rule 5: "Where `completed_at` or `certified_at` is such a default, the record has the warning `date_assumed`, naming them".
 *
 * @param undated the classes that a date of the united classes leaves out
 *
 * @example
 * const [warning] = dateAssumed({ defaulted: ['completed_at', 'certified_at'] }, []);
 * warning.field; // => 'progress.completed_at'
 * const [ofClasses] = dateAssumed({ defaulted: [] }, [1002]);
 * ofClasses.message; // => 'progress.completed_at was not sent: completed_at is that of the viewed classes, of which nobody sent the viewed_at of 1002.'
 */
export function dateAssumed({ defaulted }: Pick<Contribution, 'defaulted'>, undated: readonly number[]): Warning[] {
  const fields = (['completed_at', 'certified_at'] as const).filter((field) => defaulted.includes(field));
  const [first] = fields;
  if (first === undefined) return undated.length === 0 ? [] : [dateOfClassesAssumed(undated)];
  const sent = fields.map((field) => ASSUMED[field]).join(' and ');
  const [were, are] = fields.length > 1 ? ['were', 'are'] : ['was', 'is'];
  const message = `${sent} ${were} not sent: ${fields.join(' and ')} ${are} the date of this import.`;
  return [{ warning_code: 'date_assumed', message, field: ASSUMED[first] }];
}

function dateOfClassesAssumed(undated: readonly number[]): Warning {
  const field = ASSUMED.completed_at;
  const message = `${field} was not sent: completed_at is that of the viewed classes, of which nobody sent the viewed_at of ${listed(undated)}.`;
  return { warning_code: 'date_assumed', message, field };
}

/**
 * Rule 5: "A record whose dates cannot all be true is applied with the warning `date_implausible`, naming each and why". Only
 * dates that are sent and count: none of a class that is skipped, or of an assessment that is ignored or not passed.
 *
 * @example
 * const parsed = { progress: { started_at: '2031-01-01T00:00:00.000Z' }, content: {} };
 * const [warning] = dateImplausible({ parsed, evaluated: {} }, '2026-01-02T00:00:00.000Z');
 * warning.message; // => 'More than a day after this import: progress.started_at 2031-01-01T00:00:00.000Z. Correct it and send the record with replace.'
 */
export function dateImplausible(record: Pick<ValidRecord, 'parsed' | 'evaluated'>, imported_at: Instant): Warning[] {
  const dates = sentDates(record);
  const latest = new Date(Date.parse(imported_at) + DAY_MS).toISOString();
  const faults: [reason: string, dates: SentDate[]][] = [
    ['More than a day after this import', dates.filter(([, at]) => at > latest)],
    ['Before 1970', dates.filter(([, at]) => at < EARLIEST)],
    ...startsAfter(dates),
  ];
  const found = faults.filter(([, some]) => some.length > 0);
  const [field] = found[0]?.[1][0] ?? [];
  if (field === undefined) return [];
  const reasons = found.map(([reason, some]) => `${reason}: ${listed(some.map((date) => date.join(' ')))}.`);
  const message = `${reasons.join(' ')} Correct it and send the record with replace.`;
  return [{ warning_code: 'date_implausible', message, field }];
}

function sentDates({ parsed: { progress }, evaluated }: Pick<ValidRecord, 'parsed' | 'evaluated'>): SentDate[] {
  const { viewed, assessment } = evaluated;
  const counted = new Set(viewed);
  const isPassed = assessment?.status === 'passed';
  const dates: [string, Instant | null | undefined][] = [
    [START, progress?.started_at],
    ['progress.last_activity_at', progress?.last_activity_at],
    ['progress.completed_at', progress?.completed_at],
    [ASSUMED.certified_at, isPassed ? assessment.taken_at : undefined],
    ...(progress?.classes ?? []).flatMap((each, at): [string, Instant | undefined][] =>
      counted.has(each) ? [[`progress.classes.${at}.viewed_at`, each.viewed_at]] : [],
    ),
  ];
  return dates.flatMap(([path, at]) => (at === undefined || at === null ? [] : [[path, at] as const]));
}

/** A start "after the completion, the certification or the last activity". */
function startsAfter(dates: readonly SentDate[]): [reason: string, dates: SentDate[]][] {
  const sent = new Map(dates);
  const start = sent.get(START);
  if (start === undefined) return [];
  const ends = [ASSUMED.completed_at, 'progress.last_activity_at', ASSUMED.certified_at];
  const before = ends.filter((path) => (sent.get(path) ?? start) < start);
  if (before.length === 0) return [];
  return [[`After ${before.map((path) => `${path} ${sent.get(path)}`).join(' and ')}`, [[START, start]]]];
}
