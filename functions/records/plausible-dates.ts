/** The warnings about the dates of a record (rule 5): `date_assumed` and `date_implausible`. */
import type { ValidRecord } from './contribution.ts';
import { listed } from './text.ts';
import type { Contribution, Instant, Warning } from '../shared/model.ts';

/** A date that the record sent, by its path. */
type SentDate = readonly [path: string, at: Instant];

const DAY_MS = 24 * 60 * 60 * 1000;
const EARLIEST = '1970-01-01T00:00:00.000Z';
const START = 'progress.started_at';
const ASSUMED = { completed_at: 'progress.completed_at', certified_at: 'assessment.taken_at' } as const;

/**
 * Rule 5: "Where `completed_at` or `certified_at` is such a default, the record has the warning `date_assumed`, naming them".
 *
 * @example
 * const [warning] = dateAssumed({ defaulted: ['completed_at', 'certified_at'] });
 * warning.field; // => 'progress.completed_at'
 */
export function dateAssumed({ defaulted }: Pick<Contribution, 'defaulted'>): Warning[] {
  const fields = (['completed_at', 'certified_at'] as const).filter((field) => defaulted.includes(field));
  const [first] = fields;
  if (first === undefined) return [];
  const sent = fields.map((field) => ASSUMED[field]).join(' and ');
  const message = `${sent} was not sent: ${fields.join(' and ')} is the date of this import.`;
  return [{ warning_code: 'date_assumed', message, field: ASSUMED[first] }];
}

/**
 * Rule 5: "A record whose dates cannot all be true is applied with the warning `date_implausible`, naming each and why". Dates that
 * are not sent, and those of classes and assessments that do not count, are left out.
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
    ...startsAfter(record, dates),
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
  const dates: [string, Instant | null | undefined][] = [
    [START, progress?.started_at],
    ['progress.last_activity_at', progress?.last_activity_at],
    ['progress.completed_at', progress?.completed_at],
    ['assessment.taken_at', assessment?.taken_at],
    ...(progress?.classes ?? []).flatMap((each, at): [string, Instant | undefined][] =>
      counted.has(each) ? [[`progress.classes.${at}.viewed_at`, each.viewed_at]] : [],
    ),
  ];
  return dates.flatMap(([path, at]) => (at === undefined || at === null ? [] : [[path, at] as const]));
}

/** A start "after the completion, the certification or the last activity". */
function startsAfter(
  { evaluated: { assessment } }: Pick<ValidRecord, 'evaluated'>,
  dates: readonly SentDate[],
): [reason: string, dates: SentDate[]][] {
  const sent = new Map(dates);
  const start = sent.get(START);
  if (start === undefined) return [];
  const ends = ['progress.completed_at', 'progress.last_activity_at'];
  if (assessment?.status === 'passed') ends.push(ASSUMED.certified_at);
  const before = ends.filter((path) => (sent.get(path) ?? start) < start);
  if (before.length === 0) return [];
  return [[`After ${before.map((path) => `${path} ${sent.get(path)}`).join(' and ')}`, [[START, start]]]];
}
