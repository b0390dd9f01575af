/** The meaning of the words of a status column. A completed course is no passed exam: an exam is only what says so. */
import { type Meaning, meaningOf, plainText, rolesOf } from '../words/words.ts';
import type { ValueSource } from './schema.ts';
import { NOT_COMPLETED } from './source-rules.ts';
import type { ColumnProfile } from './table-profile.ts';

/** A meaning of a column, with what a person has to know about it. */
export interface Said {
  /** The percentage that the words mean; `undefined` if they mean none. */
  readonly progress: ValueSource | undefined;
  /** True for words of an exam alone, like `Pass` and `Fail`: they say nothing of how far a learner is. */
  readonly isExamOnly: boolean;
  /** The result of an exam. */
  readonly exam: ValueSource | undefined;
  readonly doubts: readonly string[];
  /** What was guessed, with values and counts. */
  readonly guesses: readonly string[];
  /** What is guessed if nothing else says how far a learner is. */
  readonly guessesAlone?: readonly string[];
}

const EXAM_WORDS: ReadonlySet<Meaning> = new Set<Meaning>(['passed', 'failed']);

/** Words in a header that asks whether a course is completed. */
const ASKS_COMPLETION =
  /complet|finish|\bdone\b|abgeschlossen|abschluss|beendet|absolviert|erledigt|finaliz|termin|achev|conclu|conclus|voltooi|afgerond|ukoncz|zakoncz|tamamlan|完了|修了|完成|结业|수료|이수|완료/;
/** Or whether an exam was passed. */
const ASKS_EXAM =
  /\bpass|success|bestanden|aprobad|aprovad|apto|reussi|superat|geslaagd|zdan|合格|通过|합격|\bexam|examen|esame|exame|prufung|egzamin|sinav/;

/** A column of a course's state. */
export function statusOf(column: ColumnProfile): Said {
  const words = wordsOf(column);
  const asks = ASKS_COMPLETION.test(plainText(column.name)) || rolesOf(column.name).has('completed_at');
  const saysExam = words.some(({ meaning }) => meaning === 'passed');
  return {
    progress: rule(column, words, progressOf),
    exam: saysExam ? rule(column, words, (meaning) => (EXAM_WORDS.has(meaning) ? examOf(meaning) : null)) : undefined,
    isExamOnly: isExamOnly(words),
    doubts: unknownDoubt(column, words),
    guesses: asks ? [] : yesNoGuess(column, words, 'completed'),
  };
}

/** A column of the result of an exam; `undefined` if its words are those of a course. */
export function examStatusOf(column: ColumnProfile): Said | undefined {
  const words = wordsOf(column);
  const asks = ASKS_EXAM.test(plainText(column.name));
  const isExam =
    words.some(({ meaning }) => meaning === 'passed' || meaning === 'failed') || (asks && words.some(isAnswer));
  if (!isExam) return undefined;
  return {
    progress: rule(column, words, (meaning) => (meaning === 'completed' ? NOT_COMPLETED : progressOf(meaning))),
    // No is not passed, and says not whether the exam was taken.
    exam: rule(column, words, (meaning) => (meaning === 'completed' || meaning === 'no' ? null : examOf(meaning))),
    isExamOnly: true,
    doubts: unknownDoubt(column, words),
    guesses: asks ? [] : yesNoGuess(column, words, 'passed'),
    guessesAlone: takenGuess(column, words),
  };
}

interface Word {
  readonly text: string;
  readonly meaning: Meaning | undefined;
}

const wordsOf = ({ values }: ColumnProfile): Word[] =>
  values.map((text) => ({ text, meaning: text === '1' ? 'yes' : text === '0' ? 'no' : meaningOf(text) }));

const isExamOnly = (words: readonly Word[]): boolean =>
  words.some(({ meaning }) => meaning === 'passed') &&
  words.every(({ meaning }) => meaning === 'passed' || meaning === 'failed' || meaning === 'not_started');

const isAnswer = ({ meaning }: Word): boolean => meaning === 'yes' || meaning === 'no';

const progressOf = (meaning: Meaning): number | string =>
  meaning === 'completed' || meaning === 'passed' || meaning === 'yes' ? 100 : NOT_COMPLETED;

const EXAM: Readonly<Partial<Record<Meaning, string>>> = {
  passed: 'passed',
  yes: 'passed',
  failed: 'failed',
};
const examOf = (meaning: Meaning): string => EXAM[meaning] ?? 'not_taken';

function rule(
  { reference }: ColumnProfile,
  words: readonly Word[],
  targetOf: (meaning: Meaning) => string | number | null,
): ValueSource | undefined {
  const known = words.flatMap(({ text, meaning }) =>
    meaning === undefined ? [] : [[text, targetOf(meaning)] as const],
  );
  // A text that ends with an asterisk would be a pattern.
  const values = Object.fromEntries(known.filter(([text]) => !/^\*|\*$/.test(text)));
  return known.some(([, target]) => target !== null) ? { column: reference, values } : undefined;
}

function unknownDoubt(column: ColumnProfile, words: readonly Word[]): string[] {
  const unknown = words.filter(({ meaning }) => meaning === undefined);
  if (unknown.length === 0) return [];
  return [
    `"${column.reference}": set in "values" what ${countedTexts(column, textsOf(unknown))} means. Until then these records are rejected.`,
  ];
}

/** Yes and no under a header that does not ask. */
function yesNoGuess(column: ColumnProfile, words: readonly Word[], yes: string): string[] {
  const answers = words.filter(isAnswer);
  return answers.length === 0
    ? []
    : [
        `"${column.reference}": ${countedTexts(column, textsOf(answers))} is read as ${yes} or not, which the header does not say.`,
      ];
}

/** A completed exam is no completed course, and may have been all that was left of it. */
function takenGuess(column: ColumnProfile, words: readonly Word[]): string[] {
  const taken = words.filter(({ meaning }) => meaning === 'completed');
  return taken.length === 0
    ? []
    : [
        `"${column.reference}": ${countedTexts(column, textsOf(taken))} is said of an exam, and read as a course not completed.`,
      ];
}

const MOST_TEXTS = 6;

const textsOf = (words: readonly Word[]): string[] => words.map(({ text }) => text);

/** `"Yes" (4 rows), "No" (3 rows)`. */
export function countedTexts(column: ColumnProfile, texts: readonly string[] = column.values): string {
  const shown = texts.slice(0, MOST_TEXTS).map((text) => {
    const count = column.count(text);
    return `"${text.slice(0, 60)}" (${count} ${count === 1 ? 'row' : 'rows'})`;
  });
  return texts.length > shown.length ? `${shown.join(', ')} and ${texts.length - shown.length} more` : shown.join(', ');
}
