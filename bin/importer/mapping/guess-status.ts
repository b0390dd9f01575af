/** The meaning of the words of a status column. A completed course is no passed exam. */
import type { Mapping, ValueSource } from './schema.ts';
import type { ColumnProfile } from './table-profile.ts';

const EXAM: readonly (readonly [status: string, words: RegExp])[] = [
  [
    'passed',
    /^(pass|passed|passing|yes|y|true|1|completed.?passed|satisfied|aprobado|apto|bestanden|reussi|admis|superato)$/i,
  ],
  [
    'failed',
    /^(fail|failed|failing|no|n|false|0|completed.?failed|suspenso|no apto|nicht bestanden|echoue|non superato)$/i,
  ],
  ['not_taken', /^(not.?taken|not.?attempted|not.?started|browsed|unknown|open|offen|nicht abgelegt|no presentado)$/i],
];
const COURSE: readonly (readonly [pct: number, words: RegExp])[] = [
  [
    100,
    /^(completed?|finished|done|abgeschlossen|beendet|finalizado|completado|terminado|termine|acheve|completato|complete via .*|completed.*|passed)$/i,
  ],
  [
    0,
    /^(not.?started|not.?yet.?started|enrol?led|registered|assigned|subscribed|nicht begonnen|eingeschrieben|no iniciado|inscrito|non commence|in.?progress|incomplete|started|in bearbeitung|begonnen|en curso|en progreso|en cours|in corso|not.?attempted|browsed|unknown|failed)$/i,
  ],
];

/** `assessment.status` if the words are those of an exam, else `progress.completion_pct` if nothing better gives it. */
export function guessStatus(
  column: ColumnProfile,
  hasPercentage: boolean,
  doubts: string[],
): Partial<Mapping['record']> {
  const { reference, values } = column;
  const plain = values.map((text) => [text, text.normalize('NFD').replaceAll(/\p{M}/gu, '')] as const);
  const isExam = plain.some(([, text]) =>
    /^(pass|fail|bestanden|nicht bestanden|aprobado|apto|suspenso|reussi|yes|y|true|1|0|no|n)/i.test(text),
  );
  const known = isExam ? EXAM : COURSE;
  if (!isExam && hasPercentage) return {};
  const found: Record<string, string | number> = {};
  const unknown: string[] = [];
  for (const [text, word] of plain) {
    const meaning = known.find(([, words]) => words.test(word))?.[0];
    if (meaning === undefined) unknown.push(`"${text}"`);
    else found[text] = meaning;
  }
  if (unknown.length > 0) doubts.push(`"${reference}": set in "values" what ${unknown.slice(0, 5).join(', ')} means.`);
  return isExam ? { 'assessment.status': examSource(reference, found) } : courseSource(reference, found, doubts);
}

type Found = Record<string, string | number>;

const examSource = (column: string, values: Found): string | ValueSource =>
  needsNoValues(values) ? column : { column, values };

function courseSource(column: string, values: Found, doubts: string[]): Partial<Mapping['record']> {
  if (Object.keys(values).length === 0) return {};
  doubts.push(
    `"${column}": it says whether a course is completed, not how far a learner is; what is not completed becomes 0 %.`,
  );
  return { 'progress.completion_pct': { column, values } };
}

const needsNoValues = (values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(values).every(([from, to]) => from.toLowerCase().replaceAll(' ', '_') === to);
