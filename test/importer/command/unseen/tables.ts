/** Tables that nobody built for, each beside what a person reads in it. */
import { BEN, CHI, csv, DAT, GRA, HAN, LEN, SEC, table, type Unseen, WEL } from './people.ts';

const WORDS: readonly (readonly [language: string, header: string, done: string, open: string, not: string])[] = [
  ['German', 'E-Mail|Kurs|Status|Abgeschlossen am', 'Abgeschlossen', 'In Bearbeitung', 'Nicht begonnen'],
  ['Spanish', 'Correo electrónico|Curso|Estado|Fecha de finalización', 'Completado', 'En curso', 'No iniciado'],
  ['French', 'Courriel|Cours|Statut|Date d’achèvement', 'Terminé', 'En cours', 'Non commencé'],
  ['Italian', 'Email|Corso|Stato|Data completamento', 'Completato', 'In corso', 'Non iniziato'],
  ['Portuguese', 'E-mail|Curso|Situação|Data de conclusão', 'Concluído', 'Em andamento', 'Não iniciado'],
  ['Dutch', 'E-mailadres|Cursus|Status|Voltooid op', 'Voltooid', 'Bezig', 'Niet gestart'],
  ['Polish', 'E-mail|Kurs|Status|Data ukończenia', 'Ukończono', 'W toku', 'Nie rozpoczęto'],
  ['Turkish', 'E-posta|Kurs|Durum|Tamamlanma tarihi', 'Tamamlandı', 'Devam ediyor', 'Başlamadı'],
  ['Japanese', 'メールアドレス|コース|ステータス|完了日', '完了', '進行中', '未開始'],
  ['Chinese', '邮箱|课程|状态|完成日期', '已完成', '进行中', '未开始'],
  ['Korean', '이메일|과정|상태|완료일', '완료', '진행 중', '미시작'],
];

const inLanguage = (header: string, done: string, open: string, not: string): string =>
  csv(header, `${BEN}|${SEC}|${done}|2024-01-22`, `${CHI}|${DAT}|${open}|`, `${GRA}|${WEL}|${not}|`);

const ZEROS = ['0000-00-00', '1900-01-01', '9999-12-31', '1970-01-01', '0001-01-01'];

export const TABLES: readonly Unseen[] = [
  ...WORDS.map(([language, header, done, open, not]): Unseen => ({
    name: `words of ${language}`,
    bytes: inLanguage(header, done, open, not),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '0' },
    leftOut: 1,
  })),
  {
    name: 'words that no list knows',
    bytes: csv(
      'Sähköposti|Kurssi|Tila|Päivä',
      `${BEN}|${SEC}|Suoritettu|2024-01-22`,
      `${CHI}|${DAT}|Kesken|`,
      `${GRA}|${WEL}|Suoritettu|2024-02-22`,
    ),
    end: {},
    rejected: 3,
    open: ['Suoritettu', 'Kesken'],
  },
  {
    name: 'codes of a state that no word explains',
    bytes: csv(
      'user_email|course_title|completion_state|timecompleted',
      `${BEN}|${SEC}|2|1705881600`,
      `${CHI}|${DAT}|0|0`,
      `${GRA}|${WEL}|1|0`,
      `${HAN}|${SEC}|3|1705968000`,
    ),
    end: {},
    rejected: 4,
    open: ['completion_state = 2', 'completion_state = 3', 'completion_state = 0', 'completion_state = 1'],
  },
  {
    name: 'parts of a whole',
    bytes: csv(
      'Email|Course|Units|Completed on',
      `${BEN}|${SEC}|20 of 20|2024-01-22`,
      `${CHI}|${DAT}|12 of 20|`,
      `${GRA}|${WEL}|0 of 20|`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '60' },
    leftOut: 1,
  },
  {
    name: 'percentages as texts',
    bytes: csv(
      'Email|Course|% complete|Date completed',
      `${BEN}|${SEC}|100 %|2024-01-22`,
      `${CHI}|${DAT}|45 %|`,
      `${GRA}|${WEL}|0 %|`,
      `${HAN}|${WEL}|120 %|`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '45' },
    leftOut: 1,
    rejected: 1,
  },
  {
    name: 'fractions of one',
    bytes: csv(
      'Email|Course|Progress|Completed',
      `${BEN}|${SEC}|1|2024-01-22`,
      `${CHI}|${DAT}|0.45|`,
      `${GRA}|${WEL}|0|`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '45' },
    leftOut: 1,
  },
  {
    name: 'seconds since 1970, and zero for never',
    bytes: csv(
      'email|course|timecompleted|timeenrolled',
      `${BEN}|${SEC}|1705881600|1704067200`,
      `${CHI}|${DAT}|0|1704067200`,
    ),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
  },
  {
    name: 'milliseconds since 1970',
    bytes: csv('email|course|completed_at', `${BEN}|${SEC}|1705881600000`, `${CHI}|${DAT}|`),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
  },
  {
    name: 'days of a spreadsheet',
    bytes: table(';', 'Mail|Training|Completion Date', `${BEN}|${SEC}|45313`, `${CHI}|${DAT}|45314`, `${GRA}|${WEL}|`),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-01-23' },
    leftOut: 1,
  },
  {
    name: 'two dates that contradict each other',
    bytes: csv(
      'Email|Course|Status|Completed on|Certified on',
      `${BEN}|${SEC}|Completed|2024-01-22|2024-02-01`,
      `${CHI}|${DAT}|Completed|2024-01-23|`,
      `${GRA}|${DAT}|In progress||2024-02-02`,
      `${HAN}|${WEL}|Not started||`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-01-23' },
    leftOut: 1,
    rejected: 1,
  },
  {
    name: 'blank rows, titles above, header lines again, a total below',
    bytes:
      'Training report,,,\nGenerated 2024-06-01,,,\n\n' +
      csv(
        'Email|Course|Status|Completed on',
        `${BEN}|${SEC}|Completed|2024-01-22`,
        '|||',
        'Email|Course|Status|Completed on',
        `${CHI}|${DAT}|Not started|`,
        'Total|2||',
      ),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
  },
  {
    name: 'bars, quotes and line breaks in cells, a byte-order mark, addresses of any case',
    bytes:
      '\u{feff}Email|Course|Comment|Status|Completed on\r\n' +
      `${BEN.toUpperCase()}|${SEC}|"said ""fine"", \r\nthen left"|COMPLETED |2024-01-22\r\n` +
      `Chiara.Romano@Acme.Test|"${DAT}"|a|b" |Completed|2024-01-23\r\n`.replace('a|b" ', '"a|b"'),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-01-23' },
  },
  {
    name: 'renewals of each year, and one row twice',
    bytes: csv(
      'Email|Course|Status|Completed on',
      `${BEN}|${SEC}|Completed|2022-01-22`,
      `${BEN}|${SEC}|Completed|2023-01-22`,
      `${BEN}|${SEC}|Completed|2024-01-22`,
      `${CHI}|${SEC}|Completed|2023-05-22`,
      `${CHI}|${SEC}|Completed|2023-05-22`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 101': '100 2023-05-22' },
    rejected: 1,
  },
  {
    name: 'the day of a state within its word',
    bytes: csv(
      'Email|Course|Status',
      `${BEN}|${SEC}|Completed (2024-01-22)`,
      `${CHI}|${DAT}|Completed (2024-01-23)`,
      `${GRA}|${WEL}|Completed (2024-01-24)`,
      `${HAN}|${WEL}|In progress`,
      `${LEN}|${WEL}|Not started`,
    ),
    end: {
      'ben 101': '100 2024-01-22',
      'chi 102': '100 2024-01-23',
      'gra 103': '100 2024-01-24',
      'han 103': '0',
    },
    leftOut: 1,
  },
  ...['Exempt', 'Waived', 'Revoked', 'Expired', 'Withdrawn', 'Equivalent credit', 'Attended', 'Pending review'].map(
    (word): Unseen => ({
      name: `the word ${word} with a date`,
      bytes: csv(
        'Email|Course|Status|Completion date',
        `${BEN}|${SEC}|Completed|2024-01-22`,
        `${CHI}|${DAT}|${word}|2024-01-23`,
      ),
      end: { 'ben 101': '100 2024-01-22' },
      rejected: 1,
      open: [word],
    }),
  ),
  {
    name: 'results of exams with scores',
    bytes: csv(
      'Email|Course|Score|Result|Test date|Hours|Due date',
      `${BEN}|${SEC}|87|Pass|2024-01-22|3.5|2024-12-31`,
      `${CHI}|${DAT}|41|Fail|2024-01-23|2|2024-12-31`,
      `${GRA}|${WEL}|90|Pass|2024-01-24|1|2024-12-31`,
    ),
    end: { 'ben 101': '100 2024-01-22 C2024-01-22', 'chi 102': '0', 'gra 103': '100 2024-01-24' },
  },
  {
    name: 'answers to the header',
    bytes: csv(
      'Email|Course|Completed?|Completion date',
      `${BEN}|${SEC}|Yes|2024-01-22`,
      `${CHI}|${DAT}|No|`,
      `${GRA}|${WEL}|Yes|`,
    ),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
    rejected: 1,
  },
  {
    name: 'a flag, the date of enrolment and the last access, and no date of completion',
    bytes: csv(
      'Email|Course|is_completed|enrolled_at|valid_until',
      `${BEN}|${SEC}|true|2024-01-01|2026-01-22`,
      `${CHI}|${DAT}|false|2024-01-02|`,
    ),
    end: {},
    leftOut: 1,
    rejected: 1,
    open: ['is_completed = true'],
  },
  {
    name: 'the state of the enrolment beside that of the completion',
    bytes: csv(
      'Email|Course|Enrollment Status|Completion Status|Completion Date',
      `${BEN}|${SEC}|Active|Completed|2024-01-22`,
      `${CHI}|${DAT}|Withdrawn|Completed|2024-01-23`,
      `${GRA}|${WEL}|Active|Not Started|`,
    ),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
    rejected: 1,
  },
  {
    name: 'dates that mean never beside the word completed',
    bytes: csv(
      'Email|Course|Status|Completed on',
      `${BEN}|${SEC}|Completed|2024-01-22`,
      ...ZEROS.map((zero, index) => `${[BEN, CHI, GRA, HAN, LEN][index]}|${DAT}|Completed|${zero}`),
    ),
    end: { 'ben 101': '100 2024-01-22' },
    rejected: 5,
    open: ['Completed on = never'],
  },
  {
    name: 'dates that mean never alone',
    bytes: csv(
      'Email|Course|Completed on',
      `${BEN}|${SEC}|2024-01-22`,
      ...ZEROS.map((zero, index) => `${[BEN, CHI, GRA, HAN, LEN][index]}|${DAT}|${zero}`),
    ),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 5,
  },
  {
    name: 'one date that no calendar has among good ones',
    bytes: csv(
      'Email|Course|Status|Completed on',
      `${BEN}|${SEC}|Completed|01/22/2024`,
      `${CHI}|${SEC}|Completed|02/30/2024`,
      `${GRA}|${SEC}|Completed|03/14/2024`,
      `${HAN}|${SEC}|Completed|04/15/2024`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'gra 101': '100 2024-03-14', 'han 101': '100 2024-04-15' },
    rejected: 1,
    open: ['impossible'],
  },
  {
    name: 'day and month that may be swapped',
    bytes: csv(
      'Email|Course|Status|Completed on',
      `${BEN}|${SEC}|Completed|01/02/2024`,
      `${CHI}|${SEC}|Completed|03/04/2024`,
    ),
    end: {},
    undecided: ['dates'],
  },
  {
    name: 'day and month that another column settles',
    bytes: csv(
      'Email|Course|Started on|Status|Completed on',
      `${BEN}|${SEC}|25/01/2024|Completed|01/02/2024`,
      `${CHI}|${SEC}|13/02/2024|Completed|03/04/2024`,
    ),
    end: { 'ben 101': '100 2024-02-01', 'chi 101': '100 2024-04-03' },
  },
  {
    name: 'the address of the manager first, titles under Product',
    bytes: csv(
      'Manager email|Learner|Product|Category|State|Finished',
      `${LEN}|${BEN}|${SEC}|Safety|done|2024-01-22`,
      `${LEN}|${CHI}|${DAT}|Law|done|2024-01-23`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-01-23' },
  },
  {
    name: 'a word and a percentage that contradict each other',
    bytes: csv(
      'Email|Course|Status|Progress %|Completed on',
      `${BEN}|${SEC}|Completed|100|2024-01-22`,
      `${CHI}|${DAT}|Completed|45|2024-01-23`,
      `${GRA}|${WEL}|In Progress|100|`,
    ),
    end: { 'ben 101': '100 2024-01-22' },
    rejected: 2,
  },
  {
    name: 'parts of addresses as the ids of learners, which nobody registered',
    bytes: csv(
      'Username|Course|Status|Completed on',
      `ben.castillo|${SEC}|Completed|2024-01-22`,
      `chiara.romano|${DAT}|Completed|2024-01-23`,
    ),
    end: {},
    rejected: 2,
  },
  {
    name: 'months in letters, and a course that the catalog lacks',
    bytes: csv(
      'Email Address|Course Name|Course Status|Completion Date',
      `${BEN}|${SEC}|Complete|22-Jan-2024`,
      `${CHI}|Knitting|Complete|23-Feb-2024`,
    ),
    end: { 'ben 101': '100 2024-01-22' },
    rejected: 1,
  },
  {
    name: 'grades in letters beside a date',
    bytes: csv(
      'Email|Course|Grade|Completion date',
      `${BEN}|${SEC}|A|2024-01-22`,
      `${CHI}|${DAT}|F|2024-01-23`,
      `${GRA}|${WEL}|B|2024-01-24`,
      `${HAN}|${WEL}|F|2024-01-25`,
    ),
    end: {},
    rejected: 4,
    open: ['Grade = A', 'Grade = F'],
  },
  {
    name: 'years of another calendar',
    bytes: csv(
      'Email|Course|Status|Completed on',
      `${BEN}|${SEC}|Completed|22/01/2567`,
      `${CHI}|${DAT}|Completed|23/01/2567`,
    ),
    end: {},
    rejected: 2,
  },
  {
    name: 'no header',
    bytes: csv(`${BEN}|${SEC}|Completed|2024-01-22`, `${CHI}|${DAT}|Completed|2024-01-23`),
    end: {},
    refused: /no names of columns/,
  },
];
