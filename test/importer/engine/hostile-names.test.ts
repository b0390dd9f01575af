/**
 * Names that every object inherits, as columns, cells, sheets, members of JSON and ids: what is found, confirmed and written is the
 * same as under names that mean nothing. Costs a second.
 */
import { describe, expect, it } from 'vitest';
import {
  confirmSuggestions,
  mappingOf,
  openQuestions,
  withOutcome,
} from '../../../bin/importer/engine/decide/confirm.ts';
import { saidInWords } from '../../../bin/importer/command/advice.ts';
import { findKinds } from '../../../bin/importer/engine/decide/find.ts';
import { checkedMapping, mappingJson } from '../../../bin/importer/engine/language/check.ts';
import type { Choices } from '../../../bin/importer/engine/language/findings.ts';
import { surveyOf } from '../../../bin/importer/engine/run/survey.ts';
import { openSource } from '../../../bin/importer/engine/read/open-source.ts';
import { setWith } from '../command/support/runs.ts';
import { textRow, workbookOf } from '../command/support/workbook.ts';

const HOSTILE = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '__defineGetter__',
  'isPrototypeOf',
];

/** Columns of words, dates and percentages, the course and the id, with the names in the cells, too. */
function tableOf(names: readonly string[]) {
  const [word = '', date = '', percent = '', id = '', other = '', person = ''] = names;
  const header = ['Email', 'Course', word, date, percent, id, other, person];
  const rows = Array.from({ length: 24 }, (_, at) => [
    `p${at % 7}@acme.test`,
    names[at % names.length] ?? '',
    ['Completed', 'In progress', 'Not started', names[at % 3] ?? ''][at % 4] ?? '',
    at % 4 === 0 ? `2023-01-${10 + at}` : '',
    ['100', '40', '0', '50'][at % 4] ?? '',
    `${names[at % names.length]}-${at}`,
    names[(at * 3) % names.length] ?? '',
    `Person ${at % 7}`,
  ]);
  return { header, rows };
}
type Table = ReturnType<typeof tableOf>;

const FORMATS: Readonly<Record<string, (table: Table, names: readonly string[]) => File>> = {
  CSV: ({ header, rows }) => new File([[header, ...rows].map((cells) => cells.join(',')).join('\n')], 'history.csv'),
  JSON: ({ header, rows }) => {
    // An object literal has no member called `__proto__`.
    const texts = rows.map((cells) => `{${header.map((name, at) => `${q(name)}:${q(cells[at] ?? '')}`).join(',')}}`);
    return new File([`[${texts.join(',')}]`], 'history.json');
  },
  'JSON by keys': ({ header, rows }, names) => {
    const item = (cells: readonly string[]) =>
      `{${header.map((name, at) => `${q(name)}:${q(cells[at] ?? '')}`).join(',')}}`;
    const lists = names.map(
      (name, at) =>
        `${q(name)}:[${rows
          .slice(at * 3, at * 3 + 3)
          .map(item)
          .join(',')}]`,
    );
    return new File([`{${q(names[0] ?? '')}:{${lists.join(',')}}}`], 'history.json');
  },
  workbook: ({ header, rows }, names) => {
    const sheetOf = (own: readonly (readonly string[])[]) =>
      [header, ...own].map((cells, at) => textRow(at + 1, [...cells])).join('');
    const sheets = names.slice(0, 4).map((name, at) => [name, sheetOf(rows.slice(at * 6, at * 6 + 6))] as const);
    return new File([new Uint8Array(workbookOf({ sheets: Object.fromEntries(sheets) }))], 'history.xlsx');
  },
};

const q = (text: string): string => JSON.stringify(text);

/** What is found, and what is written once all of it is confirmed, as a text with the names in their places. */
async function outcome(format: string, names: readonly string[]): Promise<string[]> {
  const file = FORMATS[format]?.(tableOf(names), names) as File;
  const [, , , id = '', other = ''] = names;
  const choices: Choices = {
    learner: 'Email',
    course: 'Course',
    state: Object.fromEntries([...names.slice(0, 3).map((name) => [name, true]), [id, false], [other, false]]),
    dates: Object.fromEntries([[names[1] ?? '', 'YYYY-MM-DD']]),
  };
  const platform = {
    courseOf: (text: string) => (names.includes(text) ? names.indexOf(text) + 1 : undefined),
    knownLearners: async (texts: readonly string[]) => new Set(texts),
  };
  const found = confirmSuggestions(await findKinds([await openSource(file)], { choices, platform }));
  const confirmed = found.kinds.reduce(
    (sum, { values, confirmed: is }) =>
      is ? sum : withOutcome(sum, values, { outcome: 'in_progress', percent: null }),
    found,
  );
  const mapping = mappingOf(confirmed, saidInWords);
  const saved = checkedMapping('history.mapping.json', mappingJson('history.mapping.json', JSON.stringify(mapping)));
  const set = await setWith(saved, file);
  const { digests: _, ...survey } = await surveyOf(set);
  const records = [];
  for await (const { entries } of set.chunks()) records.push(...entries);
  const { why, columns, kinds, others, dates } = confirmed;
  const all = { why, columns, kinds, others, dates, open: openQuestions(confirmed), saved, survey, records };
  const whole = JSON.stringify(all, undefined, 1);
  return names.reduce((text, name, at) => text.replaceAll(name, `name-${at}`), whole).split('\n');
}

describe.each(Object.keys(FORMATS))('%s', (format) => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('names that every object inherits mean nothing, in turn %i', async (turn) => {
    const names = [...HOSTILE.slice(turn), ...HOSTILE.slice(0, turn)];
    const plain = names.map((_, at) => `qzx${'abcdefgh'[at]}xx`);
    expect(await outcome(format, names)).toEqual(await outcome(format, plain));
  });
});
