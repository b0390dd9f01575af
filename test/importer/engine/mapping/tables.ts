/**
 * Generates tables of training history, with a reference that knows what each row means. The words of the reference are its own: it
 * shares nothing with the importer.
 */
import type { Dice } from '../../../kit/dice.ts';

const STATES = ['completed', 'passed', 'failed', 'in_progress', 'not_started', 'incomplete'] as const;
type State = (typeof STATES)[number];

interface Tongue {
  readonly headers: Readonly<
    Record<'email' | 'course' | 'status' | 'pct' | 'completed' | 'started' | 'score' | 'done', readonly string[]>
  >;
  readonly words: Readonly<Record<State, readonly string[]>>;
  readonly answers: readonly [yes: string, no: string];
}

export const TONGUES: Readonly<Record<string, Tongue>> = {
  en: {
    headers: {
      email: ['Email', 'User Email', 'E-mail address'],
      course: ['Course', 'Course Name', 'Training Title'],
      status: ['Status', 'Completion Status', 'Enrollment Status', 'Course Status', 'Registration Status'],
      pct: ['Progress', 'Completion %', 'Progress (%)'],
      completed: ['Completion Date', 'Completed On', 'Date Completed'],
      started: ['Start Date', 'Enrolled on', 'Registration Date'],
      score: ['Score', 'Grade', 'Final Score'],
      done: ['Completed', 'Is Complete', 'Finished'],
    },
    words: {
      completed: ['Completed', 'COMPLETE', 'Finished'],
      passed: ['Passed', 'Completed - Passed'],
      failed: ['Failed', 'Completed - Failed', 'Not passed'],
      in_progress: ['In Progress', 'in_progress', 'Started', 'In Progress / Past Due'],
      not_started: ['Not Started', 'Not attempted', 'Registered', 'Enrolled'],
      incomplete: ['Incomplete', 'No Show', 'NOSHOW', 'Withdrawn', 'Not completed'],
    },
    answers: ['Yes', 'No'],
  },
  de: {
    headers: {
      email: ['E-Mail-Adresse', 'E-Mail'],
      course: ['Kurs', 'Kursname'],
      status: ['Status', 'Kursstatus'],
      pct: ['Fortschritt', 'Fortschritt in %'],
      completed: ['Abgeschlossen am', 'Abschlussdatum'],
      started: ['Begonnen am', 'Eingeschrieben am'],
      score: ['Punkte', 'Bewertung'],
      done: ['Abgeschlossen'],
    },
    words: {
      completed: ['Abgeschlossen', 'Beendet'],
      passed: ['Bestanden'],
      failed: ['Nicht bestanden', 'Durchgefallen'],
      in_progress: ['In Bearbeitung', 'Begonnen'],
      not_started: ['Nicht begonnen', 'Noch nicht begonnen', 'Eingeschrieben'],
      incomplete: ['Nicht abgeschlossen', 'Abgebrochen'],
    },
    answers: ['Ja', 'Nein'],
  },
  es: {
    headers: {
      email: ['Correo electrónico', 'Correo'],
      course: ['Curso', 'Nombre del curso'],
      status: ['Estado', 'Estado del curso'],
      pct: ['Progreso', '% de avance'],
      completed: ['Fecha de finalización', 'Fecha de término'],
      started: ['Fecha de inicio', 'Fecha de inscripción'],
      score: ['Calificación', 'Nota'],
      done: ['Finalizado', 'Completado'],
    },
    words: {
      completed: ['Completado', 'Finalizado'],
      passed: ['Aprobado', 'Apto'],
      failed: ['Suspenso', 'No apto', 'Reprobado'],
      in_progress: ['En curso', 'En progreso'],
      not_started: ['No iniciado', 'Inscrito'],
      incomplete: ['Incompleto', 'No completado'],
    },
    answers: ['Sí', 'No'],
  },
  fr: {
    headers: {
      email: ['Adresse e-mail', 'Courriel'],
      course: ['Formation', 'Nom du cours'],
      status: ['Statut', 'État'],
      pct: ['Progression', 'Avancement'],
      completed: ['Terminé le', "Date d'achèvement"],
      started: ['Inscrit le', 'Date de début'],
      score: ['Note', 'Score'],
      done: ['Terminé'],
    },
    words: {
      completed: ['Terminé', 'Achevé'],
      passed: ['Réussi'],
      failed: ['Échec', 'Échoué', 'Non réussi'],
      in_progress: ['En cours', 'Commencé'],
      not_started: ['Non commencé', 'Inscrit'],
      incomplete: ['Incomplet', 'Non terminé', 'Abandonné'],
    },
    answers: ['Oui', 'Non'],
  },
  pt: {
    headers: {
      email: ['E-mail', 'Endereço de email'],
      course: ['Curso', 'Nome do curso'],
      status: ['Situação', 'Status'],
      pct: ['Progresso', '% concluído'],
      completed: ['Data de conclusão', 'Concluído em'],
      started: ['Data de início', 'Data de inscrição'],
      score: ['Nota', 'Pontuação'],
      done: ['Concluído'],
    },
    words: {
      completed: ['Concluído', 'Finalizado'],
      passed: ['Aprovado'],
      failed: ['Reprovado', 'Não aprovado'],
      in_progress: ['Em andamento', 'Em curso'],
      not_started: ['Não iniciado', 'Matriculado'],
      incomplete: ['Incompleto', 'Não concluído'],
    },
    answers: ['Sim', 'Não'],
  },
  pl: {
    headers: {
      email: ['Adres e-mail'],
      course: ['Szkolenie', 'Nazwa kursu'],
      status: ['Status', 'Status szkolenia'],
      pct: ['Postęp', '% ukończenia'],
      completed: ['Data ukończenia', 'Data zakończenia'],
      started: ['Data rozpoczęcia'],
      score: ['Wynik', 'Ocena'],
      done: ['Ukończono'],
    },
    words: {
      completed: ['Ukończono', 'Zakończone'],
      passed: ['Zaliczony'],
      failed: ['Niezaliczony', 'Niezdany'],
      in_progress: ['W trakcie', 'W toku'],
      not_started: ['Nierozpoczęty', 'Nie rozpoczęto'],
      incomplete: ['Nieukończone', 'Nie ukończono'],
    },
    answers: ['Tak', 'Nie'],
  },
  ja: {
    headers: {
      email: ['メールアドレス'],
      course: ['コース名', '講座名'],
      status: ['ステータス', '受講状況'],
      pct: ['進捗率', '進捗率(%)'],
      completed: ['完了日', '修了日'],
      started: ['開始日', '受講開始日'],
      score: ['点数'],
      done: ['完了日'],
    },
    words: {
      completed: ['完了', '修了'],
      passed: ['合格'],
      failed: ['不合格'],
      in_progress: ['受講中', '進行中'],
      not_started: ['未受講', '未着手', '未開始'],
      incomplete: ['未完了', '未修了'],
    },
    answers: ['はい', 'いいえ'],
  },
};

interface Truth {
  readonly line: number;
  readonly isCompleted: boolean;
  /** `undefined` where the file does not say how far an unfinished learner is. */
  readonly pct: number | undefined;
  readonly isCertified: boolean;
  readonly completed: string | undefined;
}

export interface Table {
  readonly csv: string;
  readonly truth: readonly Truth[];
}

const DATES: readonly ((iso: string) => string)[] = [
  (iso) => iso,
  (iso) => `${iso} 10:30:00`,
  (iso) => iso.split('-').toReversed().join('/'),
  (iso) => iso.split('-').toReversed().join('.'),
  (iso) => `${iso.slice(5, 7)}/${iso.slice(8)}/${iso.slice(0, 4)}`,
];

const NOISE: readonly (readonly [string, (dice: Dice, row: number) => string])[] = [
  ['Full Name', (_, row) => `Person ${row}`],
  ['Department', (dice) => dice.pick(['Sales', 'IT', 'No. 4 Line'])],
  ['Manager Email', () => 'boss@acme.test'],
  ['Hire Date', (dice) => `2019-0${dice.below(8) + 1}-15`],
  ['Account Status', (dice) => dice.pick(['Active', 'Inactive'])],
  ['Time Spent', (dice) => `0${dice.below(9)}:${dice.below(50) + 10}:00`],
  ['Mandatory', (dice) => dice.pick(['Yes', 'No'])],
];

interface Person {
  readonly row: number;
  readonly is: State;
  readonly isCompleted: boolean;
  readonly share: number;
  readonly day: string;
}

interface Column {
  readonly header: string;
  readonly cellOf: (person: Person) => string;
}

function personOf(dice: Dice, row: number, states: readonly State[]): Person {
  const is = dice.pick(states);
  const isCompleted = is === 'completed' || is === 'passed';
  const begun = is === 'not_started' ? 0 : 5 + dice.below(90);
  const day = `202${dice.below(4)}-0${dice.below(9) + 1}-${dice.below(18) + 10}`;
  return { row, is, isCompleted, share: isCompleted ? 100 : begun, day };
}

const SHARES: Readonly<Record<string, (person: Person) => string>> = {
  number: ({ share }) => String(share),
  percent: ({ share }) => `${share}%`,
  fraction: ({ share }) => String(share / 100),
  flag: ({ isCompleted }) => (isCompleted ? '1' : '0'),
};

function stateColumn(dice: Dice, style: string, { headers, words, answers: [yes, no] }: Tongue): Column[] {
  if (style === 'none') return [];
  if (style === 'words') return [{ header: dice.pick(headers.status), cellOf: ({ is }) => dice.pick(words[is]) }];
  const [done, open] = style === 'answer' ? [yes, no] : ['1', '0'];
  return [{ header: dice.pick(headers.done), cellOf: ({ isCompleted }) => (isCompleted ? done : open) }];
}

/** A table: status words × dates × percentages × scores × language × order of the columns. */
export function tableOf(dice: Dice): Table {
  const tongue = dice.pick(Object.values(TONGUES));
  const { headers } = tongue;
  const state = dice.pick(['words', 'words', 'words', 'answer', 'flag', 'none']);
  const pct = dice.pick(['number', 'percent', 'fraction', 'flag', 'none', 'none']);
  // Without a status and a percentage, a date of completion is all that says so.
  const isAlone = state === 'none' && pct === 'none';
  const dated = isAlone ? 'completed' : dice.pick(['always', 'completed', 'completed', 'none']);
  const write = dice.pick(DATES);
  const some = (isThere: boolean, column: Column): Column[] => (isThere ? [column] : []);
  const states = stateColumn(dice, state, tongue);
  const completed: Column = {
    header: dice.pick(headers.completed),
    cellOf: ({ day, isCompleted }) => (dated === 'always' || isCompleted ? write(day) : ''),
  };
  const isDated = dated !== 'none' && states.every(({ header }) => header !== completed.header);
  const share = SHARES[pct];
  const columns: Column[] = dice.shuffled([
    { header: dice.pick(headers.email), cellOf: ({ row }) => `learner${row}@acme.test` },
    { header: dice.pick(headers.course), cellOf: () => dice.pick(['Security', 'Welcome', 'Data']) },
    ...states,
    ...(share === undefined ? [] : [{ header: dice.pick(headers.pct), cellOf: share }]),
    ...some(isDated, completed),
    ...some(dice.oneIn(2), { header: dice.pick(headers.started), cellOf: () => write('2019-12-31') }),
    ...some(dice.oneIn(2), { header: dice.pick(headers.score), cellOf: () => String(40 + dice.below(60)) }),
    ...dice
      .shuffled(NOISE)
      .slice(0, dice.below(4))
      .map(([header, cellOf]) => ({ header, cellOf: ({ row }: Person) => cellOf(dice, row) })),
  ]);
  const own = dice.shuffled(STATES).slice(0, 2 + dice.below(5));
  const people = Array.from({ length: 3 + dice.below(20) }, (_, row) => personOf(dice, row, own));
  const lines = [
    columns.map(({ header }) => header),
    ...people.map((person) => columns.map(({ cellOf }) => cellOf(person))),
  ];
  const delimiter = dice.pick([',', ';', '\t']);
  return {
    csv: lines.map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter)).join('\n'),
    truth: people.map(({ row, is, isCompleted, share: part, day }) => ({
      line: row + 2,
      isCompleted,
      pct: pct === 'none' || pct === 'flag' ? undefined : part,
      isCertified: state === 'words' && is === 'passed',
      completed: isCompleted && isDated ? day : undefined,
    })),
  };
}
