/** The words of statuses and headers in each language. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../../bin/importer/engine/lexicon/languages.ts';
import {
  beginsWithCompleted,
  GONE,
  type Meaning,
  MEANINGS,
  meaningOf,
  plainText,
  rolesOf,
  saysStopped,
} from '../../../../bin/importer/engine/lexicon/words.ts';

const FILES = Object.entries(LANGUAGES);

describe('languages', () => {
  it.each(FILES)('each word of %s is listed under a source that the file names', (_, { sources, status, headers }) => {
    expect(Object.keys({ ...status, ...headers }).filter((source) => sources[source] === undefined)).toEqual([]);
    for (const listed of Object.values(status)) {
      expect(Object.keys(listed ?? {}).filter((name) => ![...MEANINGS, GONE].some((each) => each === name))).toEqual(
        [],
      );
      for (const word of Object.values(listed ?? {}).flat()) expect(plainText(word ?? '')).not.toBe('');
    }
  });

  it('no word has one meaning in one language and another in another', () => {
    const listed = Object.values(LANGUAGES).flatMap(({ status }) =>
      Object.values(status).flatMap((each = {}) => Object.entries(each)),
    );
    const words = listed.flatMap(([meaning, some = []]) => some.map((word) => [plainText(word), meaning] as const));
    const meanings = new Map(words);
    expect(words.filter(([word, meaning]) => meanings.get(word) !== meaning)).toEqual([]);
  });

  it('no header has one role in one language and another in another', () => {
    const listed = Object.values(LANGUAGES).flatMap(({ headers }) =>
      Object.values(headers).flatMap((each = {}) => Object.values(each).flatMap((some = []) => some)),
    );
    expect(listed.filter((header) => rolesOf(header).size > 1)).toEqual([]);
  });

  it('no word of what is done says that a row was taken back', () => {
    const listed = Object.values(LANGUAGES).flatMap(({ status }) =>
      Object.values(status).flatMap((each) => [...(each?.completed ?? []), ...(each?.passed ?? [])]),
    );
    expect(listed.filter(saysStopped)).toEqual([]);
  });
});

const EVERY_STATE =
  `completed       | incomplete          | passed     | failed            | in_progress    | not_started         | stopped
Abgeschlossen   | Nicht abgeschlossen | Bestanden  | Nicht bestanden   | In Bearbeitung | Nicht begonnen      | Gelöscht
Ukończone       | Nieukończone        | Zdane      | Niezdane          | W trakcie      | Nierozpoczęte       | Usunięty
Tamamlandı      | Tamamlanmadı        | Başarılı   | Başarısız         | Devam ediyor   | Başlamadı           | İptal
Gennemført      | Ikke gennemført     | Bestået    | Ikke bestået      | I gang         | Ikke påbegyndt      | Afmeldt
FULLFØRT        | Ikke fullført       | Bestått    | Ikke bestått      | Påbegynt       | Ikke startet        | Avlyst
Slutförd        | Ej slutförd         | Godkänd    | Icke godkänd      | Pågår          | Inte påbörjad       | Avbruten
Suoritettu      | Ei suoritettu       | Läpäisty   | Ei läpäisty       | Kesken         | Ei aloitettu        | Peruutettu
Dokončeno       | Nedokončeno         | Uspěl      | Neuspěl           | Probíhá        | Nezahájeno          | Zrušeno
Dokončené       | Nedokončené         | Uspel      | Neuspel           | Prebieha       | Nezačaté            | Odhlásený
Befejezve       | Nincs befejezve     | Megfelelt  | Nem felelt meg    | Folyamatban    | Nem kezdte el       | Törölve
Finalizat       | Nefinalizat         | Promovat   | Nepromovat        | În desfășurare | Neînceput           | Șters
Завершён        | Не завершён         | Сдан       | Не сдан           | В процессе     | Не начат            | Отчислен
Завершено       | Не завершено        | Складено   | Не складено       | Триває         | Не розпочато        | Скасовано
Завършен        | Не е завършен       | Издържан   | Не е издържан     | В процес       | Не е започнат       | Анулиран
Završeno        | Nije završeno       | Položeno   | Nije položeno     | U tijeku       | Nije započeto       | Otkazano
ΟΛΟΚΛΗΡΩΘΗΚΕ    | Δεν ολοκληρώθηκε    | Επιτυχία   | Αποτυχία          | Σε εξέλιξη     | Δεν έχει ξεκινήσει  | Ακυρώθηκε
הושלם           | לא הושלם            | עברה       | לא עברה           | בתהליך         | טרם התחיל           | בוטל
مكتمل           | غير مكتمل           | ناجح       | لم يجتز           | قيد التقدم     | لم يبدأ             | منتهي الصلاحية
Đã hoàn thành   | Chưa hoàn thành     | Đạt        | Không đạt         | Đang học       | Chưa bắt đầu        | Đã hủy
Selesai         | Belum selesai       | Lulus      | Tidak lulus       | Sedang berjalan | Belum dimulai      | Dibatalkan
เสร็จสิ้น           | ยังไม่เสร็จสิ้น           | ผ่าน        | ไม่ผ่าน             | กำลังเรียน       | ยังไม่เริ่ม              | ยกเลิก
पूर्ण              | पूर्ण नहीं              | उत्तीर्ण      | अनुत्तीर्ण            | प्रगति पर है       | शुरू नहीं हुआ            | रद्द`
    .split('\n')
    .map((line) => line.split('|').map((word) => word.trim()));
const [SAID = [], ...WORDS] = EVERY_STATE;

it.each(WORDS)('%s, %s, %s: each language has its words of every state', (...words) => {
  expect(words.map((word) => (saysStopped(word) ? 'stopped' : meaningOf(word)))).toEqual(SAID);
  expect(meaningOf(words.at(-1) ?? '')).toBeUndefined();
});

it.each<[string, Meaning | undefined]>([
  ['COMPLETE', 'completed'],
  ['Completed - Passed', 'passed'],
  ['Completed - Failed', 'failed'],
  ['Completed (Equivalent)', 'completed'],
  ['Course Complete (For Credit)', 'completed'],
  ['Course Complete (Not For Credit)', undefined],
  ['Course Failed (No Credit)', 'failed'],
  ['Completed (set by Ann Lee)', 'completed'],
  ['COURSE-COMPL', 'completed'],
  ['NOSHOW', 'incomplete'],
  ['notStarted', 'not_started'],
  ['In Progress / Past Due', 'in_progress'],
  ['Completed - Pending Evaluation', undefined],
  ['Completed / In Progress', undefined],
  ['Nicht bestanden', 'failed'],
  ['TAMAMLANDI', 'completed'],
  ['Zakończone', 'completed'],
  ['不合格', 'failed'],
  ['未完成', 'incomplete'],
  ['Voltooid', 'completed'],
  ['Non superato', 'failed'],
  ['Active', undefined],
  ['Expired', undefined],
])('meaningOf: %s → %s', (text, meaning) => {
  expect(meaningOf(text)).toBe(meaning);
});

it.each([
  ['Fortschritt (%)', 'pct'],
  ['Date d’achèvement', 'completed_at'],
  ['% de avance', 'pct'],
  ['コース名', 'course'],
  ['진도율(%)', 'pct'],
  ['Tamamlanma tarihi', 'completed_at'],
  ['完成时间', 'completed_at'],
  ['Voortgang', 'pct'],
  ['Data di completamento', 'completed_at'],
  ['Situação', 'status'],
  ['Slutförd datum', 'completed_at'],
  ['Dátum dokončenia', 'completed_at'],
  ['% прохождения', 'pct'],
  ['Ημ/νία έναρξης', 'started_at'],
  ['Ansatt-ID', 'user_id'],
  ['نسبة الإنجاز', 'pct'],
  ['Ngày hoàn thành', 'completed_at'],
  ['วันที่ลงทะเบียน', 'started_at'],
])('rolesOf: %s → %s', (header, role) => {
  expect([...rolesOf(header)]).toEqual([role]);
});

it.each([
  'Completed through RPL',
  'Completed (external provider)',
  'Slutförd via RPL',
  'Terminé (équivalence)',
  'Abgeschlossen - Einzelabnahme',
])('%s begins with a completion', (text) => {
  expect([meaningOf(text), beginsWithCompleted(text)]).toEqual([undefined, true]);
});

it.each([
  'Partially completed',
  'Completed in part',
  'Not completed',
  'To be completed',
  'Previously completed',
  'Incomplete',
  'Completed – expired',
  'Completed: expected soon',
  'Completed, valid until May',
  'Completed without the exam',
  'Completed, exam failed',
  'Completed, awaiting signature',
  'Completed 2 of 3',
  'Completed?',
  'Completed by a colleague who has since left us',
  'Equivalent training elsewhere',
  'Abgeschlossen (nur Theorie)',
  'Slutförd delvis',
  'Voltooid, niet getekend',
  'Завершён не полностью',
])('%s may say less than that a course is completed', (text) => {
  expect(beginsWithCompleted(text)).toBe(false);
});
