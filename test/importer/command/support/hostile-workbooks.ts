/** Damaged and hostile workbooks, each with a part of the sentence that refuses it. */
import { archiveOf, textRow, workbookOf, workbookParts } from './workbook.ts';

const HEADER = textRow(1, ['id', 'value']);
const good = workbookParts({ sheets: { One: `${HEADER}${textRow(2, ['1', 'a'])}` } });
const sheet = 'xl/worksheets/sheet1.xml';
const whole = archiveOf(good);
const withPart = (name: string, content: string | Buffer): Buffer => archiveOf({ ...good, [name]: content });
const withRows = (rows: string): Buffer => workbookOf({ sheets: { One: `${HEADER}${rows}` } });
const TEXTS = 'xl/sharedStrings.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';
const withTarget = (target: string): Buffer =>
  withPart(RELATIONS, (good[RELATIONS] ?? '').replace('Target="worksheets/sheet1.xml"', target));
/** So many sheets, each in the part of this number. */
function withSheets(count: number, partOf: (at: number) => number): Buffer {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const sheets = numbers.map((at) => `<sheet name="S${at}" sheetId="${at}" r:id="s${at}"/>`).join('');
  const target = (at: number): string => `worksheets/sheet${partOf(at)}.xml`;
  const relations = numbers
    .map((at) => `<Relationship Id="s${at}" Type="x/worksheet" Target="${target(at)}"/>`)
    .join('');
  const main = 'xl/workbook.xml';
  return archiveOf({
    ...good,
    [main]: (good[main] ?? '').replace(/<sheets>.*<\/sheets>/, `<sheets>${sheets}</sheets>`),
    [RELATIONS]: (good[RELATIONS] ?? '').replace('</Relationships>', `${relations}</Relationships>`),
  });
}
const SPREAD = '<sst><si><t>&a;</t></si></sst>';
const bomb = Buffer.concat([
  Buffer.from('<worksheet><sheetData>'),
  Buffer.alloc(64 * 1024 * 1024, ' '),
  Buffer.from('</sheetData></worksheet>'),
]);

export const HOSTILE_WORKBOOKS: readonly (readonly [name: string, content: Buffer, sentence: string])[] = [
  ['cut off', whole.subarray(0, whole.length - 40), 'damaged or incomplete'],
  ['cut in the middle', whole.subarray(0, 600), 'damaged or incomplete'],
  ['with other bytes than were packed', archiveOf(good, { part: sheet, crc: 7 }), 'damaged or incomplete'],
  ['with more in a part than it says', archiveOf(good, { part: sheet, size: 10 }), 'damaged or incomplete'],
  ['that unpacks to far more than it is', withPart(sheet, bomb), 'would unpack to 65 MiB'],
  ['that says it unpacks to 4 GiB', archiveOf(good, { part: sheet, size: 0xfffffff0 }), 'would unpack to 4096 MiB'],
  [
    'with entities that multiply',
    withPart(TEXTS, `<!DOCTYPE x [<!ENTITY b "bbbb"><!ENTITY a "&b;&b;">]>${SPREAD}`),
    'declares a document type',
  ],
  [
    'with an entity of another file',
    withPart(TEXTS, `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${SPREAD}`),
    'declares a document type',
  ],
  ['with a sheet elsewhere', withTarget('Target="http://127.0.0.1/x.xml" TargetMode="External"'), 'is in another file'],
  ['with a sheet outside the archive', withTarget('Target="../../../../etc/passwd"'), 'is missing'],
  ['with one part as many sheets', withSheets(20_000, () => 1), 'is also another sheet'],
  ['with more sheets than anybody has', withSheets(1001, (at) => at), 'more than 1,000 sheets'],
  ['that is not XML', withPart(sheet, '<worksheet><sheetData><row></worksheet>'), 'is not XML'],
  ['that is another archive', archiveOf({ 'a.txt': 'hello' }), 'is an archive with a.txt, but not an Excel workbook'],
  ['that is an older workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'Excel before 2007'],
  [
    'without texts that cells name',
    withRows('<row r="2"><c r="A2" t="s"><v>5</v></c></row>'),
    'text of this cell is missing',
  ],
  ['with rows that go back', withRows(`${textRow(5, ['1', 'a'])}${textRow(4, ['2', 'b'])}`), 'rows count upwards'],
  ['with a row beyond the last', withRows(textRow(1_048_577, ['1', 'a'])), 'rows count upwards'],
  ['with a cell beyond the last column', withRows('<row r="2"><c r="XFE2"><v>1</v></c></row>'), 'not where it belongs'],
  ['with a row over 1 MiB', withRows(textRow(2, ['1', 'y'.repeat(1024 * 1024)])), 'longer than 1 MiB'],
  ['with tags within tags', withPart(sheet, `<worksheet>${'<a>'.repeat(64)}`), 'more than 64 deep'],
  [
    'with tags that hold nothing',
    withPart(sheet, `<worksheet>${'<a/>'.repeat(600_000)}`),
    'far too many tags for its size',
  ],
  [
    'with a text over 1 MiB in parts',
    withPart(TEXTS, `<sst><si>${`<r><t>${'y'.repeat(1000)}</t></r>`.repeat(1100)}</si></sst>`),
    'a text of it is longer than 1 MiB',
  ],
  ['with nothing in it', workbookOf({ sheets: { One: '' } }), 'contains no rows'],
];
