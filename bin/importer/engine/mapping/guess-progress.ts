/** Where the percentage and the exam of a draft come from: the status first, then the percentage, then the completion date. */
import { meaningOf } from '../words/words.ts';
import { isScoreHeader, isStatusHeader, type Role, saysNoWhole } from './guess-columns.ts';
import { countedTexts, examStatusOf, type Said, statusOf } from './guess-status.ts';
import { namedColumns } from './named-columns.ts';
import type { Mapping, Source, ValueSource } from './schema.ts';
import { NOT_COMPLETED } from './source-rules.ts';
import { areFractions, type ColumnProfile } from './table-profile.ts';

export interface Guessing {
  /** What a person should know. */
  readonly doubts: string[];
  /** Meanings that a person has to confirm. */
  readonly guesses: string[];
}

/** The columns that show how far a learner is. */
interface Facts {
  /** A status that says more than the result of an exam beside a percentage. */
  readonly state: ValueSource | undefined;
  readonly exam: Said | undefined;
  readonly pct: ColumnProfile | undefined;
  readonly completed: ColumnProfile | undefined;
}

/** The sources of `progress.completion_pct` and `assessment.status`. */
export function progressSources(columns: ReadonlyMap<Role, ColumnProfile>, guessing: Guessing): Record<string, Source> {
  const { status, exam } = statesOf(columns, guessing);
  const [pct, completed] = [columns.get('progress.completion_pct'), columns.get('progress.completed_at')];
  const isResult = status?.isExamOnly === true && pct?.isFlag === false;
  const state = isResult ? undefined : status?.progress;
  const sources = [
    ...ruledBy({ state, exam, pct, completed }, guessing),
    ...presenceOf({ state, exam, pct, completed }, guessing),
  ];
  const result = exam?.exam ?? status?.exam;
  return { ...oneOf(sources), ...(result && { 'assessment.status': plainly(result) }) };
}

/** Status beats percentage; a flag says what a status says. */
function ruledBy({ state, exam, pct }: Facts, guessing: Guessing): (string | ValueSource)[] {
  const given = pct === undefined || (pct.isFlag && state !== undefined) ? undefined : percentage(pct, guessing);
  const sources = [state, given].filter((source) => source !== undefined);
  if (sources.length > 0 || exam?.progress === undefined) return sources;
  guessing.guesses.push(...(exam.guessesAlone ?? []));
  return [exam.progress];
}

/** Without a percentage, a course is completed where there is a date, unless a status decides. */
function presenceOf({ state, exam, pct, completed }: Facts, guessing: Guessing): ValueSource[] {
  if (pct?.isFlag === false) return [];
  if (state?.column !== undefined) guessing.doubts.push(stateDoubt(state.column));
  if (completed === undefined) return [];
  const isAlone = state === undefined && exam === undefined;
  if (isAlone && SAYS_END.test(completed.plain)) guessing.guesses.push(endGuess(completed));
  return [{ column: completed.reference, if_filled: 100, ...(isAlone ? { if_empty: 0 } : {}) }];
}

/** The end of a course, of a session or of a term. */
const SAYS_END = /^(end|ended|end date|date ended|enddatum|fecha (de )?fin|date de fin|fin)$/;

const endGuess = ({ reference, filled }: ColumnProfile): string =>
  `"${reference}": every row with it (${filled} ${filled === 1 ? 'row' : 'rows'}) is read as completed on that day, which the header does not say.`;

const stateDoubt = (column: string): string =>
  `"${column}": it says whether a course is completed, not how far a learner is; what is not completed becomes 0 %.`;

function statesOf(columns: ReadonlyMap<Role, ColumnProfile>, guessing: Guessing): { status?: Said; exam?: Said } {
  const [status, result] = [columns.get('status'), columns.get('assessment.status')];
  const exam = result && examStatusOf(result);
  // An exam's column may have the words of a course.
  const state = status ?? (exam === undefined ? result : undefined);
  const said = { ...(state && { status: statusOf(state) }), ...(exam && { exam }) };
  for (const { doubts, guesses } of Object.values(said)) {
    guessing.doubts.push(...doubts);
    guessing.guesses.push(...guesses);
  }
  return said;
}

function percentage(column: ColumnProfile, { guesses }: Guessing): string | ValueSource {
  const { reference: name } = column;
  if (saysNoWhole(column) && !column.isFlag)
    guesses.push(`"${name}": ${countedTexts(column)} is read as how far a learner is, which the header does not say.`);
  if (column.isRatio) return { column: name, ratio: true };
  if (areFractions(column)) return { column: name, scale: 100 };
  if (!column.isFlag) return name;
  guesses.push(`"${name}": it holds only ${countedTexts(column)}; 1 is read as completed, not as 1 %.`);
  return { column: name, values: { '0': 0, '1': 100 } };
}

const oneOf = (sources: readonly (string | ValueSource)[]): Record<string, Source> => {
  const [only, ...others] = sources;
  if (only === undefined) return {};
  return { 'progress.completion_pct': others.length === 0 ? only : [...sources] };
};

const plainly = (source: ValueSource): string | ValueSource => (needsNoValues(source) ? (source.column ?? '') : source);

const needsNoValues = ({ values = {} }: ValueSource): boolean =>
  Object.entries(values).every(([from, to]) => from.toLowerCase().replaceAll(' ', '_') === to);

/** What columns that the draft does not use say against it, with values and counts. */
export const ignoredColumns = (mapping: Mapping, columns: readonly ColumnProfile[]): string[] => [
  ...ignoredStates(mapping, columns),
  ...ignoredTwins(mapping, columns),
];

const ASKS_RESULT = /certif|zertif|credit|award|qualif|complet|finish|\bpass|bestanden|abgeschlossen/;
const ASKS_FAILURE = /^(not|no|non|nicht|niet|nie) |fail|incomplet|unfinish/;

/** The answers under a header that are against a completion. */
function denialOf({ plain }: ColumnProfile): readonly string[] {
  if (ASKS_FAILURE.test(plain)) return ['yes', '1'];
  return ASKS_RESULT.test(plain) ? ['no', '0'] : [];
}

const MOST_TWINS = 20;

/** Columns with the header of one that the draft reads, like `Status, Date, Status, Date`: it reads only the first course of a row. */
function ignoredTwins(mapping: Mapping, columns: readonly ColumnProfile[]): string[] {
  const used = new Set(namedColumns(mapping));
  const read = new Set(columns.flatMap(({ reference, plain }) => (used.has(reference) ? [plain] : [])));
  const twins = columns.filter(
    ({ reference, plain, values }) => plain !== '' && !used.has(reference) && read.has(plain) && values.length > 0,
  );
  return twins
    .slice(0, MOST_TWINS)
    .map(
      (column) =>
        `"${column.reference}" has the header "${column.name}" too, and is not used: ${countedTexts(column)}.`,
    );
}

const ABANDONED: ReadonlySet<string | undefined> = new Set(['failed', 'incomplete']);
const NOT_DONE: ReadonlySet<string | undefined> = new Set([...ABANDONED, 'not_started', 'in_progress']);

/**
 * Columns that the draft does not use, and that say of some rows that a course is not completed; none if the draft uses a
 * column of states.
 */
function ignoredStates(mapping: Mapping, columns: readonly ColumnProfile[]): string[] {
  const source = JSON.stringify(mapping.record['progress.completion_pct'] ?? NOT_COMPLETED);
  if (source.includes(NOT_COMPLETED) || source.includes('"values"')) return [];
  const isByDate = source.includes('if_filled');
  const isAgainst = isByDate ? NOT_DONE : ABANDONED;
  const used = new Set(namedColumns(mapping));
  return columns.flatMap((column) => {
    if (isByDate && !used.has(column.reference) && (saysUnknown(column) || hasUnknownGrades(column)))
      return [
        `"${column.reference}": ${countedTexts(column)} is not known and not used; every row with a date of completion is read as completed.`,
      ];
    const { values } = column;
    const known = values.filter((text) => meaningOf(text) !== undefined);
    const denial = isByDate ? denialOf(column) : [];
    const against = values.filter((text) => {
      const meaning = meaningOf(text);
      return isAgainst.has(meaning) || denial.includes(meaning ?? text);
    });
    if (used.has(column.reference) || against.length === 0) return [];
    if (known.length * 2 < values.length && denial.length === 0) return [];
    return [
      `"${column.reference}": ${countedTexts(column, against)} is not used; the completed courses are taken from other columns.`,
    ];
  });
}

/** More words are no states. */
const MOST_STATES = 30;

/** Grades in letters, of which one may mean failed. */
const hasUnknownGrades = (column: ColumnProfile): boolean =>
  isScoreHeader(column) &&
  column.values.length <= MOST_STATES &&
  column.values.some((text) => !/\d/.test(text) && meaningOf(text) === undefined);

/** The words of a status of which none is known: of a language or a system that is not listed. */
export const saysUnknown = (column: ColumnProfile): boolean =>
  isStatusHeader(column) &&
  column.values.length > 0 &&
  column.values.length <= MOST_STATES &&
  (column.isNumber || column.dateFormats.length === 0) &&
  column.values.every((text) => meaningOf(text) === undefined);
