/** Suggests what the rows of a kind become. A suggestion writes nothing: a person confirms it. */
import type { ColumnProfile } from '../mapping/table-profile.ts';
import { meaningOf } from '../words/words.ts';
import { asks, isFlag, isHarmless, isOfWords, saysStopped } from './columns.ts';
import type { Role } from './roles.ts';
import type { KindValues, Outcome, StateColumn } from './types.ts';

/** What the parts of a kind say together. */
type Said = 'completed' | 'passed' | 'failed' | 'in_progress' | 'not_started' | 'incomplete' | 'taken back';

export interface SuggestedBy {
  readonly column: ColumnProfile;
  readonly read: StateColumn;
  readonly role: Role | undefined;
}

export interface Suggestion extends Omit<Outcome, 'outcome'> {
  readonly outcome: Outcome['outcome'] | null;
  readonly reason: string;
}

const nothing = (reason: string): Suggestion => ({ outcome: null, date: null, percent: null, reason });

/**
 * @param by state columns by their name in the mapping
 * @param lastActivity the column of the last activity: the day of an outcome where the file has no other date
 */
export function suggestionFor(
  values: KindValues,
  by: ReadonlyMap<string, SuggestedBy>,
  lastActivity?: string,
): Suggestion {
  const words = Object.entries(values).flatMap(([name, text]) => {
    const from = by.get(name);
    return from === undefined || !isOfWords(from.read) || text === 'empty' ? [] : [{ name, text, from }];
  });
  // Who is enrolled may have completed: only where nothing else is said, it is the state.
  const own = words.filter((each) => !saysEnrolment(each));
  const said = new Set<Said>();
  for (const { name, text, from } of own.length === 0 ? words : own) {
    const meaning = saidBy(text, from);
    if (meaning === 'unknown') return nothing(`${name} = ${text} is no word that is known here`);
    if (meaning !== undefined) said.add(meaning);
  }
  if (Object.values(values).some((is) => /\bimpossible\b/.test(is)))
    return nothing('a cell is no date: correct it, or leave the rows out');
  if (Object.values(values).includes('no number'))
    return nothing('a cell is no percentage: correct it, or leave the rows out');
  const isRevoked = Object.entries(values).some(([name, is]) => is === 'a date' && takesBack(by.get(name)));
  if (isRevoked || said.has('taken back')) return nothing('the row is marked as taken back');
  return bySaid(said, new Facts(values, by, lastActivity));
}

const takesBack = (from: SuggestedBy | undefined): boolean =>
  from?.read.read === 'date' && asks(from.column) === 'taken back';

const ENROLMENT = /\b(enrol\w*|regist\w*|assign\w*|subscri\w*|account|user|employ\w*|licen[cs]e)\b/;
const saysEnrolment = ({ text, from }: { readonly text: string; readonly from: SuggestedBy }): boolean =>
  ENROLMENT.test(from.column.plain) &&
  (/^(active|approved|confirmed)$/i.test(text) || meaningOf(text) === 'not_started');

/** `undefined` for a word that says nothing of its row. */
function saidBy(text: string, from: SuggestedBy): Said | 'unknown' | undefined {
  if (!isHarmless(from.column)) return saidByWord(text, from);
  return saysStopped(text) ? 'taken back' : undefined;
}

function saidByWord(text: string, { column, role }: SuggestedBy): Said | 'unknown' | undefined {
  const meaning = isFlag(column) ? (FLAGS[text] ?? meaningOf(text)) : meaningOf(text);
  if (meaning === undefined) return 'unknown';
  if (meaning === 'yes' || meaning === 'no') return answer(meaning, asks(column));
  if (meaning === 'incomplete' && saysStopped(text)) return 'taken back';
  return role === 'assessment.status' ? result(meaning) : meaning;
}

/** An exam that is not taken is no course that is not started; a completed one is no completed course. */
function result(meaning: Said): Said | 'unknown' | undefined {
  if (meaning === 'passed' || meaning === 'failed') return meaning;
  return meaning === 'completed' ? 'unknown' : undefined;
}

const FLAGS: Readonly<Record<string, 'yes' | 'no'>> = { 0: 'no', 1: 'yes' };

function answer(meaning: 'yes' | 'no', asked: ReturnType<typeof asks>): Said | 'unknown' | undefined {
  if (meaning === 'yes' || asked === undefined) return asked ?? 'unknown';
  return asked === 'taken back' ? undefined : 'incomplete';
}

class Facts {
  readonly percents: readonly (readonly [name: string, is: string])[];
  readonly dates: readonly (readonly [name: string, is: string, role: Role | undefined, isDone: boolean])[];

  /** A column whose words have a date in them. */
  readonly #dated: string | undefined;
  readonly #lastActivity: string | undefined;

  constructor(values: KindValues, by: ReadonlyMap<string, SuggestedBy>, lastActivity: string | undefined) {
    this.#lastActivity = lastActivity;
    this.#dated = Object.keys(values).find(
      (name) => by.get(name)?.read.read === 'dated' && /\bdate\b/.test(values[name] ?? ''),
    );
    const entries = Object.entries(values).flatMap(([name, is]) => {
      const from = by.get(name);
      return from === undefined ? [] : [{ name, is, from }];
    });
    this.percents = entries.flatMap(({ name, is, from }) => (isShareOf(from.read) ? [[name, is] as const] : []));
    this.dates = entries.flatMap(({ name, is, from: { column, read, role } }) =>
      read.read === 'date' ? [[name, is, role, isDoneHeader(column, role)] as const] : [],
    );
  }

  /** The column of the date of an outcome: by the header, else the only one that has a date. */
  dateFor(first: Role): string | undefined {
    if (this.dates.length === 0) return this.#dated ?? this.#lastActivity;
    const filled = this.dates.filter(([, is]) => is === 'a date');
    const byRole = [first, 'progress.completed_at'].flatMap((role) => filled.filter(([, , each]) => each === role));
    return byRole[0]?.[0] ?? this.#dated ?? (filled.length === 1 ? filled[0]?.[0] : undefined);
  }

  get hasDate(): boolean {
    return this.dates.some(([, is]) => is === 'a date');
  }

  /** The only date that says of no completion: the learner was active then. */
  get otherDate(): string | undefined {
    const filled = this.dates.filter(([, is]) => is === 'a date');
    return filled.length === 1 && filled[0]?.[3] === false ? filled[0][0] : this.#dated;
  }

  /** There is a date of completion, by its header. */
  get isDated(): boolean {
    return this.dates.some(([, is, , isDone]) => is === 'a date' && isDone);
  }

  /** The class of every percentage; `undefined` if there is none, `mixed` if they contradict each other. */
  get percent(): string | undefined {
    const classes = new Set(this.percents.map(([, is]) => is));
    return classes.size > 1 ? 'mixed' : [...classes][0];
  }
}

const isDoneHeader = (column: ColumnProfile, role: Role | undefined): boolean =>
  role === 'progress.completed_at' || role === 'assessment.taken_at' || asks(column) !== undefined;

const isShareOf = ({ read }: StateColumn): boolean => read === 'percent' || read === 'share';

function bySaid(said: ReadonlySet<Said>, facts: Facts): Suggestion {
  const has = (...some: Said[]): boolean => some.some((each) => said.has(each));
  if (facts.percent === 'mixed' || facts.percent === 'above')
    return nothing('the percentages contradict each other, or exceed 100');
  if (has('failed')) return has('passed') ? nothing('passed and failed contradict each other') : failed(facts);
  if (has('completed', 'passed')) {
    if (has('in_progress', 'not_started', 'incomplete')) return nothing('one column says done, another one not');
    return done(has('passed'), facts);
  }
  if (has('in_progress', 'not_started', 'incomplete')) return open(has('in_progress'), facts);
  return withoutWords(facts);
}

function done(isPassed: boolean, facts: Facts): Suggestion {
  if (facts.percent === '0' || facts.percent === 'between')
    return nothing('the words say done, the percentage does not');
  const date = facts.dateFor(isPassed ? 'assessment.taken_at' : 'progress.completed_at');
  if (date === undefined)
    return nothing(facts.hasDate ? 'several dates may be the day' : 'there is no date to complete on');
  return isPassed
    ? { outcome: 'certified', date, percent: null, reason: 'the words say passed' }
    : { outcome: 'completed', date, percent: null, reason: 'the words say completed' };
}

function failed(facts: Facts): Suggestion {
  const date = facts.dateFor('assessment.taken_at');
  if (date === undefined) return nothing('there is no date to fail on');
  const percent = facts.percent === 'between' ? (facts.percents[0]?.[0] ?? null) : null;
  return { outcome: 'failed', date, percent, reason: 'the words say failed' };
}

function open(isBegun: boolean, facts: Facts): Suggestion {
  if (facts.isDated) return nothing('the words say not completed, but there is a date');
  if (facts.percent === '100') return nothing('the words say not completed, the percentage says 100');
  if (facts.percent === 'between' || isBegun) return inProgress(facts, 'the words say in progress');
  return notStarted('the words say not started or not completed');
}

function inProgress({ percents, percent, otherDate }: Facts, reason: string): Suggestion {
  const column = percent === 'between' || percent === '0' ? (percents[0]?.[0] ?? null) : null;
  return { outcome: 'in_progress', date: otherDate ?? null, percent: column, reason };
}

const notStarted = (reason: string): Suggestion => ({
  outcome: 'leave_out',
  date: null,
  percent: null,
  reason: `not started: ${reason}`,
});

function withoutWords(facts: Facts): Suggestion {
  const { percent } = facts;
  if (percent === 'between')
    return facts.isDated ? nothing('there is a date, but less than 100 %') : inProgress(facts, 'between 0 and 100 %');
  if (percent === '100') {
    const date = facts.dateFor('progress.completed_at');
    return date === undefined
      ? nothing('100 %, and no date to complete on')
      : { outcome: 'completed', date, percent: null, reason: '100 %, with a date' };
  }
  if (facts.hasDate) {
    const done = facts.dates.find(([, is, role]) => is === 'a date' && role === 'progress.completed_at');
    return done === undefined || percent === '0'
      ? nothing('a date alone does not say what it is of')
      : { outcome: 'completed', date: done[0], percent: null, reason: 'there is a date of completion' };
  }
  if (facts.dates.length + facts.percents.length === 0) return nothing('no column says how far a learner is');
  return notStarted('neither progress nor a date');
}
