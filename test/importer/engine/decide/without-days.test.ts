/** What is suggested where no column may have the day of an outcome: its words, with the day of the import. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { confirmSuggestions, mappingOf } from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openRecords } from '../../../../bin/importer/engine/apply/open-records.ts';
import { each } from '../../../../bin/importer/engine/read/pieces.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const NOW = Date.parse('2026-11-27');

/** @param table headers and rows of cells apart by semicolons, apart by slashes */
function fileOf(table: string): File {
  const [head = '', ...rows] = table.split(' / ').map((row) => row.replaceAll('; ', ','));
  const lines = rows.map((row, index) => `p${index}@acme.test,Fire Safety,${row}`);
  return new File([[`Email,Course,${head}`, ...lines].join('\n')], 'history.csv');
}

const foundIn = async (table: string) => findKinds([await openSource(fileOf(table), { now: NOW })], {});

async function firstOf(table: string): Promise<string> {
  const { kinds } = await foundIn(table);
  const { outcome, date } = kinds.find(({ lines }) => lines.includes(2)) ?? {};
  return [outcome ?? 'asked', date].filter((part) => part !== undefined && part !== null).join(' ');
}

describe('the day of the import is suggested for', () => {
  it.each([
    ['Status / Completed / In progress / Not started', 'completed'],
    ['Status / Completed / Cancelled', 'completed'],
    ['Result / Passed / Failed', 'certified'],
    ['Result / Failed / Passed', 'failed'],
    ['Passed / Yes / No', 'certified'],
    ['Progress / 100 / 40 / 0', 'completed'],
    ['Estado asignatura / Aprobado / Reprobado', 'certified'],
    ['Enrollment status / Completed / In progress', 'completed'],
    [
      'Status; Enrolled on; Due date / Completed; 2024-01-02; 2024-02-02 / In progress; 2024-01-03; 2024-02-03',
      'completed',
    ],
    ['Status; Date of birth / Completed; 1984-01-02 / In progress; 1985-01-03', 'completed'],
    ['Status; Last login / Completed; 2024-01-02 / In progress; 2024-01-03', 'completed'],
  ])('%s', async (table, outcome) => {
    expect(await firstOf(table)).toBe(`${outcome} :import day`);
  });
});

describe('a person is asked where', () => {
  it.each([
    ['other rows have a day', 'Status; Completed on / Completed;  / Completed; 2024-01-02'],
    ['the column of the day is empty', 'Status; Completion date / Completed;  / In progress; '],
    ['the day is a year', 'Status; Completion year / Completed; 2023 / Completed; 2024 / In progress; '],
    ['the day is a week', 'Status; Completed in / Completed; KW 12/2024 / Completed; KW 13/2024 / In progress; '],
    ['something has expired', 'Status; Valid until / Completed; 2024-01-02 / In progress; '],
    ['something counts since then', 'Status; Valid from / Completed; 2024-01-02 / In progress; '],
    ['a certificate was sent', 'Status; Certificate sent / Completed; 2024-01-02 / In progress; '],
    ['a term is over', 'Status; Term end / Completed; 2024-01-02 / In progress; 2024-01-02'],
    ['students and teachers are listed', 'Status; Role / completed; student / active; student / completed; teacher'],
    ['an enrolment was completed', 'Registration status / Completed / Cancelled'],
    ['a survey was', 'Survey status / Completed / In progress'],
    ['an order was', 'Bestellstatus / Completed / In progress'],
    ['a module was', 'Module status / Completed / In progress'],
    ['another status says not', 'Status; Status 2 / Completed; Not completed / Completed; Completed'],
    ['the word is not known', 'Status / Frobnicated / Completed'],
    ['numbers of lessons are completed', 'Lessons completed / 3 / 5 / 1 / 0'],
    ['all lessons are', 'Lessons completed; Lessons / 5; 5 / 2; 5'],
    ['the percentage is of anything', 'Percentage / 100 / 40 / 0'],
    ['the percentage is of a quiz', 'Quiz progress / 100 / 40 / 0'],
    ['the percentage is a plan', 'Planned progress / 100 / 40 / 0'],
    ['nothing but a certificate is there', 'Certificate / Yes / No'],
  ])('%s', async (_where, table) => {
    expect(await firstOf(table)).toBe('asked');
  });
});

it('the records have no day of their own, so that the service stores its own and says so', async () => {
  const file = fileOf('Status; Enrolled on / Completed; 2024-01-02 / Passed; 2024-01-02 / Failed; 2024-01-02');
  const findings = await findKinds([await openSource(file, { now: NOW })], {});
  const mapping = mappingOf(confirmSuggestions(findings));
  const records = await openRecords(file, {
    mapping: { mapping, path: undefined },
    mappingFor: () => {
      throw new Error('there is a mapping');
    },
    now: NOW,
  });
  const found: unknown[] = [];
  for await (const { record } of each(records.read({}).entries)) found.push(record);
  expect(found).toMatchObject([
    { progress: { completion_pct: 100 } },
    { progress: { completion_pct: 100 }, assessment: { status: 'passed' } },
    { progress: { completion_pct: 0 }, assessment: { status: 'failed' } },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/completed_at|taken_at/);
});
