/** Registers of certificates: each row is one, and the day on which it was issued certifies its course. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const ROWS = Array.from({ length: 12 }, (_, index) => index);

/** What is suggested for rows of a learner, a course and a day each. @param more further columns by their header */
async function suggested(course: string, day: string, more: Readonly<Record<string, (index: number) => string>> = {}) {
  const lines = ROWS.map((index) => {
    const cells = Object.values(more).map((cellOf) => cellOf(index));
    return [`p${index}@acme.test`, `Course ${index % 3}`, `2025-03-${String(index + 10)}`, ...cells].join();
  });
  const csv = [['Email', course, day, ...Object.keys(more)].join(), ...lines].join('\n');
  const platform = {
    courseOf: (text: string) => (text.startsWith('Course ') ? Number(text.slice(7)) : undefined),
    knownLearners: async (texts: readonly string[]) => new Set(texts),
  };
  const source = await openSource(new File([csv], 'a.csv'), { now: Date.parse('2026-11-27') });
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
