/**
 * The law of the importer, over generated tables of words, codes, flags, grades, shares, percentages and dates: records
 * written = rows of confirmed kinds, with what the confirmation showed, and nothing else; and of a learner in a course nothing while
 * one of their rows is undecided. Costs seconds.
 */
import { expect, it } from 'vitest';
import { confirmSuggestions, mappingOf, withOutcome } from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import type { Findings, Kind, KindValues, Outcome } from '../../../../bin/importer/engine/language/findings.ts';
import { memberOf } from '../../../../bin/importer/engine/ground/fields.ts';
import { leftOutRows, surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import type { InputFile } from '../../../../bin/importer/engine/read/bytes.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { setWith } from '../../command/support/runs.ts';
import { cases, FIRST_SEED } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';

const DATES = ['2021-03-04', '2022-11-30', '2019-01-31'];
const NEVER = ['0', '1900-01-01', '1970-01-01', '9999-12-31', '0001-01-01', '0000-00-00', 'never'];
const WRONG = ['2021-02-30', 'see file'];

const COLUMNS: Readonly<Record<string, { headers: readonly string[]; texts: readonly string[] }>> = {
  words: {
    headers: ['Status', 'สถานะ', 'Κατάσταση', 'X'],
    texts: ['Completed', 'In progress', 'Not started', 'Failed', 'Exempt', 'Revoked', 'empty', 'Passed', ''],
  },
  foreign: { headers: ['Tila', 'Stav', 'Column 4'], texts: ['Ολοκληρώθηκε', 'เสร็จ', 'Fullført', 'Dokončeno', ''] },
  codes: { headers: ['Code', 'status_id', 'Y'], texts: ['1', '2', '3', '5'] },
  flags: { headers: ['Archived', 'Completed', 'Valid', 'Z'], texts: ['0', '1'] },
  answers: { headers: ['Passed', 'Revoked', 'Q'], texts: ['Yes', 'No', ''] },
  grades: { headers: ['Grade', 'Result'], texts: ['A', 'B', 'F', ''] },
  shares: { headers: ['Units', 'Steps'], texts: ['12 of 20', '20 of 20', '0 of 20', ''] },
  percent: { headers: ['Progress %', 'Completion'], texts: ['0', '40', '99.5', '100', '', '120', 'most'] },
  dated: {
    headers: ['Outcome', 'State', 'Tila'],
    texts: ['Completed (2021-03-04)', 'Completed (2022-11-30)', 'Failed (2021-03-04)', 'Valmis 2019-01-31', 'Open', ''],
  },
  completed: {
    headers: ['Completed on', 'Päivä', 'Completion Date'],
    texts: [...DATES, ...DATES, ...NEVER, ...WRONG, ''],
  },
};

interface Table {
  readonly csv: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** @param courseOf the course of a row, by its number: one of its own, so that each is of another pair */
function tableOf(dice: Dice, courseOf = (index: number): string => `C-${index}`): Table {
  const kinds = Object.values(COLUMNS).filter(() => dice.below(3) > 0);
  const header = ['Email', 'Course', ...kinds.map(({ headers }, index) => `${dice.pick(headers)}${'.'.repeat(index)}`)];
  const few = kinds.map(({ texts }) => Array.from({ length: 1 + dice.below(5) }, () => dice.pick(texts)));
  const rows = Array.from({ length: 3 + dice.below(50) }, (_, index) => [
    `p${index % 17}@acme.test`,
    courseOf(index),
    ...few.map((texts) => dice.pick(texts)),
  ]);
  return { csv: [header, ...rows].map((cells) => cells.join(',')).join('\n'), header, rows };
}

/** Costs a third of a `File`, which is read in turns of the event loop. */
function fileOf(csv: string): InputFile {
  const bytes = new TextEncoder().encode(csv);
  const arrayBuffer = (start: number, end: number) => Promise.resolve(bytes.slice(start, end).buffer);
  return {
    name: 'history.csv',
    size: bytes.length,
    slice: (start, end) => ({ arrayBuffer: () => arrayBuffer(start, end) }),
  };
}

function outcomeOf(kind: Kind, { columns }: Findings, dice: Dice): Outcome | undefined {
  const date = Object.keys(kind.values).find(
    (name) =>
      kind.values[name] === 'a date' || (columns[name]?.read === 'dated' && /\bdate\b/.test(kind.values[name] ?? '')),
  );
  const percent = Object.keys(kind.values).find(
    (name) => columns[name]?.read !== 'text' && kind.values[name] === 'between',
  );
  return dice.pick<Outcome | undefined>([
    undefined,
    { outcome: 'leave_out', reason: 'a person says so' },
    { outcome: 'in_progress', percent: percent ?? null },
    date === undefined ? undefined : { outcome: dice.pick(['completed', 'certified', 'failed']), date },
  ]);
}

/** Whether a cell fits a class, by the pools that the cells are from. */
function fits(is: string, cell: string, read: string): boolean {
  // A cell may have the word that an empty one is called.
  const text = cell === 'empty' ? '"empty"' : cell.toLowerCase();
  if (read === 'text' || read === 'dated')
    return (
      is.toLowerCase() ===
      (cell === ''
        ? 'empty'
        : read === 'dated'
          ? text.replace(DAY, (day) => dateClass(day).replace('a date', 'date'))
          : text)
    );
  return is === (read === 'date' ? dateClass(cell) : shareClass(cell));
}

const DAY = /\d{4}-\d\d-\d\d/;

function dateClass(cell: string): string {
  if (DATES.includes(cell)) return 'a date';
  if (cell === '') return 'empty';
  return NEVER.includes(cell) ? 'never' : 'impossible';
}

function shareClass(cell: string): string {
  const [part = '', whole = '100'] = cell.split(' of ');
  const share = (Number(part) / Number(whole)) * 100;
  if (cell === '') return 'none';
  if (Number.isNaN(share)) return 'no number';
  if (share > 100) return 'above';
  return share === 0 || share === 100 ? String(share) : 'between';
}

const kindOf = (findings: Findings, table: Table, cells: readonly string[]): Kind | undefined =>
  findings.kinds.find(({ values }) => isOf(values, findings, table, cells));

const isOf = (values: KindValues, { columns }: Findings, { header }: Table, cells: readonly string[]): boolean =>
  Object.entries(values).every(([name, is]) => fits(is, cells[header.indexOf(name)] ?? '', columns[name]?.read ?? ''));

const said = (record: unknown) => ({
  isDone: memberOf(record, 'progress.completion_pct') === 100,
  completed: memberOf(record, 'progress.completed_at'),
  status: memberOf(record, 'assessment.status'),
  taken: memberOf(record, 'assessment.taken_at'),
});

const nothing = { isDone: false, completed: undefined, status: undefined, taken: undefined };

function shownBy({ outcome, date }: Kind, { header }: Table, cells: readonly string[]) {
  const cell = date === null ? undefined : cells[header.indexOf(date)];
  const day = DAY.exec(cell ?? '')?.[0];
  if (outcome === 'completed') return { ...nothing, isDone: true, completed: day };
  if (outcome === 'certified') return { isDone: true, completed: day, status: 'passed', taken: day };
  return outcome === 'failed' ? { ...nothing, status: 'failed', taken: day } : nothing;
}

/** The findings with what a person confirms: all suggestions or none, and some of the other kinds. */
async function confirmed(file: InputFile, dice: Dice): Promise<Findings> {
  const found = await findKinds([await openSource(file)]);
  let findings = dice.below(2) === 0 ? confirmSuggestions(found) : found;
  for (const kind of findings.kinds.filter((each) => !each.confirmed)) {
    const outcome = outcomeOf(kind, findings, dice);
    if (outcome !== undefined) findings = withOutcome(findings, kind.values, { ...outcome, reason: null });
  }
  return findings;
}

async function imported(file: InputFile, findings: Findings) {
  const { undecided: _, ...mapping } = mappingOf(findings);
  const set = await setWith(mapping, file);
  const records = new Map<number, unknown>();
  const addRecord = (record: unknown, line: number): void => void records.set(line, said(record));
  const survey = await surveyOf(set, { preview: { addRecord, clear: () => records.clear() } });
  const { records: sent, unconfirmed, repeats } = survey;
  return { records: Object.fromEntries(records), rows: sent + unconfirmed + repeats + leftOutRows(survey) };
}

function shown(findings: Findings, table: Table): Record<number, unknown> {
  const lines = table.rows.flatMap((cells, index) => {
    const kind = kindOf(findings, table, cells);
    const isWritten = kind?.confirmed === true && kind.outcome !== 'leave_out';
    return isWritten ? [[index + 2, shownBy(kind, table, cells)] as const] : [];
  });
  return Object.fromEntries(lines);
}

it('kinds write the rows that a person confirmed, as the confirmation showed them, and no other', async () => {
  let written = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(50_000, 25); seed += 1) {
    const dice = new Dice(seed, 5);
    const table = tableOf(dice);
    const file = fileOf(table.csv);
    const findings = await confirmed(file, dice);
    const { records, rows } = await imported(file, findings);
    const context = `seed ${seed}\n${table.csv}`;
    expect({ context, rows, records }).toEqual({ context, rows: table.rows.length, records: shown(findings, table) });
    written += Object.keys(records).length;
  }
  expect(written).toBeGreaterThan(0);
}, 14_400_000);

it('of a learner in a course nothing is written while one of their rows is undecided', async () => {
  let [written, waiting] = [0, 0];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(50_000, 25); seed += 1) {
    const dice = new Dice(seed, 6);
    const table = tableOf(dice, (index) => `C-${index % 2}`);
    const file = fileOf(table.csv);
    const findings = await confirmed(file, dice);
    const { records, rows } = await imported(file, findings);
    const open = table.rows.filter((cells) => kindOf(findings, table, cells)?.confirmed !== true).map(pairOf);
    const lines = Object.keys(records).map(Number);
    const context = `seed ${seed}\n${table.csv}`;
    const wrong = lines.filter((line) => open.includes(pairOf(table.rows[line - 2] ?? [])));
    expect({ context, wrong }).toEqual({ context, wrong: [] });
    // A row that takes others back leaves them out.
    const back = table.rows.filter((cells) => cells.includes('Revoked')).map(pairOf);
    const decided = Object.keys(shown(findings, table)).filter(
      (line) => ![...open, ...back].includes(pairOf(table.rows[Number(line) - 2] ?? [])),
    );
    expect({ context, isAny: decided.length === 0 || lines.length > 0 }).toEqual({ context, isAny: true });
    const all = findings.base.group_by === undefined ? table.rows.length : rows;
    expect({ context, rows }).toEqual({ context, rows: all });
    written += lines.length;
    waiting += Object.keys(shown(findings, table)).length - decided.length;
  }
  expect(Math.min(written, waiting)).toBeGreaterThan(0);
}, 14_400_000);

const pairOf = ([email, course]: readonly string[]): string => `${email} ${course}`;
