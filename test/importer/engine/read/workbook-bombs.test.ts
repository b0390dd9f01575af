/** Known and random workbooks that would take much memory or time, read with little memory. Costs ten seconds. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AT_LENGTH, cases, FIRST_SEED } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';
import { archiveOf, textRow, workbookParts } from '../../command/support/workbook.ts';

const READER = join(import.meta.dirname, 'read-workbooks.ts');
// Of the whole process, Node included: 91 to 310 were seen.
const MOST_MEBIBYTES = 360;
const MOST_SECONDS = 2;

const SHEET = 'xl/worksheets/sheet1.xml';
const TEXTS = 'xl/sharedStrings.xml';
const GOOD = workbookParts({ sheets: { One: `${textRow(1, ['id', 'value'])}${textRow(2, ['1', 'a'])}` } });
const withPart = (name: string, content: string | Buffer): Buffer => archiveOf({ ...GOOD, [name]: content });

const repeated = (text: string, bytes: number): Buffer => Buffer.alloc(bytes, text);
/** Text that does not pack, in a comment, so that a part packs no better than 1:100. */
function padding(bytes: number, dice = new Dice(1)): Buffer {
  const words = Uint32Array.from({ length: bytes / 4 }, () => dice.below(2 ** 32));
  return Buffer.from(`<!--${Buffer.from(words.buffer).toString('base64')}-->`);
}
const part = (...pieces: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(pieces.map((each) => Buffer.from(each as string)));

interface Read {
  readonly name: string;
  readonly refusal?: string;
  readonly seconds: number;
  readonly mebibytes: number;
}

function read(folder: string, files: Readonly<Record<string, Buffer>>): Read[] {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, `${name}.xlsx`), content);
  const args = ['--max-old-space-size=160', READER, folder];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const MEBIBYTE = 1024 * 1024;
const known = temporaryFolder('bombs');
const random = temporaryFolder('random-bombs');

it.runIf(AT_LENGTH)('workbooks that were too much are refused by name, within little memory and processor time', () => {
  const expected: Record<string, string> = {
    'deep-packed': 'would unpack to 58 MiB',
    deep: 'more than 64 deep',
    'empty-texts': 'too many of its texts are empty',
    'one-text': 'longer than 4 MiB',
    'far-cells': 'nearly all cells of the table are empty',
    'a-far-header': 'nearly all cells of the table are empty',
  };
  const results = read(known, {
    'deep-packed': withPart(SHEET, repeated('<a>', 20_000_000 * 3)),
    deep: withPart(SHEET, part('<worksheet>', repeated('<a>', 30 * MEBIBYTE), padding(400_000))),
    'empty-texts': withPart(TEXTS, part('<sst>', repeated('<si/>', 30 * MEBIBYTE), padding(300_000), '</sst>')),
    'one-text': withPart(
      TEXTS,
      part('<sst><si><t>', repeated('x', 50 * MEBIBYTE), padding(500_000), '</t></si></sst>'),
    ),
    'far-cells': withPart(
      SHEET,
      `<worksheet><sheetData>${Array.from({ length: 20_000 }, () => '<row><c><v>1</v></c><c r="XFD1"><v>1</v></c></row>').join('')}</sheetData></worksheet>`,
    ),
    'a-far-header': withPart(
      SHEET,
      `<worksheet><sheetData><row><c r="XFD1"><v>1</v></c></row>${'<row><c><v>1</v></c></row>'.repeat(20_000)}</sheetData></worksheet>`,
    ),
  });
  expect(Object.fromEntries(results.map(({ name, refusal }) => [name.replace('.xlsx', ''), refusal]))).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, sentence]) => [name, expect.stringContaining(sentence)])),
  );
  expect(results.filter(({ seconds, mebibytes }) => seconds > MOST_SECONDS || mebibytes > MOST_MEBIBYTES)).toEqual([]);
});

const PARTS = [SHEET, TEXTS, 'xl/styles.xml', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels', '_rels/.rels'];
const FRAGMENTS = [
  '<si/>',
  '<si><t>a</t></si>',
  '<c/>',
  '<c r="XFD1"><v>1</v></c>',
  '<row/>',
  '<row><c><v>1</v></c></row>',
  '<xf numFmtId="9"/>',
  '<numFmt numFmtId="164" formatCode="[h]:mm"/>',
  '<sheet name="s" r:id="rId1"/>',
  '<Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>',
  '<Relationship Id="rIdT" Type="x/sharedStrings" Target="workbook.xml"/>',
  '<t>&lt;&#10;</t>',
  '<a b="c"/>',
  '<!-- -->',
  '<?a b?>',
  '<![CDATA[ ]]>',
  ' ',
];

function spoiled(dice: Dice, name: string): Buffer {
  const before = GOOD[name] ?? '';
  const [head = '', tail = ''] = dice.chance(0.8)
    ? [/^.*?<\w+[^>]*>/s.exec(before)?.[0], /<\/\w+>$/.exec(before)?.[0]]
    : [];
  const bytes = dice.pick([1000, 100_000, MEBIBYTE, 4 * MEBIBYTE, 12 * MEBIBYTE]);
  const kept = dice.chance(0.5) ? before.slice(head.length, before.length - tail.length) : '';
  const fragment = dice.pick(FRAGMENTS);
  const middle = dice.pick([
    () => repeated(fragment, bytes - (bytes % fragment.length)),
    () => repeated('<a>', bytes - (bytes % 3)),
    () => part(dice.pick(['<v>', '<t>', '<si><t>', '<a b="', '<', '<!--', '']), repeated('x', bytes)),
    () => part('<si>', repeated('<r><t>xxxx</t></r>', bytes - (bytes % 18)), '</si>'),
  ])();
  return part(head, kept, middle, dice.chance(0.5) ? padding(bytes / 100, dice) : '', tail);
}

it('random workbooks are read or refused, within little memory; refused ones also within little processor time', () => {
  const seeds = Array.from({ length: cases(400, 7) }, (_, at) => FIRST_SEED + at);
  const files = seeds.map((seed) => {
    const dice = new Dice(seed);
    const changed = Array.from({ length: dice.between(1, 2) }, () => dice.pick(PARTS)).map((name) => [
      name,
      spoiled(dice, name),
    ]);
    return [`seed-${seed}`, archiveOf({ ...GOOD, ...Object.fromEntries(changed) })] as const;
  });
  const results = read(random, Object.fromEntries(files));
  expect(results).toHaveLength(seeds.length);
  expect(results.filter(({ mebibytes }) => mebibytes > MOST_MEBIBYTES)).toEqual([]);
  expect(results.filter(({ refusal, seconds }) => refusal !== undefined && seconds > MOST_SECONDS)).toEqual([]);
  expect(results.filter(({ refusal }) => refusal === undefined).length).toBeGreaterThan(0);
});
