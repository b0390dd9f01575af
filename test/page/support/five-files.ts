/** The exports of five usual systems, with what a person reads in each row, and the company that they come from. */
import type { MigrationClient } from '../../../bin/importer/client/index.ts';
import { columnName, textRow, workbookOf } from '../../importer/command/support/workbook.ts';
import type { ChosenFile } from '../person.ts';

const FIRST = ['Amara', 'Bruno', 'Clara', 'Daan', 'Elena', 'Felix', 'Greta', 'Hugo', 'Ines', 'Jonas'];
const LAST = ['Albrecht', 'Bianchi', 'Caron', 'Dvorak', 'Ekström', 'Fontana', 'Gruber', 'Horvat', 'Ivanova', 'Jansen'];
const COURSES = [
  { id: 201, title: 'Fire Safety', has_exam: true },
  { id: 202, title: 'Data Protection in Practice', has_exam: true },
  { id: 203, title: 'Welcome to the Company', has_exam: false },
  { id: 204, title: 'Customer Service Excellence', has_exam: false },
  { id: 205, title: 'Forklift Truck Refresher', has_exam: true },
] as const;
export const PER_FILE = 20;

/** Each system has learners of its own. */
const learnerOf = (file: number, index: number) => {
  const [first = '', last = ''] = [FIRST[(file * 2 + Math.floor(index / 10)) % 10], LAST[index % 10]];
  const name = `${first.toLowerCase()}.${last.toLowerCase().replace('ö', 'oe')}`;
  return { first, last, name, email: `${name}@acme.test` };
};

const SYSTEMS = 5;
export const LEAVER = learnerOf(4, 19);
export const COMPANY = {
  companies: [{ company_id: 'acme', name: 'Acme', migrations_enabled: true }],
  users: [
    ['admin@acme.test', 'Ada Okafor', 'admin'] as const,
    ...Array.from({ length: SYSTEMS * PER_FILE }, (_, i) => {
      const { email, first, last } = learnerOf(Math.floor(i / PER_FILE), i % PER_FILE);
      return [email, `${first} ${last}`, 'customer'] as const;
    }),
  ].map(([email, name, role], id) => ({
    id: id + 1,
    company_id: 'acme',
    email,
    name,
    role,
    ...(role === 'admin' ? { password: 'changeme' } : {}),
    avatar: 'https://avatars.acme.test/a.png',
    license: email === LEAVER.email ? 'inactive' : 'active',
  })),
  courses: COURSES.map(({ id, title, has_exam }) => ({
    company_id: 'acme',
    platform_course_id: id,
    title,
    has_exam,
    classes: [{ platform_class_id: id * 10, title: 'Lesson' }],
  })),
  progress: [],
};

interface Row<State> {
  readonly who: ReturnType<typeof learnerOf>;
  readonly course: (typeof COURSES)[number];
  readonly state: State;
  /** In the ISO form. */
  readonly day: string;
  readonly index: number;
}

/** What a row becomes: percentage, day, and `C` if it certifies; `undefined` if it is named as not imported. */
type Reads<State> = (row: Row<State>) => string | undefined;

const dayOf = (index: number): string =>
  new Date(Date.UTC(2021, 0, 4 + ((index * 37) % 1200))).toISOString().slice(0, 10);

function rowsOf<State>(file: number, states: readonly State[]): Row<State>[] {
  return Array.from({ length: PER_FILE * COURSES.length }, (_, index) => ({
    who: learnerOf(file, index % PER_FILE),
    course: COURSES[Math.floor(index / PER_FILE)] ?? COURSES[0],
    state: states[((index % PER_FILE) * 3 + Math.floor(index / PER_FILE)) % states.length] as State,
    day: dayOf(index),
    index,
  }));
}

export interface System {
  readonly name: string;
  readonly file: ChosenFile;
  readonly rows: number;
  /** `email course`: percentage, day, `C`. */
  readonly truth: Readonly<Record<string, string>>;
  /** What a person answers where nothing is suggested: words of the kind, and the outcome. */
  readonly answers: Readonly<Record<string, string>>;
}

function systemOf<State>(
  rows: readonly Row<State>[],
  reads: Reads<State>,
  { others = 0, ...given }: Pick<System, 'name' | 'file' | 'answers'> & { readonly others?: number },
): System {
  const truth = rows.flatMap((row) => {
    const read = reads(row);
    return read === undefined ? [] : [[`${row.who.email} ${row.course.id}`, read] as const];
  });
  return { ...given, rows: rows.length + others, truth: Object.fromEntries(truth) };
}

const quoted = (cell: string): string => (/[",;\n]/.test(cell) ? `"${cell}"` : cell);
const csvOf = (lines: readonly (readonly string[])[], separator = ','): string =>
  lines.map((cells) => cells.map(quoted).join(separator)).join('\n');

const completed = (day: string): string => `100 ${day}`;
const certified = (day: string): string => `100 ${day} C`;

/** A percentage beside a word for completed or not. */
function moodle(): System {
  const rows = rowsOf(0, ['100', '100', '60', '25', '0']);
  const reads: Reads<string> = ({ state, day }) =>
    state === '100' ? completed(day) : state === '0' ? undefined : state;
  const text = csvOf([
    ['First name', 'Last name', 'Email address', 'Course', 'Progress', 'Completed', 'Date completed'],
    ...rows.map(({ who, course, state, day }) => {
      const isDone = state === '100';
      const done = isDone ? ['Yes', `${day} 09:30`] : ['No', ''];
      return [who.first, who.last, who.email, course.title, state, ...done];
    }),
  ]);
  return systemOf(rows, reads, { name: 'Moodle', file: { name: 'moodle.csv', text }, answers: {} });
}

/** Times of day with the name of their zone, as it is spoken. */
function successFactors(): System {
  const rows = rowsOf(1, ['COURSE-COMPL', 'COURSE-COMPL', 'COURSE-COMPL', 'COURSE-INC', 'NO-SHOW']);
  const text = csvOf([
    ['User ID', 'Email Address', 'Item ID', 'Item Title', 'Completion Status', 'Completion Date', 'Total Hours'],
    ...rows.map(({ who, course, state, day, index }) => {
      const [year, month, date] = day.split('-').map(Number);
      return [
        `SF${1000 + (index % PER_FILE)}`,
        who.email,
        `ITEM-${course.id}`,
        course.title,
        state,
        `${month}/${date}/${year} 9:00 AM America/New York`,
        '1.5',
      ];
    }),
  ]);
  const reads: Reads<string> = ({ state, day }) => (state === 'COURSE-COMPL' ? completed(day) : undefined);
  return systemOf(rows, reads, {
    name: 'SuccessFactors',
    file: { name: 'successfactors.csv', text },
    answers: { 'COURSE-INC': 'Leave out', 'NO-SHOW': 'Leave out' },
  });
}

/** A word, a percentage, and a dash for what there is none of. */
function talentLms(): System {
  const rows = rowsOf(2, ['Completed 100%', 'Completed 100%', 'Incomplete 45%', 'Not started 0%']);
  const european = (day: string): string => `${day.split('-').toReversed().join('/')}, 10:15:00`;
  const text = csvOf([
    ['User', 'Email', 'Course', 'Status', 'Progress', 'Enrolled on', 'Completed on', 'Score'],
    ...rows.map(({ who, course, state, day }) => {
      const isDone = state.startsWith('Completed');
      const [status = '', progress = ''] = state.split(/ (?=\d)/);
      const done = isDone ? [european(day), '88'] : ['-', '-'];
      return [`${who.first} ${who.last}`, who.email, course.title, status, progress, european('2020-12-17'), ...done];
    }),
  ]);
  const reads: Reads<string> = ({ state, day }) =>
    state.startsWith('Completed') ? completed(day) : state.startsWith('Incomplete') ? '45' : undefined;
  return systemOf(rows, reads, { name: 'TalentLMS', file: { name: 'talentlms.csv', text }, answers: {} });
}

/** Excel's number of a day. */
const serialOf = (day: string): number => Math.round(Date.parse(day) / 86_400_000) + 25_569;

/** Two sheets with a title and a sum, addresses of a former domain, dates as texts and as Excel has them. */
function germanWorkbook(): System {
  const rows = rowsOf(3, ['bestanden', 'teilgenommen', 'bestanden', 'offen', 'nicht bestanden', 'befreit', 'krank']);
  const header = ['Mitarbeiter', 'E-Mail', 'Schulung', 'Status', 'abgeschlossen am'];
  const isDated = (state: string): boolean => /bestanden|teilgenommen/.test(state);
  const cell = (line: number, { state, day, index }: Row<string>): string => {
    if (!isDated(state)) return '';
    const place = `${columnName(4)}${line}`;
    if (index % 2 === 0) return `<c r="${place}" s="1"><v>${serialOf(day)}</v></c>`;
    const german = day.split('-').toReversed().join('.');
    return `<c r="${place}" t="inlineStr"><is><t>${german}</t></is></c>`;
  };
  const sheetOf = (year: string, part: readonly Row<string>[]): string => {
    const title = textRow(1, [`Schulungsnachweis ${year}`]) + textRow(3, header);
    const lines = part.map((row, position) => {
      const { who, course, state } = row;
      const line = position + 4;
      const email = row.index % PER_FILE < 3 ? who.email.replace('acme.test', 'acme.de') : who.email;
      const texts = textRow(line, [`${who.first} ${who.last}`, email, course.title, state]);
      return texts.replace('</row>', `${cell(line, row)}</row>`);
    });
    const sum = textRow(part.length + 4, ['Summe', '', '', String(part.length)]);
    return title + lines.join('') + sum;
  };
  const half = rows.length / 2;
  const text = workbookOf({
    sheets: { '2023': sheetOf('2023', rows.slice(0, half)), '2024': sheetOf('2024', rows.slice(half)) },
    formats: ['dd.mm.yyyy'],
  });
  const reads: Reads<string> = ({ state, day, course }) => {
    if (state === 'teilgenommen') return completed(day);
    if (state === 'bestanden') return course.has_exam ? certified(day) : completed(day);
    return state === 'nicht bestanden' ? '0' : undefined;
  };
  const sums = 2;
  return systemOf(rows, reads, {
    name: 'German workbook',
    others: sums,
    file: { name: 'nachweis.xlsx', text },
    answers: {
      teilgenommen: 'Completed on abgeschlossen am',
      offen: 'Leave out',
      befreit: 'Leave out',
      krank: 'Leave out',
    },
  });
}

const TYPO = 3;

/** A status beside a percentage, useless columns, mistyped addresses, a leaver, and a cell that is no date. */
function cornerstone(): System {
  const rows = rowsOf(4, ['Completed', 'Completed', 'Completed', 'In Progress', 'Registered', 'Failed', 'Completed']);
  const us = (day: string): string => {
    const [year, month, date] = day.split('-').map(Number);
    return `${month}/${date}/${year}`;
  };
  const isBad = ({ index }: Row<string>): boolean => index === 9;
  const text = csvOf([
    ['User Full Name', 'Email', 'Training Title', 'Training Type', 'Transcript Status', 'Progress %'].concat([
      'Assigned Date',
      'Completed Date',
      'Added By',
      'Training Hours',
    ]),
    ...rows.map((row) => {
      const { who, course, state, day, index } = row;
      const email = index % PER_FILE === TYPO ? who.email.replace('acme.test', 'acme.tset') : who.email;
      const percent = state === 'Completed' ? '100' : state === 'In Progress' ? String(10 + (index % 8) * 10) : '0';
      const date = state === 'Completed' || state === 'Failed' ? us(day) : '';
      return [`${who.first} ${who.last}`, email, course.title, ['Online Class', 'Session'][index % 2] ?? '', state]
        .concat([percent, us('2020-12-17'), isBad(row) ? '13/45/2022' : date])
        .concat([['Admin', 'Manager', 'Self'][index % 3] ?? '', ['1', '2', '4', '8'][index % 4] ?? '']);
    }),
  ]);
  const reads: Reads<string> = (row) => {
    const { who, state, day, index } = row;
    if (who.email === LEAVER.email || isBad(row)) return undefined;
    if (state === 'Completed') return completed(day);
    if (state === 'Failed') return '0';
    return state === 'In Progress' ? String(10 + (index % 8) * 10) : undefined;
  };
  return systemOf(rows, reads, {
    name: 'Cornerstone',
    file: { name: 'cornerstone.csv', text },
    answers: {},
  });
}

export const MOODLE = moodle();
export const FIVE: readonly System[] = [MOODLE, successFactors(), talentLms(), germanWorkbook(), cornerstone()];

/** What the platform has of these people: percentage, day, `C` for a certificate. */
export async function storedOf(client: MigrationClient, emails: Iterable<string>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const email of emails)
    for await (const { platform_course_id, effective } of client.learnerCourses({ email })) {
      const { completion_pct, completed_at, approved_course } = effective;
      const parts = [completion_pct, completed_at?.slice(0, 10), approved_course === 1 ? 'C' : undefined];
      found[`${email} ${platform_course_id}`] = parts.filter((part) => part !== undefined).join(' ');
    }
  return found;
}
