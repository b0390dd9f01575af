/** Which columns name learner and course: what the platform knows of their texts, and where that is no answer, their headers. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const IDS = new Set(['1', '7', '12', '23', '40']);

async function identitiesIn(csv: string, isLoggedIn = true) {
  const platform = {
    courseOf: (text: string) => (IDS.has(text) || /\p{L}/u.test(text) ? 1 : undefined),
    knownLearners: async (texts: readonly string[]) =>
      new Set(texts.map((text) => text.toLowerCase()).filter((text) => IDS.has(text))),
  };
  const options = isLoggedIn ? { platform } : {};
  return findKinds([await openSource(new File([csv], 'history.csv'))], options);
}

const learnerIn = async (csv: string) => (await identitiesIn(csv)).learner;

const learnerOf = async (csv: string): Promise<string | null> => (await learnerIn(csv)).column;

const rows = [...IDS].map((id, index) => `${id},Fire Safety,Completed,2024-01-${10 + index},${index + 1}`).join('\n');

it('ids of one or two digits are those of learners, where the header names learners and the platform knows them', async () => {
  expect(await learnerOf(`Employee ref,Course,Status,Completed on,Hours\n${rows}`)).toBe('Employee ref');
});

it('numbers under another header name nobody', async () => {
  expect(await learnerOf(`Seat,Course,Status,Completed on,Hours\n${rows}`)).toBeNull();
});

it('of short ids that rows repeat, a person says whether they are those of learners, where no header does', async () => {
  const repeated = rows
    .replace('40,', '7,')
    .split('\n')
    .map((row, index) => `${index + 1},${row}`)
    .join('\n');
  expect(await learnerIn(`record_id,badge_id,Course,Status,Completed on,Hours\n${repeated}`)).toMatchObject({
    column: 'badge_id',
    isUndecided: true,
  });
});

/** The header of an export, and texts that are ids of learners and of courses. */
const overlapping = (header: string): string =>
  [header, '9,1,7,12', '8,7,7,40', '6,1,12,12', '5,12,1,7']
    .map((row) => `${row},Completed,2024-01-10`)
    .join('\n')
    .replace('Completed,2024-01-10', 'Status,Completed on');

it.each([
  // public exports: a bootcamp's database, and a university's
  { header: 'inscription_id,apprenant_id,formation_id,lot', learner: 'apprenant_id', course: 'formation_id' },
  { header: 'id_inscripcion,id_estudiante,id_asignatura,lote', learner: 'id_estudiante', course: 'id_asignatura' },
  { header: 'id,studentId,courseId,lastLessonId', learner: 'studentId', course: 'courseId' },
  { header: 'Nr,Teilnehmer-Nr.,Kurs-Nr.,Lauf', learner: 'Teilnehmer-Nr.', course: 'Kurs-Nr.' },
])('of numbers that are ids of both, the header settles it: $header', async ({ header, learner, course }) => {
  for (const isLoggedIn of [true, false])
    expect(await identitiesIn(overlapping(header), isLoggedIn)).toMatchObject({
      learner: { column: learner, isUndecided: false },
      course: { column: course, isUndecided: false },
    });
});

it('names are the ids of learners only where the platform knows them and nothing else', async () => {
  const table =
    'Employee Name,Manager,Code,Course,Status\nAnn Lee,Rob,AB1,Welcome,Completed\nBen Lee,Rob,AB2,Welcome,Pending';
  expect(await learnerOf(table)).toBeNull();
  for (const name of ['ann lee', 'ben lee', 'rob']) IDS.add(name);
  expect(await learnerIn(table)).toMatchObject({ column: 'Employee Name', found: 2, isUndecided: false });
  for (const code of ['ab1', 'ab2']) IDS.add(code);
  expect(await learnerIn(table)).toMatchObject({ column: 'Code', isUndecided: false });
});

it('beside names, a person says whether the rows are those of another person', async () => {
  const table =
    'Participant,Manager Email,Course,Status\nAnn,rob@x.test,Welcome,Completed\nBen,rob@x.test,Welcome,Pending';
  expect(await learnerIn(table)).toMatchObject({ column: 'Manager Email', isUndecided: true });
  const alone = table.replace('Participant', 'Seat').replace('Manager Email', 'Owner');
  expect(await learnerIn(alone)).toMatchObject({ column: 'Owner', isUndecided: false });
});

it('ids with capital letters are compared in any case with those that the platform returns', async () => {
  const csv = ['Member,Course,Status', ...['E2000', 'e2014', 'E2021'].map((id) => `${id},Fire Safety,Completed`)];
  const found = async (knownLearners: (texts: readonly string[]) => ReadonlySet<string>) =>
    findKinds([await openSource(new File([csv.join('\n')], 'history.csv'))], {
      platform: { courseOf: () => 1, knownLearners: async (texts) => knownLearners(texts) },
    });
  for (const asReturned of [(text: string) => text, (text: string) => text.toLowerCase()])
    expect((await found((texts) => new Set(texts.map(asReturned)))).learner).toMatchObject({
      column: 'Member',
      found: 3,
      isUndecided: false,
    });
});

/** What is found where the platform knows these learners, and as a course any text that begins so. */
const foundIn = async (csv: string, learners: readonly string[]) => {
  const known = new Set(learners.map((text) => text.toLowerCase()));
  return findKinds([await openSource(new File([csv], 'history.csv'))], {
    platform: {
      courseOf: (text) => (text.startsWith('Course') ? 1 : undefined),
      knownLearners: async (texts) =>
        new Set(texts.map((text) => text.toLowerCase()).filter((text) => known.has(text))),
    },
  });
};

const NAMES = ['Ann Lee', 'Ben Roy', 'Cleo Fox', 'Dan Day'];
const withNames = (header: string, row: (name: string, index: number) => string): string =>
  [header, ...NAMES.map(row)].join('\n');

it.each(['User.Full Name', 'Nome', 'Сотрудники', 'Seat'])(
  'under any header, texts that the platform knows are those of learners: %s',
  async (header) => {
    const csv = withNames(`${header},Title,Status`, (name, index) => `${name},Course ${index},Completed`);
    expect(await foundIn(csv, NAMES)).toMatchObject({ learner: { column: header, found: 4, isUndecided: false } });
    expect(await foundIn(csv.replace('Dan Day', 'Dan Ray'), NAMES)).toMatchObject({
      learner: header === 'User.Full Name' ? { column: header, isUndecided: false } : { column: null },
    });
  },
);

it('the file of a header that is itself a learner has no header', async () => {
  const csv = withNames('Eve Ash,Course 0,Completed', (name, index) => `${name},Course ${index},Completed`);
  expect((await foundIn(csv, [...NAMES, 'Eve Ash'])).learner).toMatchObject({ column: null, isUndecided: true });
});

it.each([
  {
    what: 'more names',
    header: 'Töötaja',
    cell: (index: number) => ['Eve Ash', 'Flo Orr', 'Gus Elm', 'Hal May'][index],
  },
  { what: 'a header of names', header: 'Last name', cell: () => 'Ash' },
  { what: 'addresses', header: 'Contact', cell: (index: number) => `a${index}@x.test` },
  { what: 'ids', header: 'Employee ID', cell: (index: number) => `E-${index}` },
])(
  'beside $what that the platform does not know, a person says whose names the others are',
  async ({ header, cell }) => {
    const csv = withNames(`Juht,${header},Title,Status`, (_, index) =>
      [NAMES[Math.min(index, 2)], cell(index), `Course ${'ABCD'[index]}`, 'Completed'].join(),
    );
    expect((await foundIn(csv, NAMES)).learner).toMatchObject({ column: 'Juht', isUndecided: true });
    const ofCourses = csv.replaceAll(/^[^,]*,[^,]*,/gm, (text) => `${text.split(',')[0]},`);
    expect((await foundIn(ofCourses, NAMES)).learner).toMatchObject({ column: 'Juht', isUndecided: false });
  },
);

it('managers whom the platform knows are no learners', async () => {
  const csv = withNames('Manager,Code,Title,Status', (name, index) => `${name},${index},Course ${index},Completed`);
  expect((await foundIn(csv, NAMES)).learner.column).toBeNull();
});

it('logins are the addresses beside them, but for those that nobody knows', async () => {
  const addresses = NAMES.map((name) => `${name.split(' ')[0]}@x.test`);
  const csv = withNames('Email,Username,Title,Status', (_, index) =>
    [addresses[index], index === 2 ? 'cleo' : addresses[index], `Course ${index}`, 'Completed'].join(),
  );
  expect((await foundIn(csv, addresses)).learner).toMatchObject({ column: 'Email', found: 4, isUndecided: false });
  // Another learner of the platform in one row: whose rows they are is open.
  expect((await foundIn(csv, [...addresses, 'cleo'])).learner).toMatchObject({ isUndecided: true });
});

it('a title that many rows have not is that of a learner at work, in the first row or below', async () => {
  const csv = (titles: readonly string[]): string =>
    ['Email,Title,Completed', ...titles.map((title, index) => `a${index}@x.test,${title},TRUE`)].join('\n');
  for (const titles of [
    ['', 'Chief', '', ''],
    ['', '', '', 'Chief'],
  ])
    expect(await foundIn(csv(titles), [])).toMatchObject({ course: { column: null }, shape: [], isShapeOpen: false });
  expect(await foundIn(csv(['Chief', '', '', '']), [])).toMatchObject({
    course: { column: 'Title' },
    isShapeOpen: true,
  });
  expect(await foundIn(csv(['Chief', 'Clerk', 'Chief', '']), [])).toMatchObject({ course: { column: 'Title' } });
});

// a public list of the projects that were submitted for a course
it('short ids under a header of keys are suggested where rows repeat them, however many there are', async () => {
  const csv = (repeated: string): string =>
    [
      'creation_date,account_key,Title,Status',
      ...Array.from({ length: 400 }, (_, index) => `2024-01-10,${index},Course A,Completed`),
      `2024-01-10,${repeated},Course B,Completed`,
    ].join('\n');
  const ids = Array.from({ length: 400 }, (_, index) => String(index));
  expect((await foundIn(csv('7'), ids)).learner).toMatchObject({ column: 'account_key', isUndecided: true });
  // As the number of the row would be.
  expect((await foundIn(csv('401'), ids)).learner.column).toBeNull();
});

it.each([
  { header: 'Operative ID,Operative Name', isUndecided: false },
  { header: 'Assessor Ref ID,Operative Name', isUndecided: true },
  { header: 'Operative ID,Operative Name,Employee Name', isUndecided: true },
  { header: 'Site ID,Site Code', isUndecided: true },
])('short ids that the platform knows, all of them, are of the persons named beside them: $header', async (each) => {
  const ids = ['6022', '6025', '6031'];
  const rows = [...ids, '6022'].map((id, index) => `${id},Ann,Ben,Course ${index},Completed`);
  const width = each.header.split(',').length;
  const csv = [
    `${each.header},Title,Status`,
    ...rows.map((row) =>
      row
        .split(',')
        .toSpliced(width, 3 - width)
        .join(),
    ),
  ];
  const found = async (known: readonly string[]) => (await foundIn(csv.join('\n'), known)).learner;
  expect(await found(ids)).toMatchObject({ column: each.header.split(',')[0], isUndecided: each.isUndecided });
  expect(await found(ids.slice(1))).toMatchObject({ isUndecided: true });
});

it('where no column names learners, a person chooses among names and ids, or else among texts', async () => {
  const offeredIn = async (header: string) => {
    const csv = withNames(`${header},Title,Status`, (name, index) => `${index + 1},${name},Course A,Completed`);
    const { column, others } = (await foundIn(csv, ['1', '2', '3', '4'])).learner;
    return { column, others: others.map(({ column: name, found, of }) => `${name} ${found}/${of}`) };
  };
  expect(await offeredIn('ID,Colaborador')).toEqual({ column: null, others: ['ID 4/4', 'Colaborador 0/4'] });
  expect(await offeredIn('Seat,Töötaja')).toEqual({ column: null, others: ['Töötaja 0/4'] });
});
