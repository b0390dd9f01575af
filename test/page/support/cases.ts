/** Every CSV, JSON and Excel file of the test data, each as it is and with the mapping that is beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { archiveOf, textRow, workbookOf, workbookParts } from '../../importer/command/support/workbook.ts';

export interface Case {
  readonly name: string;
  readonly bytes: Buffer;
  readonly mapping?: unknown;
}

const ROOT = join(import.meta.dirname, '../../..');
const DATA = /\.(csv|tsv|json|ndjson)$/;
const NO_DATA = /\.(expected|mapping)\.json$/;

const jsonAt = (path: string): unknown => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

function filesIn(folder: string): Case[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => DATA.test(name) && !NO_DATA.test(name))
    .map((name) => join(ROOT, folder, name));
  return paths.flatMap((path) => {
    const file = { name: basename(path), bytes: readFileSync(path) };
    const expected = jsonAt(path.replace(DATA, '.expected.json')) as { readonly mapping?: object } | undefined;
    const mapping = expected?.mapping ?? jsonAt(path.replace(DATA, '.mapping.json'));
    return mapping === undefined ? [file] : [file, { ...file, mapping }];
  });
}

/** The sample of a known system. */
export function sampleOf(system: string): Case {
  const folder = join(ROOT, 'bin/importer/systems', system);
  const name = readdirSync(folder).find((each) => each.startsWith('sample.')) ?? '';
  return { name, bytes: readFileSync(join(folder, name)) };
}

const HEADER = ['Id', 'E-mail', 'Course', 'Progress', 'Started'];
const sheet = (rows: string): string => `${textRow(1, HEADER)}${rows}`;
const ROWS = Array.from({ length: 1200 }, (_, i) =>
  textRow(i + 2, [`r-${i}`, `ana.${i}@x.test`, 'Zoë & Co', `${i % 101} %`, '2024-01-31']),
).join('');
const NUMBERS =
  '<row r="2"><c r="A2" s="1"><v>17</v></c><c r="B2" t="s"><v>0</v></c><c r="C2"><v>101</v></c><c r="D2" s="2"><v>0.6667</v></c><c r="E2" s="3"><v>45504.354166666664</v></c></row>';
const NUMBERED = {
  sheets: { Notes: textRow(1, ['nothing']), History: sheet(NUMBERS) },
  hidden: ['Notes'],
  shared: '<si><t>ana@x.test</t></si>',
  formats: ['00000', '0%', 'dd/mm/yyyy hh:mm'],
};

const WORKBOOKS: Readonly<Record<string, Buffer>> = {
  rows: workbookOf({ sheets: { One: sheet(ROWS) } }),
  numbers: workbookOf(NUMBERED),
  damaged: archiveOf(workbookParts(NUMBERED), { part: 'xl/worksheets/sheet2.xml', crc: 7 }),
};

const TEXT = 'Id;E-mail;Course;Progress\r\n1;zoë@x.test;C;50\r\n2;"a\r\n;b";C;\r\n1;ana@x.test;C;5\r\n';

/** Encodings, and files that are refused. */
const TEXTS: Readonly<Record<string, string | Buffer>> = {
  'utf8-bom.csv': `\u{feff}${TEXT}`,
  'latin1.csv': Buffer.from(TEXT, 'latin1'),
  'utf16.csv': Buffer.from(`\u{feff}${TEXT}`, 'utf16le'),
  'not-utf8.csv': Buffer.concat([Buffer.from(TEXT), Buffer.from([0xeb, 0x0a])]),
  'wide.csv': 'external_record_id,Email\n1,ana@x.test\n3,4,5\n',
  'cut.json': '[{"a":1},\n {"b":',
  'empty.csv': '',
};

const groups = Array.from({ length: 9000 }, (_, i) => `g${i % 4500},u${(i % 4500) % 7}@x.test,C,${i % 100}`);
const GROUPED = {
  group_by: ['id'],
  record: {
    external_record_id: 'id',
    'user.email': 'mail',
    'content.external_course_id': 'course',
  },
  kinds: {
    columns: { done: { read: 'percent' } },
    confirmed: ['0', 'between'].map((is) => ({ values: { done: is }, outcome: 'in_progress', percent: 'done' })),
  },
};

export const CASES: readonly Case[] = [
  ...filesIn('test/importer/command/exports'),
  ...filesIn('docs/mapping-examples'),
  ...Object.entries(WORKBOOKS).map(([name, bytes]) => ({ name: `${name}.xlsx`, bytes })),
  ...Object.entries(TEXTS).map(([name, content]) => ({ name, bytes: Buffer.from(content as string) })),
  // More groups than are joined in memory.
  {
    name: 'groups.csv',
    bytes: Buffer.from(['id,mail,course,done', ...groups].join('\n')),
    mapping: GROUPED,
  },
];
