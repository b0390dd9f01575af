/** Columns of certificates that say no state: their numbers, their links, who issued them; and roles, of which a person is asked. Milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const ROWS = Array.from({ length: 12 }, (_, index) => index);

/** What is suggested for certificates of three courses, by the words of a further column. */
async function suggested(header: string, cellOf: (index: number) => string) {
  const lines = ROWS.map((index) =>
    [`p${index}@acme.test`, `Course ${index % 3}`, `2025-03-${index + 10}`, cellOf(index)].join(),
  );
  const csv = [`Email,Certification,Issued at,${header}`, ...lines].join('\n');
  const { kinds } = await findKinds([await openSource(new File([csv], 'a.csv'), { now: Date.parse('2026-11-27') })]);
  return kinds.map(({ outcome, date, values: { [header]: text = '' } }) => [text, outcome, date]);
}

const CERTIFIED = [['', 'certified', 'Issued at']];

it.each([
  ['Certificate Number', (index: number) => `152912${index % 4}-10158435`],
  ['Certificate URL', (index: number) => `https://certificates.example/folders/${index % 4}?usp=link`],
  ['Issuer', (index: number) => (index < 6 ? 'Example Web Services' : 'Example Software')],
  ['Awarding Body', (index: number) => (index < 6 ? 'Example Web Services' : 'Example Software')],
])('%s says no state', async (header, cellOf) => {
  expect(await suggested(header, cellOf)).toEqual(CERTIFIED);
});

it.each([
  [
    'Certificate status',
    (index: number) => (index < 6 ? 'https://acme.test/verbs/zorbled' : 'https://acme.test/verbs/frobnicated'),
  ],
  ['Certificate status', (index: number) => (index < 6 ? 'Frobnicated' : 'Zorbled')],
  ['Certified', (index: number) => (index < 6 ? '12345' : 'Zorbled')],
])('unknown words of %s are asked about', async (header, cellOf) => {
  for (const [, outcome] of await suggested(header, cellOf)) expect(outcome).toBe(null);
});

it.each([
  ['tipo', 'Participante', 'Organizador'],
  ['Condición', 'Asistente', 'Ponente'],
  ['Role', 'Participant', 'Speaker'],
  ['Rolle', 'Teilnehmerin', 'Referentin'],
])('%s: %s has taken part, and a person says whether %s has', async (header, participant, other) => {
  const kinds = await suggested(header, (index) => (index % 4 === 3 ? other : participant));
  expect(kinds).toEqual([
    [participant, 'certified', 'Issued at'],
    [other, null, null],
  ]);
});

it('roles without a participant say nothing', async () => {
  expect(await suggested('Role', (index) => (index < 6 ? 'Welder' : 'Driver'))).toEqual(CERTIFIED);
});
