/** Headers that are no names of a completion: the only day beside a status, or the only percentage of a file, may be of something else. */
import { expect, it } from 'vitest';
import { asks, asksAlone } from '../../../../bin/importer/engine/decide/asks.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { isOtherDay } from '../../../../bin/importer/engine/profile/roles.ts';
import { ColumnProfile } from '../../../../bin/importer/engine/profile/table-profile.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const NOW = Date.parse('2026-11-27');

async function outcomesOf(lines: readonly string[]) {
  const findings = await findKinds([await openSource(new File([lines.join('\n')], 'x.csv'), { now: NOW })]);
  return findings.kinds.map(({ outcome, date, percent }) => [outcome, date ?? percent]);
}

/** Of each topic and many languages. */
const OTHER_DAYS = `
Expires on|Valid until|Läuft ab|Valable jusqu’au|Válido hasta|Caduca|Valido fino al|Validade|Geldig tot|Vervaldatum|Ważne do|Data ważności
Geçerlilik tarihi|有効期限|到期日|有效期至|만료일|Gyldig til|Utløpsdato|Giltig till|Udløber|Voimassa asti|Platnost do|Lejárat|Valabil până la
Срок действия|Годен до|Ισχύει έως|หมดอายุ|تاريخ انتهاء الصلاحية|בתוקף עד|Hết hạn|Berlaku hingga|Vrijedi do|Kehtib kuni|Derīgs līdz|Galioja iki
Due date|Frist|Échéance|Fecha límite|Scadenza|Prazo|Son tarih|期日|마감일|Förfallodag|Eräpäivä|Határidő|Крайний срок|Προθεσμία|กำหนดส่ง|Tenggat
Date of birth|Geburtsdatum|Fødselsdato|Data urodzenia|Doğum tarihi|生年月日|出生日期|생년월일|Дата рождения|Hire date|Eintrittsdatum|入社日
Assigned on|Anmeldedatum|Fecha de inscripción|Data iscrizione|Påmeldt|Přihlášen|Записан|登録日|报名日期|Created at|Geändert am|更新日`;

it.each(OTHER_DAYS.trim().split(/[|\n]/))('%s is the header of no day of completion', (header) => {
  expect(isOtherDay(new ColumnProfile(header, header))).toBe(true);
});

it.each([
  { header: 'Läuft ab', is: [null, null] },
  { header: 'Completion date (target)', is: ['completed', ':import day'] },
  { header: 'Completion date (UTC)', is: ['completed', 'Completion date (UTC)'] },
  { header: 'Letzte Unterweisung', is: ['completed', 'Letzte Unterweisung'] },
  { header: 'Status geändert am', is: ['completed', 'Status geändert am'] },
  { header: 'B', is: ['completed', 'B'] },
])('the only day beside a status, under $header, is one of completion or none', async ({ header, is }) => {
  const rows = ['1.02.2024', '3.05.2024', '13.05.2024'].map((day, n) => `p${n}@x.test;Safety;Completed;${day}`);
  expect(await outcomesOf([`Email;Course;Status;${header}`, ...rows])).toEqual([is]);
});

/** The results of an exam. */
const RESULTS = ['100', '85', '40', '20', '62', '100', '77', '55', '33', '91', '48', '13', '5'];

it.each([
  { form: '85%', of: (text: string) => `${text}%` },
  { form: '0.85', of: (text: string) => String(Number(text) / 100) },
  { form: '17/20', of: (text: string) => `${Math.round(Number(text) / 5)}/20` },
])('$form alone is the progress of a course only if its header says so', async ({ of }) => {
  const rows = RESULTS.map((text, n) => `p${n}@x.test;Safety;${of(text)}`);
  for (const header of ['Quiz', 'Betyg', 'Anwesenheit', 'B'])
    expect(await outcomesOf([`Email;Course;${header}`, ...rows])).not.toContainEqual(['in_progress', header]);
  expect(await outcomesOf(['Email;Course;Progress', ...rows])).toContainEqual(['in_progress', 'Progress']);
});

it.each([
  { beside: 'a day', header: 'Passed on', of: (isDone: boolean) => (isDone ? '14.02.2024' : '') },
  { beside: 'words', header: 'Status', of: (isDone: boolean) => (isDone ? 'Completed' : 'In progress') },
])('a share of points that $beside says nothing of is no progress', async ({ header, of }) => {
  const rows = RESULTS.map((text, n) => `p${n}@x.test;Safety;${Number(text) / 5}/20;${of(Number(text) > 50)}`);
  const outcomes = await outcomesOf([`Email;Course;Betyg;${header}`, ...rows]);
  expect(outcomes).not.toContainEqual(['in_progress', 'Betyg']);
});

const ASKING =
  'Completed?|Is complete|Course completed|Abgeschlossen (Ja/Nein)|Kurs bestanden|Formation terminée|Curso aprobado|修了フラグ|이수여부|Завершен';
const ASKING_ELSE = `Completion overdue|Must complete|Did not complete|Completion pending|Exam booked|Exam failed|Abschluss fehlt|Prüfung angemeldet
Da completare|A concluir|Te voltooien|Nieukończony|Tamamlanmadı|不合格|修了予定|불합격|수료예정|Ej genomförd|Δεν ολοκληρώθηκε`;

it.each([
  ...ASKING.split('|').map((header) => ({ header, isAsking: true })),
  ...ASKING_ELSE.split(/[|\n]/).map((header) => ({ header, isAsking: false })),
])('a yes under $header is one of completion: $isAsking', ({ header, isAsking }) => {
  const column = new ColumnProfile(header, header);
  expect(asks(column) !== undefined && asksAlone(column)).toBe(isAsking);
});
