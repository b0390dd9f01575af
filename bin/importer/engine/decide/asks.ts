/** What a yes under a header says. */
import type { ColumnProfile } from '../profile/table-profile.ts';
import { plainText } from '../lexicon/words.ts';
import { COMPLETED, isNegated } from '../profile/roles.ts';

/** Whether a yes under this header completes a course, takes the row back, or says something else. */
export function asks(column: ColumnProfile): 'completed' | 'passed' | 'taken back' | undefined {
  const plain = column.plain || plainText(column.name);
  if (
    column.roles.has('deleted') ||
    /\b(archiv|delet|void|revok|cancel|withdr|remov|exempt|waiv|refund|storn|annul|anul|befreit|dispens|exent|isent|esent|vrijgesteld|zwoln|muaf)|免除|豁免|면제|取消|취소/.test(
      plain,
    )
  )
    return 'taken back';
  if (isNegated(plain)) return undefined;
  if (PASSED.test(plain)) return 'passed';
  return COMPLETED.test(plain) || column.roles.has('completed_at') ? 'completed' : undefined;
}

const PASS = /\bpass|success|bestanden|aprobad|aprovad|apto|reussi|superat|geslaagd|zdan|合格|通过|합격/;
const PASSED = new RegExp(`${PASS.source}|\\bexam|examen|esame|exame|prufung|egzamin|sinav`);

/** Words that add nothing to `Completed` and `Passed`, and those of an exam. */
const FILLERS = new Set(
  [
    'is has was been the and or of already fully successfully flag status final marked as yes no y n t f true false',
    'user learner student employee participant course training module class lesson content learning program programme curriculum',
    'exam examination test quiz assessment grade prufung examen esame exame egzamin sinav 試験 考试 시험',
    'teilnahme kurs kursus schulung lehrgang seminar ja nein j cours formation oui non curso formacion formacao treinamento si sim nao',
    'corso formazione cursus opleiding nee szkolenie kursu szkolenia tak nie egitim kurse evet hayir e h o x del della der die das la le el il de het',
  ].flatMap((words) => words.split(' ')),
);

/** Languages that write no blanks, with what may stand beside the word. */
const ALONE =
  /^(是否)?(已|コース|研修|講座|受講|課程|课程|과정|교육)?(修了|完了|終了|完成|结业|结束|수료|이수|완료|合格|通过|합격)(済み?|フラグ|の?有無|여부|유무|됨|함|情况|与否|了)?$/;

/** The header says nothing but that: `Completion overdue`, `Exam booked` and `Must complete` ask something else. */
export function asksAlone({ plain, name, roles }: ColumnProfile): boolean {
  if (roles.has('completed_at') || roles.has('status')) return true;
  const words = (plain || plainText(name)).replaceAll(/\bd[oa] (curso|formacao|treinamento)\b/g, '').split(' ');
  const saying = words.filter((word) => word !== '' && !FILLERS.has(word));
  return saying.length > 0 && saying.every((word) => (HAS_BLANKS.test(word) ? SAYING : ALONE).test(word));
}

const HAS_BLANKS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}%]/u;
/** A word of a completion or a pass, with its endings. */
const SAYING = new RegExp(`${COMPLETED.source}|${PASS.source}`);

/** What a yes or a no under a header says of its row; `unknown` where nobody knows what it asks. */
export function answer(meaning: 'yes' | 'no', asked: ReturnType<typeof asks>) {
  if (meaning === 'yes' || asked === undefined) return asked ?? 'unknown';
  if (asked === 'taken back') return undefined;
  return asked === 'passed' ? 'not passed' : 'incomplete';
}
