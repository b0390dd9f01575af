/** Encodings, workbooks, JSON and other containers that nobody built for, each beside what a person reads in it. */
import { gzipSync } from 'node:zlib';
import { archiveOf, workbookOf } from '../support/workbook.ts';
import { BEN, CHI, csv, DAT, GRA, HAN, SEC, sheet, table, type Unseen, WEL } from './people.ts';

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
/** Latin letters and these, each with its byte. */
const encoded = (text: string, bytes: Readonly<Record<string, number>>): Buffer =>
  Buffer.from(Array.from(text, (letter) => bytes[letter] ?? letter.charCodeAt(0)));
const CYRILLIC = Object.fromEntries(
  Array.from('АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя', (letter, index) => [
    letter,
    0xc0 + index,
  ]),
);
const CZECH = {
  ú: 0xfa,
  á: 0xe1,
  č: 0xe8,
  ě: 0xec,
  í: 0xed,
  ň: 0xf2,
  ř: 0xf8,
  š: 0x9a,
  ž: 0x9e,
  ý: 0xfd,
  Š: 0x8a,
  é: 0xe9,
  ů: 0xf9,
};
/** `メール,コース,状態,完了日` and `完了` in Shift_JIS. */
const SHIFT_JIS = Buffer.concat([
  Buffer.from('8381815b838b2c8352815b83582c8fa891d42c8aae97b993fa0a', 'hex'),
  ...[BEN, CHI, GRA, HAN].flatMap((who, index) => [
    Buffer.from(`${who},${SEC},`),
    Buffer.from('8aae97b9', 'hex'),
    Buffer.from(`,2024/01/2${index}\n`),
  ]),
]);

export const CONTAINERS: readonly Unseen[] = [
  {
    name: 'UTF-16 without a byte-order mark, with tabs',
    bytes: utf16(table('\t', 'Email|Course|Status|Completed on', `${BEN}|${SEC}|Completed|2024-01-22`)),
    end: { 'ben 101': '100 2024-01-22' },
    encoding: 'utf-16le',
  },
  {
    name: 'Cyrillic in windows-1251',
    bytes: encoded(
      csv(
        'Почта|Курс|Состояние|Дата завершения',
        `${BEN}|${SEC}|Завершено|2024-01-22`,
        `${CHI}|${DAT}|Не начато|`,
        `${GRA}|${WEL}|Завершено|2024-03-22`,
        `${HAN}|${SEC}|В процессе|`,
      ),
      CYRILLIC,
    ),
    end: {},
    rejected: 4,
    encoding: 'windows-1251',
    open: ['Завершено', 'Не начато', 'В процессе'],
  },
  {
    name: 'Czech in windows-1250',
    bytes: encoded(
      csv(
        'E-mail|Kurz|Stav kurzu|Datum dokončení',
        ...[BEN, CHI, GRA].map((who) => `${who}|${SEC}|Dokončeno před termínem|2024-01-22`),
        ...[BEN, CHI, GRA].map((who) => `${who}|${DAT}|Zrušeno žádná účast|`),
      ),
      CZECH,
    ),
    end: {},
    rejected: 6,
    encoding: 'windows-1250',
    open: ['Dokončeno před termínem', 'Zrušeno'],
  },
  {
    name: 'Japanese in Shift_JIS',
    bytes: SHIFT_JIS,
    end: {
      'ben 101': '100 2024-01-20',
      'chi 101': '100 2024-01-21',
      'gra 101': '100 2024-01-22',
      'han 101': '100 2024-01-23',
    },
    encoding: 'shift_jis',
  },
  {
    name: 'accents in windows-1252, semicolons, decimal commas',
    bytes: Buffer.from(
      table(
        ';',
        'Prénom;Courriel;Cours;Progression;Terminé le'.replaceAll(';', '|'),
        `René|${BEN}|${SEC}|100,0 %|22/01/2024`,
        `Zoé|${CHI}|${DAT}|45,5 %|`,
      ),
      'latin1',
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '45.5' },
    encoding: 'windows-1252',
  },
  {
    name: 'items of an API, with dates of Mongo',
    file: 'export.json',
    bytes: JSON.stringify({
      meta: { page: 1, fields: [{ name: 'email' }] },
      data: {
        items: [
          {
            user: { email: BEN },
            course: { title: SEC },
            status: 'completed',
            completedAt: { $date: '2024-01-22T00:00:00Z' },
          },
          { user: { email: CHI }, course: { title: DAT }, status: 'in_progress', completedAt: null },
          {
            user: { email: GRA },
            course: { title: WEL },
            status: 'completed',
            completedAt: { $date: { $numberLong: '1705968000000' } },
          },
        ],
      },
    }),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '0', 'gra 103': '100 2024-01-23' },
  },
  {
    name: 'learners with their courses, whose members have the same names',
    file: 'export.json',
    bytes: JSON.stringify({
      results: [
        {
          email: BEN,
          name: 'Ben',
          status: 'active',
          courses: [
            { name: SEC, status: 'completed', completed_at: '/Date(1705881600000)/' },
            { name: DAT, status: 'in progress', completed_at: null },
          ],
        },
        {
          email: CHI,
          name: 'Chiara',
          status: 'inactive',
          courses: [{ name: WEL, completed_at: '/Date(1705968000000+0000)/', status: 'completed' }],
        },
        { email: GRA, name: 'Grace', status: 'completed', courses: [{ name: WEL, completed_at: null }] },
      ],
    }),
    end: { 'ben 101': '100 2024-01-22', 'ben 102': '0', 'chi 103': '100 2024-01-23' },
    leftOut: 1,
  },
  {
    name: 'courses of learners by their address',
    file: 'export.json',
    bytes: JSON.stringify({
      exportedAt: '2024-04-30',
      learners: {
        [BEN]: { name: 'Ben', courses: [{ title: SEC, status: 'completed', date: '2024-01-22' }] },
        [CHI]: {
          courses: [
            { title: DAT, status: 'in progress', date: null },
            { title: WEL, status: 'completed', date: '2024-01-23' },
          ],
        },
      },
    }),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '0', 'chi 103': '100 2024-01-23' },
  },
  {
    name: 'one object for each learner, by address, on one line',
    file: 'export.json',
    bytes: JSON.stringify({
      [BEN]: { course: SEC, status: 'completed', completed_at: '2024-01-22' },
      [CHI]: { course: DAT, status: 'in progress', completed_at: null },
      total: 2,
    }),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '0' },
  },
  ...Object.entries({
    'courses by their title, of learners by their address': {
      users: {
        [BEN]: { name: 'Ben', courses: { [SEC]: { status: 'completed', date: '2024-01-22' } } },
        [CHI]: {
          name: 'Chi',
          courses: {
            [DAT]: { status: 'in progress', date: null },
            [WEL]: { status: 'completed', date: '2024-01-23' },
          },
        },
      },
    },
    'nothing but courses by their title, of learners by their address': {
      [BEN]: { [SEC]: { status: 'completed', date: '2024-01-22' } },
      [CHI]: { [DAT]: { status: 'in progress', date: null }, [WEL]: { status: 'completed', date: '2024-01-23' } },
    },
    'courses by their title in a list of learners': [
      { email: BEN, records: { courses: { [SEC]: { status: 'completed', date: '2024-01-22' } } } },
      {
        email: CHI,
        records: {
          courses: {
            [DAT]: { status: 'in progress', date: null },
            [WEL]: { status: 'completed', date: '2024-01-23' },
          },
        },
      },
    ],
    'learners by their address, of courses by a number, of two companies': {
      companies: {
        'company 1': { 'course 1': { title: SEC, people: { [BEN]: { status: 'completed', date: '2024-01-22' } } } },
        'company 2': {
          'course 2': { title: DAT, people: { [CHI]: { status: 'in progress', date: null } } },
          'course 3': { title: WEL, people: { [CHI]: { status: 'completed', date: '2024-01-23' } } },
        },
      },
    },
  }).map(([name, file]): Unseen => ({
    name,
    file: 'export.json',
    bytes: JSON.stringify(file),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '0', 'chi 103': '100 2024-01-23' },
  })),
  {
    name: 'learners of courses by their title',
    file: 'export.json',
    bytes: JSON.stringify(
      {
        data: {
          courses: {
            [SEC]: { hours: 2, learners: [{ email: BEN, status: 'completed', completed_at: '2024-01-22' }] },
            [DAT]: { hours: 1, learners: [{ email: CHI, status: 'in progress', completed_at: null }] },
          },
        },
      },
      undefined,
      1,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '0' },
  },
  {
    name: 'rows that name nobody, beside a shorter list of the learners',
    file: 'export.json',
    bytes: JSON.stringify({
      data: Array.from({ length: 12 }, (_, index) => ({ user: index, completed: '2024-01-22' })),
      people: [{ email: BEN, course: SEC, status: 'completed', completed_on: '2024-01-23' }],
    }),
    end: { 'ben 101': '100 2024-01-23' },
    sheetsLeft: ['data'],
  },
  {
    name: 'resources with attributes',
    file: 'export.json',
    bytes: JSON.stringify({
      data: [
        {
          id: '1',
          type: 'enrollment',
          attributes: { email: BEN, course_name: SEC, progress: 100, completed_at: '2024-01-22' },
        },
        { id: '2', type: 'enrollment', attributes: { email: CHI, course_name: DAT, progress: 40, completed_at: null } },
      ],
      included: [{ id: 'c1', type: 'course' }],
    }),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '40' },
  },
  {
    name: 'a sheet for each year, one with its columns in another order, and a legend',
    file: 'history.xlsx',
    bytes: workbookOf({
      sheets: {
        2022: sheet(
          'Email|Course|Status|Completed on',
          `${BEN}|${SEC}|Completed|2022-01-22`,
          `${CHI}|${DAT}|Not started|`,
        ),
        2023: sheet('Email|Course|Status|Completed on', `${GRA}|${WEL}|Completed|2023-01-22`),
        2024: sheet(
          'Course|Completed on|Email|Status',
          `${DAT}|2024-01-22|${HAN}|Completed`,
          `${SEC}||${CHI}|In progress`,
        ),
        Legend: sheet('Word|Meaning', 'Completed|all of it'),
      },
    }),
    end: {
      'ben 101': '100 2022-01-22',
      'chi 101': '0',
      'gra 103': '100 2023-01-22',
      'han 102': '100 2024-01-22',
    },
    leftOut: 1,
    sheetsLeft: ['Legend'],
  },
  {
    name: 'a cover sheet before the table',
    file: 'history.xlsx',
    bytes: workbookOf({
      sheets: {
        Cover: sheet('Report of all trainings', 'Prepared by HR'),
        Data: sheet('Email|Course|Status|Completed on', `${BEN}|${SEC}|Completed|2022-01-22`),
      },
    }),
    end: { 'ben 101': '100 2022-01-22' },
    sheetsLeft: ['Cover'],
  },
  {
    name: 'a sheet for each course, and a learner without a state',
    file: 'history.xlsx',
    bytes: workbookOf({
      sheets: {
        [SEC]: sheet('Email|Passed|Date', `${BEN}|x|2024-01-22`, `${CHI}||`),
        [WEL]: sheet('Email|Passed|Date', `${HAN}|x|2024-01-23`),
      },
    }),
    end: {},
    undecided: ['columns'],
  },
  {
    name: 'OpenDocument',
    file: 'a.ods',
    bytes: archiveOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    end: {},
    refused: 'OpenDocument.*Save it as \\.xlsx or CSV',
  },
  {
    name: 'an archive of a table',
    file: 'a.zip',
    bytes: archiveOf({ 'history.csv': 'a,b' }),
    end: {},
    refused: 'archive.*history\\.csv.*Unpack it',
  },
  { name: 'gzip', file: 'a.csv.gz', bytes: gzipSync('a,b'), end: {}, refused: 'compressed.*Unpack it' },
  {
    name: 'a document',
    file: 'a.pdf',
    bytes: Buffer.from('%PDF-1.7\n%\u{e2}\u{e3}'),
    end: {},
    refused: 'PDF.*export',
  },
  {
    name: 'a table of a web page',
    file: 'a.xls',
    bytes: `<html><table><tr><td>Email</td></tr></table></html>`,
    end: {},
    refused: 'web page with a table',
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
    name: 'blanks that do not break, and signs of full width',
    bytes: csv(
      'Email|Course|Progress %|Completed on',
      `${BEN}\u{a0}|\u{a0}${SEC}|100\u{a0}%|2024-01-22`,
      `${CHI}|${DAT}|45\u{a0}%|`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '45' },
  },
];
