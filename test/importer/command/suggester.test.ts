/** Programs that suggest: each is a real process. Costs a second. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initMapping } from '../../../bin/importer/command/commands/init-mapping.ts';
import { withSuggestionsOf } from '../../../bin/importer/command/suggester.ts';
import { findKinds } from '../../../bin/importer/engine/decide/find.ts';
import { openSourceFile } from '../../../bin/importer/command/files/records.ts';
import { fileOf, freshFolder } from './support/files.ts';
import { recordedOutput } from './support/output.ts';

/** A language that no lexicon has. */
const CSV =
  'Netfang,Verkefni,Staða,Dagur\na@x.test,SEC,Lokið,2024-01-02\nb@x.test,SEC,Lokið,2024-03-14\nc@x.test,SEC,Hætt,\n';

/** Ten lines: reads the kinds, and says of each the first outcome that it may have, but for the word it knows. */
const program = (body: string): string => {
  const path = join(freshFolder(), 'suggest.mjs');
  writeFileSync(
    path,
    `let text = '';\nfor await (const piece of process.stdin) text += piece;\nconst input = JSON.parse(text);\n${body}\n`,
  );
  return `"${process.execPath}" "${path}"`;
};

const GOOD = program(`const kinds = input.kinds.map(({ kind, values, outcomes }) => {
  const isDone = Object.values(values).includes('lokið') || Object.values(values).includes('Lokið');
  const found = outcomes.find(({ outcome, date }) => outcome === (isDone ? 'completed' : 'leave_out') && (!isDone || date === 'Dagur'));
  return { kind, ...found, because: isDone ? 'lokið is finished' : 'hætt is stopped' };
});
console.log(JSON.stringify({ kinds }));`);

const found = async () => findKinds([await openSourceFile(fileOf(CSV))]);

describe('a program that suggests', () => {
  it('says what each kind becomes, and why, and confirms nothing', async () => {
    const { kinds } = await withSuggestionsOf(GOOD, await found());
    expect(
      kinds.map(({ outcome, date, confirmed, reason }) => ({ outcome, date, confirmed, code: reason?.code })),
    ).toEqual([
      { outcome: 'completed', date: 'Dagur', confirmed: false, code: 'proposed_by' },
      { outcome: 'leave_out', date: null, confirmed: false, code: 'proposed_by' },
    ]);
  });

  it('leaves the mapping without a confirmed kind, because no person has seen it', async () => {
    const file = fileOf(CSV);
    expect(await initMapping([file], { suggestWith: GOOD }, recordedOutput())).toBe(2);
    const mapping = JSON.parse(readFileSync(file.replace(/\.csv$/, '.mapping.json'), 'utf8')) as { kinds: object };
    expect(mapping.kinds).toMatchObject({ confirmed: [] });
  });

  it.each([
    [
      'names a kind that is not there',
      `console.log('{"kinds":[{"kind":"nobody","outcome":"leave_out","because":"x"}]}')`,
      'proposal_of_no_kind',
    ],
    [
      'names a column that is not there',
      `console.log(JSON.stringify({ kinds: [{ kind: input.kinds[0].kind, outcome: 'completed', date: 'Nowhere', because: 'x' }] }))`,
      'proposal_impossible',
    ],
    [
      'confirms what it suggests',
      `console.log(JSON.stringify({ kinds: [{ kind: input.kinds[0].kind, outcome: 'leave_out', because: 'x', confirmed: true }] }))`,
      'proposals_unreadable',
    ],
    [
      'gives no reason',
      `console.log(JSON.stringify({ kinds: [{ kind: input.kinds[0].kind, outcome: 'leave_out' }] }))`,
      'proposals_unreadable',
    ],
  ])('is refused whole if it %s', async (_, body, code) => {
    await expect(withSuggestionsOf(program(body), await found())).rejects.toMatchObject({ said: { code } });
  });

  it.each([
    ['does not end', 'setInterval(() => {}, 1000);', /did not end within 0\.3 s/, { milliseconds: 300, bytes: 1000 }],
    [
      'writes without end',
      `for (;;) process.stdout.write('x'.repeat(500));`,
      /more than 1000 bytes/,
      { milliseconds: 30_000, bytes: 1000 },
    ],
    ['fails', 'process.exit(3);', /ended with 3/, undefined],
    ['writes no JSON', `console.log('klar');`, /no JSON/, undefined],
  ])('is refused by name if it %s', async (_, body, message, limits) => {
    await expect(withSuggestionsOf(program(body), await found(), limits)).rejects.toThrow(message);
  });
});
