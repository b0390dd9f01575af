/**
 * A fuzzer with a clock: random texts as cells, headers, dates of mappings, members and keys of JSON and texts of workbooks, short
 * and four times as long. Work that grows faster than its text is found. Costs ten seconds, and with AT_LENGTH half an hour.
 */
import { describe, expect, it } from 'vitest';
import { findKinds } from '../../../bin/importer/engine/decide/find.ts';
import { EngineError } from '../../../bin/importer/engine/ground/errors.ts';
import { checkedMapping } from '../../../bin/importer/engine/language/check.ts';
import { openSource } from '../../../bin/importer/engine/read/open-source.ts';
import { cases, FIRST_SEED } from '../../kit/at-length.ts';
import { Dice } from '../../kit/dice.ts';
import { archiveOf, escaped, textRow, workbookParts } from '../command/support/workbook.ts';

const CHARACTERS = Array.from('aAé0 \t"\'[](){}<-.%_\\/:;@+~\u0301ß完');
const WORDS = [
  'a ',
  'a-',
  '1.',
  'H ',
  '.a',
  '@a',
  '/1',
  '[H',
  '2020-',
  'date ',
  'score ',
  'of ',
  'training ',
  'passing ',
];
const PIECES = CHARACTERS.concat(WORDS);
const SHORT = 12_000;
/** A workbook has each text in four places. */
const SHORT_IN_WORKBOOKS = 3000;
const TIMES = 4;

/** A beginning, a piece over and over, and an end: what an expression backtracks on. */
function textsOf(dice: Dice, characters: number): readonly [short: string, long: string] {
  const [start, filling, more, end] = [
    dice.pick(['', ...PIECES]),
    dice.pick(PIECES),
    dice.pick(['', '', ...PIECES]),
    dice.pick(['', ...PIECES]),
  ];
  const piece = filling + more;
  const of = (length: number): string => start + piece.repeat(length / piece.length) + end + dice.pick(['!']);
  return [of(characters), of(characters * TIMES)];
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const ROW = 'p@acme.test,C-1,Completed,2024-01-02';
const csv = (header: string, cell: string): File =>
  new File(
    [`Email,Course,Status,Completed on,${quoted(header)}\n${ROW},${quoted(cell)}\n${ROW},${quoted(cell)}\n`],
    'a.csv',
  );
const read = async (file: File): Promise<unknown> => findKinds([await openSource(file)]);
const row = { Email: 'p@acme.test', Course: 'C-1', Status: 'Completed' };

/** The text as a cell, a shared text, a format of numbers and the name of a sheet, in parts that are not packed. */
function workbookWith(text: string): File {
  const shared = `<c r="D2" t="s"><v>0</v></c><c r="E2" s="1"><v>45000.5</v></c>`;
  const rows = [
    textRow(1, ['Email', 'Course', 'Status', 'Remark', 'Completed on']),
    textRow(2, ['p@acme.test', 'C-1', text]).replace('</row>', `${shared}</row>`),
  ];
  const own = workbookParts({
    sheets: { [text]: rows.join('') },
    shared: `<si><t>${escaped(text)}</t></si>`,
    formats: [text],
  });
  return new File([new Uint8Array(archiveOf(own, { isStored: true }))], 'a.xlsx');
}

type Run = (text: string) => unknown;

const INPUTS: Readonly<Record<string, Run>> = {
  cells: (text) => read(csv('Remark', text)),
  states: (text) =>
    read(new File([`Email,Course,Status\np@acme.test,C-1,${quoted(text)}\nq@acme.test,C-1,Completed\n`], 'a.csv')),
  headers: (text) => read(csv(text, 'x')),
  'headers of dates': (text) => read(csv(text, '2024-01-03')),
  mappings: (text) => checkedMapping('a.json', { record: { 'progress.completed_at': { column: 'a', dates: text } } }),
  'values of JSON': (text) => read(new File([JSON.stringify([{ ...row, Remark: text }, row])], 'a.json')),
  'keys of JSON': (text) => read(new File([JSON.stringify([{ ...row, [text]: 'x' }, row])], 'a.json')),
  workbooks: (text) => read(workbookWith(text)),
};

async function cost(run: Run, text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await run(text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Less is too little to say how it grows. */
const leastMsOf = (long: string): number => long.length / 480;
/** Four times the text costs four times as much; the square of it sixteen times. */
const MOST_GROWTH = 9;

/** Other work on the machine makes some runs dearer: the cheapest counts. */
async function least(run: Run, text: string, times: number): Promise<number> {
  const costs: number[] = [];
  for (let at = 0; at < times; at += 1) costs.push(await cost(run, text));
  return Math.min(...costs);
}

async function growthOf(run: Run, [short, long]: readonly [string, string], times: number): Promise<number> {
  const large = await least(run, long, times);
  return large < leastMsOf(long) ? 1 : large / Math.max(1, await least(run, short, times));
}

/** What seems to grow too fast is measured again. */
async function growsTooFast(run: Run, texts: readonly [string, string]) {
  const first = await cost(run, texts[1]);
  if (first < leastMsOf(texts[1])) return { first, growth: undefined };
  const isSuspect = (await growthOf(run, texts, 2)) > MOST_GROWTH;
  const growth = isSuspect ? await growthOf(run, texts, 6) : 1;
  return { first, growth: growth > MOST_GROWTH ? growth : undefined };
}

describe.each(Object.entries(INPUTS))('%s', (name, run) => {
  it(`${name}: four times as long a text costs about four times as much`, async () => {
    const dice = new Dice(FIRST_SEED, name.length);
    const characters = name === 'workbooks' ? SHORT_IN_WORKBOOKS : SHORT;
    const slow: unknown[] = [];
    const count = cases(10_000, 25);
    let most = 0;
    for (let at = 0; at < count; at += 1) {
      const texts = textsOf(dice, characters);
      const { first, growth } = await growsTooFast(run, texts);
      most = Math.max(most, first);
      if (growth !== undefined)
        slow.push([texts[0].slice(0, 6), texts[0].slice(-4), Math.round(growth), Math.round(first)]);
    }
    const mebibytes = Math.round(process.memoryUsage().heapUsed / 2 ** 20);
    process.stdout.write(`${name}: ${count} texts, the dearest ${Math.round(most)} ms, heap ${mebibytes} MiB\n`);
    expect(slow).toEqual([]);
  }, 3_600_000);
});

describe('the fuzzer finds', () => {
  const QUADRATIC = /a+b$/;
  it('an expression whose work is the square of its text', async () => {
    const text = (length: number): string => 'a'.repeat(length);
    const { growth } = await growsTooFast((each) => QUADRATIC.test(each), [text(3000), text(12_000)]);
    expect(growth).toBeGreaterThan(MOST_GROWTH);
  });

  it('a list that has no bound', async () => {
    const run = (each: string) => Array.from(each, (_, at) => each.slice(0, at).split('')).length;
    const { growth } = await growsTooFast(run, ['a'.repeat(1000), 'a'.repeat(4000)]);
    expect(growth).toBeGreaterThan(MOST_GROWTH);
  });
});
