/** Columns whose words nobody knows: a person is asked about those that may tell rows apart. */
import { ownValue } from '../ground/own-value.ts';
import { SHEET_COLUMN } from '../ground/columns.ts';
import { SECTION } from '../profile/shaped-rows.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { FileContext } from './begun.ts';
import { kindKey } from '../language/classes.ts';
import { isFlag, isOfWords } from './column-facts.ts';
import { meaningOf, saysStopped } from '../lexicon/words.ts';
import { isStatusHeader } from '../profile/roles.ts';
import type { SuggestedBy } from './part.ts';
import { type SuggestedKind, suggestedKind } from './suggest.ts';
import { areAssociated } from './tally.ts';
import { type Meant, meantBy } from './word-rules.ts';
import type { Kind, KindValues } from '../language/findings.ts';

type WithValues = Pick<Kind, 'values'>;

/** State columns of words of which none is known, and no header says status: a person says whether they decide anything. */
export function unclearColumns(kinds: readonly WithValues[], by: ReadonlyMap<string, SuggestedBy>): string[] {
  const ofWords = [...by].filter(([, { read }]) => isOfWords(read));
  // Where no other column has words, the one that has several is the state; names of sheets and of sections may be those of departments.
  const [only] = ofWords.length === 1 ? ofWords : [];
  const isOnlyState = ({ reference, texts }: ColumnProfile): boolean =>
    reference === only?.[0] && ![SHEET_COLUMN, SECTION].includes(reference) && texts.size > 1;
  return unknownColumns(kinds, by).filter((name) => {
    const { column } = by.get(name) ?? {};
    return column !== undefined && !isStatusHeader(column) && !isOnlyState(column);
  });
}

/** Columns of words of which none is known. */
function unknownColumns(kinds: readonly WithValues[], by: ReadonlyMap<string, SuggestedBy>): string[] {
  return [...by].flatMap(([name, from]) => {
    if (!isOfWords(from.read) || from.role === 'status') return [];
    const all = kinds.map(({ values }) => ownValue(values, name) ?? 'empty');
    const words = new Set(all.filter((is) => is !== 'empty'));
    return words.size > 0 && [...words].every((is) => meantBy({ ...from, name, is }) === 'unknown') ? [name] : [];
  });
}

/** Of fewer rows, a column that says nothing cannot be told from one that does. */
const LEAST_ROWS = 10;
/** `Trainingsuren: 1; 2; 4; 8`: no number of several means that a row does not count. */
const LEAST_OF_NUMBERS = 3;
/** How strongly a column that tells rows apart varies with who is done; of many rows, less is beyond chance, too. */
const LEAST_ASSOCIATION = 0.01;

/** Rows of which the other columns know whether they are done, with what a column says of them. */
type KnownRows = readonly { readonly own: string; readonly other: string; readonly rows: number }[];

/** Columns of unknown words, of each of which as large a share of the completed rows has it as of all others: none tells rows apart. */
export function untellingColumns(
  kinds: readonly (WithValues & Pick<Kind, 'rows'>)[],
  by: ReadonlyMap<string, SuggestedBy>,
  context: FileContext,
): string[] {
  const unknown = unknownColumns(kinds, by);
  const others = new Map([...by].filter(([name]) => !unknown.includes(name)));
  const known = kinds.flatMap(({ values, rows }) => {
    const isDone = whetherDone(suggestedKind(values, others, context));
    return isDone === undefined ? [] : [{ values, rows, other: String(isDone) }];
  });
  return unknown.filter((name) => {
    const { column } = by.get(name) ?? {};
    const rows = known.map(({ values, ...each }) => ({ ...each, own: ownValue(values, name) ?? 'empty' }));
    if (column === undefined || !mayTellNothing(column)) return false;
    return tellNothing(rows, leastRows(column)) || (known.length === kinds.length && areCounts(column, rows));
  });
}

/** By its suggestion; without one, as where no day is known, by words that agree. */
function whetherDone({ suggestion: { outcome }, facts: { meant, unknownWord } }: SuggestedKind): boolean | undefined {
  if (outcome !== null) return COMPLETED.has(outcome);
  const [isDone, ...others] = new Set([...meant].map((each) => DONE_WORDS.has(each)));
  return unknownWord === undefined && others.length === 0 ? isDone : undefined;
}

const DONE_WORDS: ReadonlySet<Meant> = new Set<Meant>(['completed', 'passed']);

const mayTellNothing = (column: ColumnProfile): boolean =>
  !column.topics.has('state') && !isStatusHeader(column) && !saysStopped(column.plain);

const leastRows = ({ isNumber, texts }: ColumnProfile): number =>
  isNumber && texts.size >= LEAST_OF_NUMBERS ? LEAST_OF_NUMBERS : LEAST_ROWS;

/** `Lessons viewed`: who is done has the most, and nobody else has it. It says no more than what says who is done. */
function areCounts({ isNumber, texts }: ColumnProfile, rows: KnownRows): boolean {
  if (!isNumber || texts.size < LEAST_OF_NUMBERS) return false;
  const [done, others] = ['true', 'false'].map((is) => rows.filter(({ other }) => other === is));
  const [most, ...more] = new Set(done?.map(({ own }) => own));
  const areLess = others?.every(({ own }) => own === 'empty' || Number(own) < Number(most)) === true;
  const many = done?.reduce((sum, row) => sum + row.rows, 0) ?? 0;
  return more.length === 0 && areLess && many >= LEAST_OF_NUMBERS;
}

/** Each word is beside rows that are done, and beside others, and as often. */
function tellNothing(rows: KnownRows, least: number): boolean {
  const counts = new Map<string, number>();
  for (const { own, other, rows: count } of rows) {
    const key = kindKey([own, other]);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const words = new Set(rows.map(({ own }) => own));
  const areBesideBoth = words.size > 1 && counts.size === words.size * 2;
  const areMany = [...counts.values()].every((count) => count >= least);
  return areBesideBoth && areMany && !areAssociated(rows, LEAST_ASSOCIATION);
}

const COMPLETED: ReadonlySet<string> = new Set(['completed', 'certified']);

/** In place of what the others say. */
const DONE = '\u{1}';

/**
 * Unknown-word columns that add nothing: each combination of the other columns has exactly one value here, and so have all completed
 * rows. A kind shows them, but only the other columns decide its suggestion. Under a header of a state, known words beside it are
 * needed too, and a flag must be yes in the completed rows.
 */
export function impliedColumns(
  kinds: readonly WithValues[],
  by: ReadonlyMap<string, SuggestedBy>,
  context: FileContext,
): string[] {
  const unknown = unknownColumns(kinds, by);
  const others = new Map([...by].filter(([name]) => !unknown.includes(name)));
  const hasWord = [...others.values()].some(({ read }) => isOfWords(read));
  const beside = new Map<string, KindValues>();
  const telling = new Set<string>();
  for (const { values } of kinds) {
    const { outcome } = suggestedKind(values, others, context).suggestion;
    const isCompleted = COMPLETED.has(outcome ?? '');
    for (const key of [
      kindKey([...others.keys()].map((name) => ownValue(values, name) ?? '')),
      ...(isCompleted ? [DONE] : []),
    ]) {
      const first = beside.get(key) ?? values;
      beside.set(key, first);
      const differing = unknown.filter((name) => ownValue(first, name) !== ownValue(values, name));
      differing.forEach((name) => telling.add(name));
    }
  }
  return unknown.filter((name) => {
    const { column } = by.get(name) ?? {};
    // `Com distinção` beside a completion may be a pass: a person says it.
    if (column === undefined || telling.has(name) || column.roles.has('exam')) return false;
    if (!column.topics.has('state') && !isStatusHeader(column)) return true;
    return hasWord && (!isFlag(column) || meaningOf(ownValue(beside.get(DONE), name) ?? '') === 'yes');
  });
}
