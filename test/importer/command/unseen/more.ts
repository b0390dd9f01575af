/** More tables that nobody built for: counts that are no percentages, contradictions, logs, and notations of many kinds. */
import { BEN, CHI, csv, DAT, GRA, HAN, SEC, table, type Unseen, WEL } from './people.ts';

export const MORE: readonly Unseen[] = [
  {
    name: 'a user name beside the address, a code beside the title',
    bytes: csv(
      'Username|E-mail|Course code|Course title|Status|Completed',
      `bcastillo|${BEN}|IS-1|${SEC}|Completed|2024-01-22`,
      `cromano|${CHI}|DP-1|${DAT}|Completed|2024-01-23`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-01-23' },
  },
  {
    name: 'fractions with decimals, and times with their zone',
    bytes: csv(
      'Email|Course|Progress|Completed at',
      `${BEN}|${SEC}|1.00|2024-01-22T23:30:00-05:00`,
      `${CHI}|${DAT}|0.25|`,
      `${GRA}|${WEL}|0.00|`,
    ),
    end: { 'ben 101': '100 2024-01-23T04:30Z', 'chi 102': '25' },
    leftOut: 1,
  },
  {
    name: 'years of two digits',
    bytes: csv('Email|Course|Completed on', `${BEN}|${SEC}|22/01/24`, `${CHI}|${DAT}|23/02/24`),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-02-23' },
  },
  {
    name: 'dates in two notations',
    bytes: csv(
      'Email|Course|Status|Completed on',
      `${BEN}|${SEC}|Completed|22/01/2024`,
      `${CHI}|${DAT}|Completed|23/02/2024`,
      `${GRA}|${WEL}|Completed|24/03/2024`,
      `${HAN}|${WEL}|Completed|March 5th`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-02-23', 'gra 103': '100 2024-03-24' },
    rejected: 1,
  },
  {
    name: 'names with the address in brackets',
    bytes: csv(
      'Learner|Course|Status|Completed on',
      `Ben Castillo <${BEN}>|${SEC}|Completed|2024-01-22`,
      `Chiara Romano <${CHI}>|${DAT}|Completed|2024-01-23`,
    ),
    end: {},
    rejected: 2,
  },
  {
    name: 'a first line that names the delimiter',
    bytes: 'sep=;\n' + table(';', 'Email|Course|Status|Completed on', `${BEN}|${SEC}|Completed|2024-01-22`),
    end: { 'ben 101': '100 2024-01-22' },
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
  {
    name: 'a number of lessons that is no percentage',
    bytes: csv(
      'Email|Course|Lessons completed|Time spent|Completion date',
      `${BEN}|${SEC}|12|1:30:00|2024-01-22`,
      `${CHI}|${DAT}|5|0:20:00|`,
      `${GRA}|${WEL}|7|0:10:00|`,
    ),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 2,
  },
  {
    name: 'lessons completed of lessons',
    bytes: csv(
      'Email|Course|Lessons|Lessons completed|Completion date',
      `${BEN}|${SEC}|12|12|2024-01-22`,
      `${CHI}|${DAT}|10|5|`,
      `${GRA}|${WEL}|8|0|`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '50' },
    leftOut: 1,
  },
  {
    name: 'hours of training',
    bytes: csv(
      'Email|Course|Hours completed|CPD points|Status|Date',
      `${BEN}|${SEC}|12|3|Completed|2024-01-22`,
      `${CHI}|${DAT}|5|1|In progress|2024-01-23`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '0' },
  },
  {
    name: 'progress as one of ten',
    bytes: csv(
      'Email|Course|Progress|Finished on',
      `${BEN}|${SEC}|10/10|2024-01-22`,
      `${CHI}|${DAT}|5/10|`,
      `${GRA}|${WEL}|0/10|`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '50' },
    leftOut: 1,
  },
  {
    name: 'percentages and words in one column',
    bytes: csv(
      'Email|Course|Progress|Finished on',
      `${BEN}|${SEC}|100%|2024-01-22`,
      `${CHI}|${DAT}|Not started|`,
      `${GRA}|${WEL}|35%|`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'gra 103': '35' },
    rejected: 1,
  },
  {
    name: 'crosses',
    bytes: csv('Email|Course|Completed|Completion date', `${BEN}|${SEC}|x|2024-01-22`, `${CHI}|${DAT}||`),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
  },
  {
    name: 'a log of states',
    bytes: csv(
      'Timestamp|Actor|Verb|Object',
      `2024-01-20T08:00:00Z|${BEN}|in progress|${SEC}`,
      `2024-01-22T09:00:00Z|${BEN}|completed|${SEC}`,
      `2024-01-23T09:00:00Z|${CHI}|failed|${SEC}`,
    ),
    end: { 'ben 101': '100 2024-01-22T09:00Z', 'chi 101': '0' },
  },
  {
    name: 'dates or a word',
    bytes: csv('Email|Course|Completed', `${BEN}|${SEC}|2024-01-22`, `${CHI}|${DAT}|2024-01-23`, `${GRA}|${WEL}|No`),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-01-23' },
    rejected: 1,
  },
  {
    name: 'a date of deletion',
    bytes: csv(
      'email|course|completed_at|deleted_at',
      `${BEN}|${SEC}|2024-01-22|`,
      `${CHI}|${DAT}|2024-01-23|2024-02-01`,
      `${GRA}|${WEL}||2024-02-01`,
    ),
    end: { 'ben 101': '100 2024-01-22' },
    rejected: 2,
  },
  {
    name: 'a certificate that expires, and no word of completion',
    bytes: csv(
      'Email|Certification|Issued on|Expires on',
      `${BEN}|${SEC}|2024-01-22|2025-01-22`,
      `${CHI}|${DAT}|2024-01-23|2025-01-23`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-01-23' },
  },
  {
    name: 'a due date alone',
    bytes: csv(
      'Email|Course|Status|Due date',
      `${BEN}|${SEC}|Completed|2024-01-22`,
      `${CHI}|${DAT}|Not started|2024-01-23`,
    ),
    end: {},
    leftOut: 1,
    rejected: 1,
    open: ['no date to complete on'],
  },
  {
    name: 'a matrix of courses with dates',
    bytes: csv(
      `Name|Email|${SEC}|${DAT}|${WEL}`,
      `Ben|${BEN}|2024-01-22|2024-01-23|`,
      `Chiara|${CHI}||2024-02-23|2024-02-24`,
    ),
    end: {
      'ben 101': '100 2024-01-22',
      'ben 102': '100 2024-01-23',
      'chi 102': '100 2024-02-23',
      'chi 103': '100 2024-02-24',
    },
  },
  {
    name: 'columns and rows of JSON',
    file: 'a.json',
    bytes: JSON.stringify({ columns: ['email', 'course'], rows: [[BEN, SEC]] }),
    end: {},
    refused: /array of objects/,
  },
  {
    name: 'a course around its learners',
    file: 'a.json',
    bytes: JSON.stringify({
      course: { title: SEC },
      generated: '2024-06-01',
      learners: [
        { email: BEN, status: 'completed', completed: '2024-01-22' },
        { email: CHI, status: 'not started', completed: null },
      ],
    }),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
  },
  {
    name: 'flags of JSON',
    file: 'a.ndjson',
    bytes: [
      { email: BEN, course: SEC, completed: true, completion_date: '2024-01-22' },
      { email: CHI, course: DAT, completed: false, completion_date: null },
    ]
      .map((each) => JSON.stringify(each))
      .join('\n'),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
  },
  {
    name: 'overdue and due words',
    bytes: csv(
      'Email|Course|Training Status|Completed Date',
      `${BEN}|${SEC}|Completed Late|2024-01-22`,
      `${CHI}|${DAT}|Overdue|`,
      `${GRA}|${WEL}|Expired|2020-01-22`,
      `${HAN}|${WEL}|Completed (Expired)|2020-01-23`,
    ),
    end: { 'ben 101': '100 2024-01-22', 'chi 102': '0' },
    rejected: 2,
  },
  {
    name: 'passed and failed attempts on one day',
    bytes: csv(
      'Email|Course|Attempt|Result|Score|Date',
      `${BEN}|${SEC}|1|Fail|40|2024-01-22`,
      `${BEN}|${SEC}|2|Pass|85|2024-01-22`,
      `${CHI}|${SEC}|1|Pass|90|2024-01-23`,
    ),
    end: { 'ben 101': '100 2024-01-22 C2024-01-22', 'chi 101': '100 2024-01-23 C2024-01-23' },
  },
  {
    name: 'a waiver under a header that says nothing',
    bytes: csv(
      'Email|Course|Type|Status|Date',
      `${BEN}|${SEC}|Assignment|Complete|2024-01-22`,
      `${CHI}|${DAT}|Waiver|Complete|2024-01-23`,
    ),
    end: { 'ben 101': '100 2024-01-22' },
    rejected: 1,
    open: ['Type = Waiver'],
  },
  {
    name: 'the time at which a row was written',
    bytes: csv(
      'email|course|complete|created_at|updated_at',
      `${BEN}|${SEC}|1|2024-01-01 10:00:00|2024-01-22 10:00:00`,
      `${CHI}|${DAT}|0|2024-01-02 10:00:00|2024-01-23 10:00:00`,
    ),
    end: {},
    leftOut: 1,
    rejected: 1,
  },
  {
    name: 'edges and nodes of GraphQL',
    file: 'a.json',
    bytes: JSON.stringify({
      data: {
        enrollments: {
          edges: [
            { node: { learner: { email: BEN }, course: { title: SEC }, state: 'done', finishedAt: '2024-01-22' } },
            { node: { learner: { email: CHI }, course: { title: DAT }, state: 'open', finishedAt: null } },
          ],
        },
      },
    }),
    end: { 'ben 101': '100 2024-01-22' },
    leftOut: 1,
  },
];
