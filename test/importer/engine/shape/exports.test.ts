/** What becomes of exports as systems write them: right, asked about, or refused with the next step. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { drafted } from './drafted.ts';
import { bytesOf, EXPORTS } from './exports.ts';

const draftOf = (each: (typeof EXPORTS)[number]) => drafted(Uint8Array.from(bytesOf(each)), undefined, each.file);

describe('exports of systems', () => {
  it.each(EXPORTS.filter(({ refused }) => refused === undefined))('the draft reads $name', async (each) => {
    const { records, guesses, doubts } = await draftOf(each);
    expect(records).toEqual(each.records);
    expect(guesses).toHaveLength(each.asks === undefined ? 0 : 1);
    expect(guesses.join('\n')).toMatch(each.asks ?? '');
    expect(doubts.join('\n')).toMatch(each.says ?? '');
  });

  it.each(EXPORTS.filter(({ refused }) => refused !== undefined))('no mapping is drafted for $name', async (each) => {
    await expect(draftOf(each)).rejects.toThrow(each.refused);
  });
});

describe('matrix', () => {
  const CSV =
    'Email,Fire Safety,Fire Safety Expiry,GDPR,Manager training\na@x.test,2024-01-02,2025-01-02,2024-02-03,2024-03-04\nb@x.test,,,2023-11-30,\n';

  it('days below the titles of courses of the catalog are asked about, and other days are named', async () => {
    const { records, guesses, doubts } = await drafted(CSV, (title) => title === 'Fire Safety' || title === 'GDPR');
    expect(guesses).toEqual([expect.stringMatching(/^2 columns like "Fire Safety" are read as courses.*completed on/)]);
    expect(records).toEqual([
      'a@x.test Fire Safety 100 % 2024-01-02',
      'a@x.test GDPR 100 % 2024-02-03',
      'b@x.test GDPR 100 % 2023-11-30',
    ]);
    expect(doubts.filter((doubt) => doubt.includes('not read as a course'))).toEqual([
      expect.stringContaining('"Fire Safety Expiry"'),
      expect.stringContaining('"Manager training"'),
    ]);
  });

  it('a column whose header is about the learner is named if its cells are those of courses', async () => {
    const { doubts } = await drafted(
      'Email,Security,Welcome,Manager basics\na@x.test,Completed,In progress,Completed\nb@x.test,Not started,Completed,Not started\n',
    );
    expect(doubts).toContainEqual(expect.stringContaining('"Manager basics" is not read as a course'));
  });

  it('a table of more than a thousand columns has no courses side by side, and the draft stays short', async () => {
    const names = Array.from(
      { length: 1200 },
      (_, index) => `Topic ${String.fromCodePoint(97 + (index % 26))}${index}x`,
    );
    const row = (who: string, text: (index: number) => string) =>
      [who, ...names.map((_, index) => text(index))].join(',');
    const csv = [
      ['Email', ...names].join(','),
      row('a@x.test', (index) => (index % 2 === 0 ? '2024-01-02' : 'In progress')),
      row('b@x.test', (index) => (index % 2 === 0 ? '' : 'Completed')),
    ].join('\n');
    const { mapping, doubts } = await drafted(csv);
    expect(mapping.repeat).toBeUndefined();
    expect(doubts.length).toBeLessThan(30);
  });
});
