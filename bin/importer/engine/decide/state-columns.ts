/** Which columns say what becomes of a row. */
import { ownValue } from '../ground/own-value.ts';
import { type Said, say } from '../ground/codes.ts';
import type { Choices, StateColumn } from '../language/findings.ts';
import { isBareShare, type Role } from '../lexicon/headers.ts';
import { isScoreHeader, saysSomeState } from '../profile/roles.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { asks } from './asks.ts';
import { PERCENTS } from './begun.ts';
import { codesBesideTexts, markInHeader, partsOfWholes, passMarks } from './beside.ts';
import {
  hasNotDone,
  hasOutcome,
  isOfFewWords,
  mayBeShare,
  numbersOf,
  percentageOf,
  readingOf,
  wordsOf,
} from './column-facts.ts';
import { COLUMN_RULES, type ColumnFacts, type ColumnRule } from './column-rules.ts';
import { namesItems } from './items.ts';
import { FEW_TEXTS } from './percentages.ts';
import { ruleFor } from './rule.ts';

/** Not a day, an order, or who is active. */
const saysState = ([column, { read }]: readonly [ColumnProfile, StateColumn]): boolean =>
  read === 'mark' || PERCENTS.has(read) || (read !== 'date' && (asks(column) !== undefined || hasOutcome(column)));

/** The columns that may say what becomes of a row. */
export interface StateCandidates {
  /** State columns, certain by their values, their header, or a person. */
  readonly state: Map<ColumnProfile, StateColumn>;
  /** Columns of few unknown words, which are state columns if they vary with the certain ones. */
  readonly maybe: Map<ColumnProfile, StateColumn>;
  /** State columns by their header with too many different texts. */
  readonly freeText: ColumnProfile[];
  /** The rule that decided about each column, by its name. */
  readonly why: Map<string, Said>;
}

/** @param taken columns that say whose record it is. @param formatOf the date format of a column, `undefined` for no dates */
export function stateCandidates(
  columns: readonly ColumnProfile[],
  roles: ReadonlyMap<ColumnProfile, Role>,
  taken: ReadonlySet<ColumnProfile>,
  formatOf: (column: ColumnProfile) => string | undefined,
  choices: Choices,
): StateCandidates {
  const found: StateCandidates = { state: new Map(), maybe: new Map(), freeText: [], why: new Map() };
  const facts = factsOf(columns, roles, taken, formatOf, choices);
  for (const each of facts) {
    const rule = ruleFor(COLUMN_RULES, each);
    const verdict = rule?.says(each) ?? { is: 'aside' };
    const first = each.asked === true ? unaskedRule(each) : undefined;
    if (rule !== undefined) found.why.set(each.column.reference, (first ?? rule).reason(each));
    if (verdict.is === 'state') found.state.set(each.column, verdict.read);
    else if (verdict.is === 'maybe') found.maybe.set(each.column, verdict.read);
    else if (verdict.is === 'free text') found.freeText.push(each.column);
  }
  const open = facts.filter((each) => !isNeverState(each) && each.asked !== false && !found.state.has(each.column));
  const others = open.map(({ column }) => column);
  addOthers(found, others, roles);
  addScores(found, others);
  return found;
}

/** A mapping names every column of state: a person brought in only those that no rule had found. */
function unaskedRule(facts: ColumnFacts): ColumnRule | undefined {
  const unasked = { ...facts, asked: undefined };
  const rule = ruleFor(COLUMN_RULES, unasked);
  return rule?.says(unasked).is === 'state' ? rule : undefined;
}

/** It is never one of state, whatever its values are. */
const isNeverState = ({ isTaken, isWhole, isMark, isCodeOfText, isPlace }: ColumnFacts): boolean =>
  isTaken || isWhole || isMark || isCodeOfText || isPlace;

/** What the rules ask of each column, and of those beside it. */
function factsOf(
  columns: readonly ColumnProfile[],
  roles: ReadonlyMap<ColumnProfile, Role>,
  taken: ReadonlySet<ColumnProfile>,
  formatOf: (column: ColumnProfile) => string | undefined,
  { state, onlyState }: Choices,
): ColumnFacts[] {
  const parts = partsOfWholes(columns);
  const marks = passMarks(columns, roles);
  const isOther = isOtherPercentage(roles);
  const rows = Math.max(...columns.map(({ filled }) => filled));
  const [wholes, ofMarks, codes] = [parts.values(), marks.values(), codesBesideTexts(columns)].map(
    (some) => new Set(some),
  );
  return columns.map((column) => {
    const role = roles.get(column);
    const read = readingOf(column, role, formatOf(column));
    return {
      column,
      role,
      read,
      words: wordsOf(column, read),
      asked: ownValue(state, column.reference) ?? (onlyState === true ? false : undefined),
      rows,
      isTaken: taken.has(column),
      isWhole: wholes?.has(column) === true,
      isMark: ofMarks?.has(column) === true,
      isCodeOfText: codes?.has(column) === true,
      isPlace: isPlace(column, roles),
      isOtherPercentage: isOther(column),
      whole: parts.get(column),
      mark: markOf(column, marks),
    };
  });
}

/** Ohio is a state of another kind, where another column is the status, or there are too many for words that nobody knows. */
const isPlace = (column: ColumnProfile, roles: ReadonlyMap<ColumnProfile, Role>): boolean =>
  column.plain === 'state' &&
  !column.values.some(saysSomeState) &&
  (column.texts.size > FEW_TEXTS || (roles.get(column) !== 'status' && [...roles.values()].includes('status')));

const markOf = (column: ColumnProfile, marks: ReadonlyMap<ColumnProfile, ColumnProfile>): StateColumn['out_of'] =>
  marks.get(column)?.reference ?? (isScoreHeader(column) && column.isMostlyNumber ? markInHeader(column) : undefined);

/** A mere `Percentage` beside the progress of the course may be of the points of an exam. */
const isOtherPercentage = (roles: ReadonlyMap<ColumnProfile, Role>): ((column: ColumnProfile) => boolean) => {
  const hasProgress = [...roles].some(([{ plain }, role]) => role === 'progress.completion_pct' && !isBareShare(plain));
  return ({ plain }) => hasProgress && isBareShare(plain);
};

/**
 * Numbers that may be percentages, and types of items, which count where they differ within a course; where nothing says how far a
 * learner is, any type may.
 */
function addOthers(
  { state, maybe, why }: StateCandidates,
  columns: readonly ColumnProfile[],
  roles: ReadonlyMap<ColumnProfile, Role>,
): void {
  const add = (
    name: 'numbers_up_to_100' | 'types_of_items' | 'types_of_anything',
    column: ColumnProfile,
    read: StateColumn,
  ) => {
    maybe.set(column, read);
    why.set(column.reference, say(name, {}));
  };
  const areKnown = [...state.values()].some(({ read }) => PERCENTS.has(read));
  for (const column of areKnown ? [] : columns.filter((each) => mayBeShare(each, roles.get(each))))
    add('numbers_up_to_100', column, percentageOf(column));
  for (const column of columns) if (namesItems(column)) add('types_of_items', column, { read: 'text' });
  if ([...state].some(([column, { read }]) => read !== 'date' || asks(column) !== undefined)) return;
  for (const column of columns)
    if (/\b(type|category)\b/.test(column.plain) && isOfFewWords(column))
      add('types_of_anything', column, { read: 'text' });
}

/** Where nothing but days says how far a learner is, words like `Absent` between scores do. */
function addScores({ state, why }: StateCandidates, columns: readonly ColumnProfile[]): void {
  const areDays = [...state.values()].some(({ read }) => read === 'date') && ![...state].some(saysState);
  for (const column of areDays ? columns.filter(hasNotDone) : []) {
    state.set(column, numbersOf(column));
    why.set(column.reference, say('words_between_numbers', {}));
  }
}
