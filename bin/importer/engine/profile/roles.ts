/** What a column is, by its header and its values: the roles of columns, and which days, scores and words complete nothing. */
import { isShare } from '../language/classes.ts';
import { STATES, meaningOf, meansDone, plainText, rolesOf, saysStopped } from '../lexicon/words.ts';
import { saysTopic } from '../lexicon/topics.ts';
import type { Field } from '../ground/fields.ts';
import { HEADERS, type Role, STARTED, WORD_ROLES } from '../lexicon/headers.ts';
import { isNumberFormat } from '../dates/date-forms.ts';
import { ColumnProfile } from './table-profile.ts';

const ADDRESS_HEADERS: readonly RegExp[] = [
  /^(user )?e ?mail( address| adresse)?$|^mail( address)?$|^correo( electronico)?$|^courriel$|^actor mbox$|^(sis )?login id$/,
  /mail/,
];

/** Addresses of other people in the row. */
const OTHER_PERSON =
  /manager|supervisor|boss|instructor|trainer|teacher|approver|vorgesetzt|superior|jefe|author|assigned by|enrolled by|created by|coach|admin|owner|responsable|formateur|gestor|przelozon|上司|主管/;

export const isOtherPerson = ({ plain }: ColumnProfile): boolean => OTHER_PERSON.test(plain);

const ROLES = Object.entries(HEADERS) as [Role, readonly RegExp[]][];

/** The column of each role; a column has one role at most, and an empty column none. */
export function guessColumns(columns: readonly ColumnProfile[]): Map<Role, ColumnProfile> {
  const found = new Map<Role, ColumnProfile>();
  const free = new Set(columns);
  const take = (role: Role, column: ColumnProfile | undefined): void => {
    if (column === undefined) return;
    free.delete(column);
    found.set(role, column);
  };
  take('user.email', addressColumn(columns));
  for (const [role, patterns] of ROLES)
    take(
      role,
      byHeader(free, role, patterns).find((column) => column.values.length > 0 && mayFill(role, column)),
    );
  const exam = found.get('assessment.status');
  // A result that says completed or in progress is that of the course, where nothing else says its state.
  if (exam !== undefined && !found.has('status') && !OF_EXAM.test(exam.plain) && saysCourse(exam)) {
    found.delete('assessment.status');
    found.set('status', exam);
  }
  if (!found.has('progress.completed_at'))
    take('progress.completed_at', dateOfCompletion(columns, found.get('status')));
  return found;
}

/** The column of a list of ids that fills each member, by its header alone. */
export function columnsByHeader(names: readonly string[]): Map<Field, string> {
  const found = new Map<Field, string>();
  const free = new Set(names.map((name) => new ColumnProfile(name, name)));
  for (const [role, patterns] of [['user.email', ADDRESS_HEADERS] as const, ...ROLES]) {
    const [column] = byHeader(free, role, patterns);
    if (column === undefined) continue;
    free.delete(column);
    found.set(role as Field, column.name);
  }
  return found;
}

/** The columns whose headers name a role, the best first. `Completion date (target)` is no day of completion. */
function byHeader(free: ReadonlySet<ColumnProfile>, role: Role, patterns: readonly RegExp[]): ColumnProfile[] {
  const some = [...free];
  const english = patterns.flatMap((pattern) => some.filter(({ plain }) => pattern.test(plain)));
  const others = /\.(completed|taken)_at$/.test(role) ? some.filter((column) => !isPlanned(column)) : some;
  const bare = patterns.flatMap((pattern) => others.filter((column) => pattern.test(column.bare)));
  const inWords = (WORD_ROLES[role] ?? []).flatMap((word) => others.filter(({ roles }) => roles.has(word)));
  const starts = role === 'progress.started_at' ? inWords.filter(({ plain }) => STARTED.test(plain)) : [];
  const ends = role === 'progress.completed_at' ? some.filter(isDayOfCompletion) : [];
  return [...english, ...bare, ...starts, ...inWords, ...ends];
}

/** Words of a completion, which count for more than those of an enrolment beside them. */
export const COMPLETED =
  /complet|finish|\bdone\b|abgeschl|abschluss|beendet|absolviert|erledigt|finali[sz]|\btermin(?:e|ee|es|[ao]d[ao]|at[ao]|o|acion|azione)\b|achev|conclu|svolt[oa]|svolgiment|zavrsen|voltooi|afgerond|afgewerkt|ukoncz|zakoncz|graduat|\bgrad date|tamamlan|bitirme|bitis|fullf[oø]r|gennemf[oø]r|genomf[oø]r|slutf[oø]r|a[vf]slut|suorit|заверш|окончан|ολοκληρ|完了|修了|終了|完成|结业|结束|수료|이수|완료/;
/** A yes under `Not completed` is no completion. */
const NEGATED =
  /^(not|never|no|non|nao|nicht|niet|nie|pas|ikke|inte|ne|не|sin|sem|senza) |\b(un|in)(complet|finish|pass|achev|conclu)|^nie(ukoncz|zdan|zalicz)|tamamlan(madi|acak)|未|不(合格|及格|通过)|불합격|미(이수|수료|완료|합격)|незав/;
export const isNegated = (plain: string): boolean => NEGATED.test(plain);

const OF_STATUS = /status|\bstate\b/;

/** The day by which a course should be completed, until which it counts, or of a message about it. */
export const isPlanned = ({ topics }: ColumnProfile): boolean => topics.hasAny('planned', 'expiry');
/** The day on which a status changed is one of each status. */
export const isOtherDay = (column: ColumnProfile): boolean =>
  isPlanned(column) || (!OF_STATUS.test(column.plain) && column.topics.hasAny('person_day', 'enrolment', 'row_day'));
export const saysExpiry = (text: string): boolean => saysTopic(plainText(text), 'expiry');

/** Any header that says so, over dates; a number may be one by chance. */
export const isDayOfCompletion = (column: ColumnProfile): boolean =>
  COMPLETED.test(column.plain) &&
  !isNegated(column.plain) &&
  !isPlanned(column) &&
  !isStatusHeader(column) &&
  column.dateFormats.some((format) => !isNumberFormat(format) || /\b(date|at|on)\b/.test(column.plain));

/** Of every status a row has the day. */
export const isDayOfStatus = (column: ColumnProfile): boolean => isBareDay(column) || OF_STATUS.test(column.plain);

const isBareDay = ({ plain }: ColumnProfile): boolean => /^(date|datum|fecha|data|tarih|日付|日期|날짜)$/.test(plain);

/** A mere `Date` counts if as many rows have it as are completed; that of a status if the status says completed. */
function dateOfCompletion(
  columns: readonly ColumnProfile[],
  status: ColumnProfile | undefined,
): ColumnProfile | undefined {
  const done = (status?.values ?? []).filter(meansDone);
  const rows = done.reduce((sum, text) => sum + (status?.texts.get(text) ?? 0), 0);
  return columns.find(
    (column) =>
      ((isBareDay(column) && column.filled === rows) ||
        (rows > 0 && /^(status|state) (changed? )?date$|^date of status$/.test(column.plain))) &&
      column.dateFormats.length > 0,
  );
}

/** An address is an address under any header. */
function addressColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const some = columns.filter(({ isAddress }) => isAddress);
  const own = some.filter((column) => !isOtherPerson(column));
  return (
    own.find(({ plain, roles }) => /mail|courriel|correo|login/.test(plain) || roles.has('email')) ?? own[0] ?? some[0]
  );
}

/** A header alone is not enough if the values contradict it. */
function mayFill(role: Role, column: ColumnProfile): boolean {
  if (role.endsWith('_at') || role === 'enrolled') return looksDated(column);
  if (role === 'progress.completion_pct') return column.isNumber || column.values.some(isShare);
  if (role === 'assessment.score_pct') return column.isMostlyNumber && !column.isFlag;
  if (role === 'assessment.status' || role === 'status') return saysStatus(column);
  // Words of a state name neither a learner nor a course.
  return !saysState(column);
}

/** How long something took. */
export const areLasting = ({ values }: ColumnProfile): boolean =>
  values.length > 0 &&
  values.every((text) => /^\d{1,4}:\d{2}(:\d{2}([.,]\d+)?)?$|^P(\d+[YMWD])*(T([\d.]+[HMS])+)?$/.test(text));

/** Dates, or texts with digits that may be dates of an unknown format. */
function looksDated(column: ColumnProfile): boolean {
  const { dateFormats, values, isNumber } = column;
  if (dateFormats.length > 0) return true;
  if (areLasting(column)) return false;
  return !isNumber && values.filter((text) => /\d{2}/.test(text)).length * 2 > values.length;
}

export const saysRole = (header: string): boolean => {
  const plain = plainText(header);
  return ROLES.some(([, patterns]) => patterns.some((pattern) => pattern.test(plain))) || rolesOf(header).size > 0;
};

export const isStatusHeader = ({ plain, roles }: ColumnProfile): boolean =>
  HEADERS.status.some((pattern) => pattern.test(plain)) || roles.has('status') || STATUS_ELSEWHERE.test(plain);

/** In languages without a list of words. */
const STATUS_ELSEWHERE =
  /status|\b(stav|tila|stare|stanje|allapot|olek)\b|статус|стояни|стан$|κατασταση|حالة|وضعیت|סטטוס|מצב|สถานะ|trang thai|स्थिति/;

export const isScoreHeader = ({ plain, bare, roles }: ColumnProfile): boolean =>
  HEADERS['assessment.score_pct'].some((pattern) => pattern.test(plain) || pattern.test(bare)) || roles.has('score');

/** Headers of columns about the learner or a duty, not about a course or a part of one. */
const ASIDE =
  /\b(status|state|mandatory|active|availability|locale|language|manager|birth|hired?|age|total|average|overall|count|role|expiry|expires?|expiration|valid (until|to)|due|deadline|renewal|attempts?)\b|\bid$/;
export const isAside = ({ plain }: ColumnProfile): boolean => ASIDE.test(plain);

const OF_EXAM =
  /\b(exam|quiz|test|assessment|pass|success|examen|esame|exame|prufung|egzamin|sinav)|試験|考试|시험|テスト/;
const saysCourse = ({ values }: ColumnProfile): boolean =>
  values.some((text) => ['completed', 'in_progress'].includes(meaningOf(text) ?? ''));

const KNOWN: ReadonlySet<string> = new Set(STATES);
const isState = (text: string): boolean => KNOWN.has(meaningOf(text) ?? '');

export const saysSomeState = (text: string): boolean => isState(text) || saysStopped(text);

/** A third of its words are known. */
export const saysState = ({ values, isNumber }: ColumnProfile): boolean =>
  !isNumber && values.filter(isState).length * 3 >= values.length;

/** Words of which one is known, or a flag. */
const saysStatus = (column: ColumnProfile): boolean =>
  column.isFlag || (!column.isNumber && column.values.some((text) => meaningOf(text) !== undefined));
