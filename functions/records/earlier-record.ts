/** The warning that an earlier version of a record keeps what the new one lowers or leaves out (`earlier_record_kept`). */
import { joinAll, stateOf, type KnownDate, type ProgressState } from './merge.ts';
import { listed } from './text.ts';
import type { Contribution, Warning } from '../shared/model.ts';

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
  const kept = before === null ? [] : keptOf(before, stateOf(now));
  if (kept.length === 0) return [];
  const message = `An earlier import of this record is kept: ${kept.join('; ')}. To correct it, send the record with "replace": true.`;
  return [{ warning_code: 'earlier_record_kept', message, field: 'external_record_id' }];
}

function keptOf(before: ProgressState, now: ProgressState): string[] {
  const { dates } = before;
  const further = [...before.classes.keys()].filter((id) => !now.classes.has(id));
  const later = (['completed_at', 'certified_at', 'last_activity_at'] as const).filter((field) =>
    isLater(dates[field], now.dates[field]),
  );
  return [
    ...(before.completion_pct > now.completion_pct
      ? [`completion_pct ${before.completion_pct} instead of ${now.completion_pct}`]
      : []),
    ...(before.certified && !now.certified ? ['the certification'] : []),
    ...(further.length > 0 ? [`viewed classes ${listed(further)}`] : []),
    ...later.map((field) => `${field} ${dates[field]?.at}`),
    ...(isEarlierStart(dates.started_at, now.dates.started_at) ? [`started_at ${dates.started_at?.at}`] : []),
  ];
}

/** A date that the join keeps because it is later. A default is not kept where the new version sends a date. */
function isLater(before: KnownDate, now: KnownDate): boolean {
  if (before === null || now === null) return before !== null;
  return before.at > now.at && (before.sent || !now.sent);
}

function isEarlierStart(before: KnownDate, now: KnownDate): boolean {
  return before !== null && now !== null && before.sent && now.sent && before.at < now.at;
}
