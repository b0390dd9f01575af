/** The kinds of a file with what is suggested for each: by its own words and days, and by the rest of the file. */
import { say } from '../ground/codes.ts';
import { isSameKind } from '../language/classes.ts';
import type { Findings, Kind, KnownKind, Suggestion } from '../language/findings.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { namesOfActivities } from './activities.ts';
import { asks } from './asks.ts';
import { verbOfVoiding, voidedBy } from './base.ts';
import { areMeasured, signatureIn } from './attendance.ts';
import { areBegun, PERCENTS } from './begun.ts';
import type { CountedKinds } from './count.ts';
import { areSomeDone, FILE_RULES, type FileFacts } from './file-rules.ts';
import { areDayless } from './dayless.ts';
import type { FoundColumns } from './found.ts';
import { wordRulesOf } from './kind-facts.ts';
import type { SuggestedBy } from './part.ts';
import { daysOfRegister } from './register.ts';
import { ruleFor } from './rule.ts';
import { suggestedKind, type SuggestedKind } from './suggest.ts';
import { tellingDay } from './telling-day.ts';
import { wordOfIssue } from './word-of-issue.ts';
import { impliedColumns, unclearColumns, untellingColumns } from './unknown.ts';

/** @param confirmed kinds of an earlier mapping, which stay as they are */
export function suggestedKinds(
  found: FoundColumns,
  { tally, state, dates, areOneSession }: CountedKinds,
  confirmed: readonly KnownKind[],
): Pick<Findings, 'kinds' | 'unclear'> & ReturnType<typeof voidedBy> {
  const { named, profile, roles, roleOf, candidates, activities, system } = found;
  const toCome = new Set(dates.flatMap(({ column, filled, future }) => (future * 2 > filled ? [column] : [])));
  const isOfDays = (column: ColumnProfile): boolean => state.get(column.reference)?.read === 'date';
  const hasOther = named.some((column) => isOfDays(column) && !toCome.has(column));
  // Beside another date, one that is mostly to come is no day of an outcome.
  const isPlan = (column: ColumnProfile): boolean =>
    hasOther && isOfDays(column) && toCome.has(column) && asks(column) === undefined;
  const by = new Map<string, SuggestedBy>(
    named.flatMap((column) => {
      const read = state.get(column.reference);
      return read === undefined || isPlan(column)
        ? []
        : [[column.reference, { column, read, role: roleOf.get(column) }]];
    }),
  );
  const lastActivity = roles.get('progress.last_activity_at');
  // When a row was written, or a learner signed in, says nothing of a course.
  const lastDay = lastActivity && lastActivity.topics.has('row_activity') ? undefined : lastActivity?.reference;
  const all = tally.kinds();
  const context = {
    activities: namesOfActivities(activities, all),
    lastActivity: lastDay,
    areBegun: areBegun(roles.get('progress.started_at'), profile.rows),
    rows: profile.rows,
    daysOfRegister: daysOfRegister(found, by),
    hasExpiry: profile.columns.some(({ topics, dateFormats }) => topics.has('expiry') && dateFormats.length > 0),
    tellingDay: tellingDay(all, by),
    wordOfIssue: wordOfIssue(all, by),
    arePercentsAlone: [...by.values()].every(({ read }) => PERCENTS.has(read.read)),
    isDayless: areDayless(found),
  };
  const untelling = system === undefined ? untellingColumns(all, by, context) : [];
  for (const name of untelling) {
    tally.leaveOut(name);
    state.delete(name);
    by.delete(name);
    candidates.why.set(name, say('tells_no_rows_apart', {}));
  }
  const counted = tally.kinds();
  const implied = system === undefined ? impliedColumns(counted, by, context) : [];
  for (const name of implied) {
    by.delete(name);
    candidates.why.set(name, say('unknown_words_add_nothing', {}));
  }
  const verb = verbOfVoiding(counted);
  const voided = voidedBy(verb, profile);
  const columns = Object.fromEntries(state);
  const suggested = counted.map((kind) => {
    const own = suggestedKind(kind.values, by, context);
    const known = system?.suggest(kind.values, columns);
    return { ...kind, ...own, suggestion: known === undefined || saysNotDone(own, known) ? own.suggestion : known };
  });
  const isKnown = system !== undefined;
  const file = {
    kinds: suggested,
    by,
    dates,
    tellingDay: context.tellingDay,
    signature: signatureIn(suggested),
    verb,
    isVoidingRead: voided.voided !== undefined,
    isKnown,
    mayBeAttended: areOneSession && !areMeasured(named),
    rows: profile.rows,
    areBegun: context.areBegun,
  };
  const isSomeDone = areSomeDone(file);
  /** Beside a state, a certificate says nothing more. */
  const isOpen = (name: string): boolean =>
    by.get(name)?.column.topics.has('certificate') !== true ||
    suggested.some(({ facts }) => facts.certificate?.name === name);
  const kinds = suggested.map(({ values, rows, samples, facts, suggestion }): Kind => {
    const known = confirmed.find((each) => isSameKind(values, each.values));
    const own = unless({ values, facts, suggestion, isSomeDone, ...file });
    return {
      values,
      rows,
      lines: samples.map(({ line }) => line),
      samples,
      ...(known === undefined ? own : asConfirmed(known)),
      suggested: own,
      confirmed: known !== undefined,
      words: wordRulesOf(values, by, context),
    };
  });
  return { kinds, unclear: system === undefined ? unclearColumns(counted, by).filter(isOpen) : [], ...voided };
}

/** A system may have more words for what is not done than its descriptor; a completion that it does not know is asked about. */
const saysNotDone = ({ facts, suggestion: { outcome } }: SuggestedKind, known: Suggestion): boolean =>
  known.outcome === null &&
  (facts.isUnfinished || facts.isFailed || facts.ended !== undefined) &&
  !facts.isFinished &&
  outcome !== null &&
  outcome !== 'completed' &&
  outcome !== 'certified';

/** The suggestion, unless the rest of the file speaks against it. */
function unless(facts: FileFacts): Suggestion {
  const rule = ruleFor(FILE_RULES, facts);
  return rule === undefined ? facts.suggestion : { ...rule.says(facts), reason: rule.reason(facts) };
}

const asConfirmed = ({ outcome, date = null, percent = null, reason = null }: KnownKind): Suggestion => ({
  outcome,
  date,
  percent,
  reason: typeof reason === 'string' ? say('own_reason', { text: reason }) : reason,
});
