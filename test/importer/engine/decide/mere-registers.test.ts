/** Registers of certificates: each row is one, and the day on which it was issued certifies its course. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const ROWS = Array.from({ length: 12 }, (_, index) => index);

type More = Readonly<Record<string, (index: number) => string>>;

/** What is suggested for rows of a learner, a course and a day each. @param more further columns by their header */
async function suggested(course: string, day: string, more: More = {}, file = 'a.csv') {
  const lines = ROWS.map((index) => {
    const cells = Object.values(more).map((cellOf) => cellOf(index));
    return [`p${index}@acme.test`, `Course ${index % 3}`, `2025-03-${String(index + 10)}`, ...cells].join();
  });
  const csv = [['Email', course, day, ...Object.keys(more)].join(), ...lines].join('\n');
  const platform = {
    courseOf: (text: string) => (text.startsWith('Course ') ? Number(text.slice(7)) : undefined),
    knownLearners: async (texts: readonly string[]) => new Set(texts),
  };
  const source = await openSource(new File([csv], file), { now: Date.parse('2026-11-27') });
  const { kinds } = await findKinds([source], { platform });
  return kinds.map(({ outcome, date }) => [outcome, date]);
}

const number = (index: number): string => `AT-2025-00${index + 10}`;
const always = (text: string) => (): string => text;

it.each([
  ['Certificaat', 'Datum behaald', {}],
  ['Habilitation', 'Date de délivrance', {}],
  ['Licence / ticket', 'Date obtained', {}],
  ['Certyfikat', 'Data wydania', {}],
  ['資格', '取得日', {}],
  ['Corso', 'Data rilascio', { 'N. attestato': number }],
  ['Course', 'Date obtained', { 'Certificate No.': number }],
  ['Formation', "Date d'obtention", { 'N° de titre': number, Statut: always('Valide') }],
])('%s, %s: each row is a certificate', async (course, day, more) => {
  expect(await suggested(course, day, more)).toEqual([['certified', day]]);
});

it.each([
  ['what is issued is no certificate', 'Corso', {}],
  ['some rows have no number', 'Corso', { 'N. attestato': (index: number) => (index < 6 ? number(index) : '') }],
  ['a number that many share is that of a type', 'Corso', { 'N. attestato': (index: number) => `AT-${index % 2}` }],
  ['there are two such days', 'Attestato', { 'Data ottenuto': always('2025-03-09') }],
  ['a word is unknown', 'Attestato', { Stato: (index: number) => (index % 2 === 0 ? 'Zorbled' : 'Frobnicated') }],
])('where %s, a person says what the day is', async (_, course, more) => {
  for (const [outcome] of await suggested(course, 'Data rilascio', more)) expect(outcome).toBe(null);
});

it('a day of completion counts before that of the certificate', async () => {
  const more = { 'Certificate No.': number, 'Completion date': always('2025-03-09'), Status: always('Completed') };
  expect(await suggested('Course', 'Date obtained', more)).toEqual([['completed', 'Completion date']]);
});

it('a failed exam is no certificate', async () => {
  const kinds = await suggested('Certificate', 'Date obtained', { Result: (i) => (i % 2 === 0 ? 'Passed' : 'Failed') });
  expect(kinds.map(([outcome]) => outcome)).toEqual(['certified', 'failed']);
});

it.each([
  ['certificates.csv', 'Date', {}],
  ['certificados_2025.csv', 'fecha', {}],
  ['Course certificates 03-2025.csv', 'Date', {}],
  ['certificados.csv', 'fecha', { estado: (i: number) => (i < 11 ? 'Vigente' : 'Anulado') }],
  ['certificates.csv', 'grantedOn', { expiry: always('2031-01-01'), created_at: always('2025-06-01') }],
  ['zertifikate.csv', 'Datum', { Status: (i: number) => (i < 11 ? 'Gültig' : 'Abgelaufen') }],
  ['a.csv', 'Date', { 'Certificate No.': number }],
  ['a.csv', 'Datum', { Zertifikatsnummer: number }],
  ['a.csv', 'Date', { 'Certificate No.': (i: number) => number(Math.max(i, 2)) }],
])('%s, %s: each row is a certificate by the name of the file or by numbers', async (file, day, more: More) => {
  expect((await suggested('Course', day, more, file))[0]).toEqual(['certified', day]);
});

it.each([
  ['certificate_requests.csv', {}],
  ['missing certificates.csv', {}],
  ['certificates-to-print.csv', {}],
  ['expired_certificates.csv', {}],
  ['Certificate course attendance.csv', {}],
  ['certification.csv', {}],
  ['certifications-booked.csv', {}],
  ['licenses.csv', {}],
  ['badges.csv', {}],
  ['issues.csv', {}],
  ['credentials.csv', {}],
  ['awards.csv', {}],
  ['2025.csv', {}],
  ['certificates.csv', { Stato: (index: number) => (index % 2 === 0 ? 'Zorbled' : 'Frobnicated') }],
  ['certificates.csv', { 'Exam day': always('2025-01-09') }],
  ['certificates.csv', { 'Registration confirmed': (index: number) => (index % 2 === 0 ? 'Yes' : 'No') }],
  ['certificates.csv', { Role: (index: number) => (index % 4 === 0 ? 'Speaker' : 'Listener') }],
  ['certificates.csv', { Department: (index: number) => (index % 2 === 0 ? 'Sales' : 'Research') }],
  ['a.csv', { 'Certificate No.': number, Tipo: (index: number) => (index % 4 === 0 ? 'Expositor' : 'Oyente') }],
  ['a.csv', { 'Licence No.': number }],
  ['a.csv', { 'Certificate No.': (index: number) => number(Math.max(index, 6)) }],
  ['a.csv', { 'Certificate state': (index: number) => `waiting ${Math.max(index, 2) + 10}` }],
  ['a.csv', { 'Certificate from': (index: number) => `30/13/20${Math.max(index, 2) + 10}` }],
  ['a.csv', { 'Badge number': number }],
  ['a.csv', { 'Certificate No.': (index: number) => (index < 6 ? number(index) : '') }],
])('%s with %j: a person says what a mere date is', async (file, more: More) => {
  for (const [outcome] of await suggested('Course', 'Date', more, file)) expect(outcome).toBe(null);
});

it.each([
  ['certificates.csv', { Tipo: (index: number) => (index % 4 === 0 ? 'Expositor' : 'Participante') }],
  ['a.csv', { 'Certificate No.': number, Role: (index: number) => (index % 4 === 0 ? 'Speaker' : 'Participant') }],
])(
  '%s with %j: who took part is certified on the mere date, and a person says who else is',
  async (file, more: More) => {
    expect(await suggested('Course', 'Date', more, file)).toEqual([
      ['certified', 'Date'],
      [null, null],
    ]);
  },
);

it.each([
  ['Due date', null],
  ['Expiry date', null],
  ['Start date', null],
  ['Enrolled on', null],
  ['Data szkolenia', null],
])('certificates with nothing but "%s" are asked about', async (day, outcome) => {
  for (const [found] of await suggested('Course', day, {}, 'certificates.csv')) expect(found).toBe(outcome);
});

it('a mere date of certificates that is to come is asked about', async () => {
  const more = { Date: (index: number) => `2027-03-${index + 10}` };
  expect(await suggested('Course', 'Registration date', more, 'certificates.csv')).toEqual([[null, null]]);
});

it('words say more than the name of the file', async () => {
  const more = { Status: (index: number) => (index % 2 === 0 ? 'Completed' : 'In progress') };
  const kinds = await suggested('Course', 'Date', more, 'certificates.csv');
  expect(kinds.map(([outcome]) => outcome)).not.toContain('certified');
});

const expired = (index: number): string => (index % 2 === 0 ? 'Valid' : 'Expired');
const until = { 'Valid until': always('2028-01-01') };

it('a certificate that has expired was earned on its day, where a column says until when it was valid', async () => {
  const more = { Status: expired, ...until };
  expect(await suggested('Certificate', 'Date obtained', more)).toEqual([
    ['certified', 'Date obtained'],
    ['certified', 'Date obtained'],
  ]);
});

it.each([
  ['no column says until when', 'Certificate', 'Date obtained', { Status: expired }],
  ['no row is a certificate', 'Course', 'Date obtained', { Status: expired, ...until }],
  ['the day is of no certificate', 'Certificate', 'Start date', { Status: expired, ...until }],
  ['the day is of a completion', 'Course', 'Completion date', { Status: expired, ...until }],
  ['the word says more', 'Certificate', 'Date obtained', { Status: always('Frobnicated'), ...until }],
])('where %s, a person says what an expired row is', async (_, course, day, more: More) => {
  expect((await suggested(course, day, more)).map(([outcome]) => outcome)).toContain(null);
});

it('a certificate that was revoked is asked about, whether or not it has expired', async () => {
  const more = { Status: (index: number) => (index % 2 === 0 ? 'Valid' : 'Expired (revoked)'), ...until };
  expect(await suggested('Certificate', 'Date obtained', more)).toContainEqual([null, null]);
});
