/**
 * What a column under each of many headers becomes is frozen in header-outcomes.txt: of tables with days beside a status, with answers,
 * with numbers, and with words. `OUTCOMES=renew` writes it anew: look at each header that moved. A thirtieth of the headers costs
 * half a second, all of them at length fifteen.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findKinds } from '../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../bin/importer/engine/read/open-source.ts';
import { someOf } from '../../kit/at-length.ts';

const FILE = join(import.meta.dirname, 'header-outcomes.txt');
const NOW = Date.parse('2026-11-27');
const HEADER = 'History';

const TABLES: readonly (readonly [name: string, columns: string, rows: readonly string[]])[] = [
  [
    'days',
    `Status;${HEADER}`,
    ['Completed;2024-01-22', 'Completed;2024-01-23', 'In progress;', 'Completed;2024-02-14'],
  ],
  ['answers', HEADER, ['Yes', 'No', 'Yes', 'No']],
  ['numbers', HEADER, ['100', '40', '0', '85', '62', '100', '33']],
  ['words', `Completed on;${HEADER}`, ['2024-01-22;Passed', ';Urgh', '2024-01-23;Passed', ';Blah']],
];

async function outcomesIn(columns: string, rows: readonly string[], header: string): Promise<string> {
  const cell = `"${header.replaceAll('"', '""')}"`;
  const lines = rows.map((row, index) => `p${index}@acme.test;C-${index % 2};${row}`);
  const text = [`Email;Course;${columns.replace(HEADER, cell)}`, ...lines].join('\n');
  const {
    columns: state,
    kinds,
    dates,
    learner,
    course,
  } = await findKinds([await openSource(new File([text], 'a.csv'), { now: NOW })]);
  const kindsOf = kinds.map(({ outcome, date, percent }) =>
    [outcome ?? 'asked', date === header ? 'on it' : date, percent === header ? 'with it' : percent]
      .filter((part) => part !== null)
      .join(' '),
  );
  const others = [
    ...(learner.column === 'Email' ? [] : ['learner']),
    ...(course.column === 'Course' ? [] : ['course']),
    ...dates.flatMap(({ column, role }) => (column === header && role !== 'state' && role !== null ? [role] : [])),
  ];
  return [state[header]?.read ?? 'no state', ...others, '->', ...new Set(kindsOf)].join(', ').replace(', ->,', ' ->');
}

/** `days … | answers … | numbers … | words …`. */
async function outcomesUnder(header: string): Promise<string> {
  const found = [];
  for (const [name, columns, rows] of TABLES) found.push(`${name} ${await outcomesIn(columns, rows, header)}`);
  return found.join(' | ');
}

/** Headers in lines, below the outcomes that they have. */
const frozen = readFileSync(FILE, 'utf8')
  .split(/^=== /m)
  .slice(1)
  .flatMap((block) => {
    const [outcomes = '', ...lines] = block.trimEnd().split('\n');
    return lines.flatMap((line) => line.split(' | ')).map((header) => ({ header, outcomes }));
  });

const LINE = 140;

/** Most headers first. */
function textOf(all: typeof frozen): string {
  const headers = new Map<string, string[]>();
  for (const { header, outcomes } of all) headers.set(outcomes, [...(headers.get(outcomes) ?? []), header]);
  const groups = [...headers].toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  return groups.map(([outcomes, some]) => `=== ${outcomes}\n${inLines(some)}\n`).join('\n');
}

function inLines(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    if (lines.length > 0 && line.length + word.length < LINE) lines[lines.length - 1] = `${line} | ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

async function found(some: typeof frozen): Promise<typeof frozen> {
  const all = [];
  for (const { header } of some) all.push({ header, outcomes: await outcomesUnder(header) });
  return all;
}

it('every header has its outcomes', async () => {
  const isRenewed = process.env['OUTCOMES'] === 'renew';
  const some = isRenewed ? frozen : someOf(frozen, 30);
  const now = await found(some);
  if (isRenewed) writeFileSync(FILE, textOf(now));
  expect(textOf(now)).toBe(textOf(isRenewed ? now : some));
}, 3_600_000);
