/** What a file says, for the terminal: as a table, and as JSON. */
import { ownValue } from '../engine/ground/own-value.ts';
import { shownValues } from '../texts/en-kinds.ts';
import { openQuestions } from '../engine/decide/confirm.ts';
import { differs } from '../engine/decide/outcomes.ts';
import { rowsText } from '../engine/ground/text.ts';
import { columnOf } from '../engine/language/named-columns.ts';
import {
  type Findings,
  type FoundColumn,
  type FoundDates,
  IMPORT_DAY,
  type Kind,
} from '../engine/language/findings.ts';
import { saidInWords, sheetsInWords } from './advice.ts';
import { table } from './terminal.ts';

/** What a person has to say of the whole file. */
const questionsIn = (findings: Findings): string[] =>
  openQuestions(findings).flatMap((question) => (question.about === 'kind' ? [] : [saidInWords(question.said)]));

const shapeInWords = (shape: Findings['shape']): string => shape.map(saidInWords).join(' ');

/** What the known export is called. */
export const systemInWords = ({ id, name }: NonNullable<Findings['system']>): string => name['en'] ?? id;

const MOST_KINDS = 60;
const MOST_OTHERS = 30;

export function findingLines(findings: Findings): string[] {
  const { file, rows, encoding, learner, course, dates, sheets, kinds, others, shape, unclear } = findings;
  const left = sheetsInWords(sheets).filter(({ isImported }) => !isImported);
  return [
    `${file}: ${rowsText(rows)}${encoding === null ? '' : `, read as ${encoding}`}`,
    ...(findings.system === null ? [] : [`  This is ${systemInWords(findings.system)}.`]),
    ...(shape.length === 0 ? [] : [`  ${shapeInWords(shape)}`]),
    columnLine('Learner', learner),
    columnLine('Course', course),
    ...dates.filter(({ role }) => role !== null).map(dateLine),
    ...findings.fractions.map(
      ({ column, samples }) =>
        `  ${column}: ${samples.map(({ text, percent }) => `"${text}" is ${percent} %`).join(', ')}`,
    ),
    ...scoreLine(findings),
    ...left.map(({ name, reason }) => `  "${name}" is not imported: ${reason}`),
    '',
    ...kindTable(kinds),
    '',
    ...(others.length === 0
      ? []
      : [`Not imported: ${listed(others.map(({ column }) => column))} (init-mapping --split COLUMN brings one in)`]),
    ...(unclear.length === 0
      ? []
      : [
          `What these columns say is not known: ${listed(unclear)}. init-mapping at a terminal sets aside those that do not matter; so do the next runs of it once "choices" of the mapping says {"state":{${JSON.stringify(unclear[0])}:false}}.`,
        ]),
    ...questionsIn(findings).map((text) => `To decide: ${text}`),
  ];
}

function columnLine(what: string, { column, found, of, unknown }: FoundColumn): string {
  if (column === null) return `  ${what}: no column was found`;
  const known = found === null ? `${of} different` : `${found} of ${of} known to the platform`;
  return `  ${what}: ${column} · ${known}${unknown.length === 0 ? '' : ` · not known: ${listed(unknown.slice(0, 5))}`}`;
}

function scoreLine({ base: { record } }: Findings): string[] {
  const column = columnOf(record['assessment.score_pct']);
  return column === undefined ? [] : [`  ${column} (score): imported beside the outcome`];
}

function dateLine({ column, format, formats, samples, first, last, odd, role }: FoundDates): string {
  const shown = samples.map(({ text, date }) => `"${text}" is ${dayInWords(date)}`).join(', ');
  const range = first === null ? '' : ` · ${first} to ${last}`;
  const wrong = odd.length === 0 ? '' : ` · no dates: ${listed(odd.map((text) => `"${text}"`))}`;
  const name = role === 'state' ? column : `${column} (${role})`;
  return `  ${name}: ${format ?? formats.join(' or ')} · ${shown}${range}${wrong}`;
}

/** `4 May 2019`. */
const dayInWords = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date.slice(0, 10)}T00:00:00Z`),
  );

function kindTable(kinds: readonly Kind[]): string[] {
  const order = kinds.toSorted((a, b) => Number(a.outcome !== null) - Number(b.outcome !== null) || b.rows - a.rows);
  const lines = inLines(order);
  const shown = lines.slice(0, MOST_KINDS);
  return [
    ...table(
      ['rows', 'lines', 'what the rows say', 'what they become'],
      shown.map(({ rows, lines, says, kind }) => [rows, lines.join(', '), says, becomes(kind)]),
    ),
    ...(lines.length > shown.length ? [`… and ${lines.length - shown.length} more kinds (--json lists all)`] : []),
  ];
}

const MOST_LINES = 3;
const MOST_JOINED = 8;

const isDefault = ({ outcome, reason, confirmed }: Kind): boolean =>
  outcome === 'leave_out' && reason?.code === 'no_completion' && !confirmed;

/** Each kind is a line; those that the safe default leaves out are one. */
export function inLines(kinds: readonly Kind[]) {
  const [first, ...others] = kinds.filter(isDefault);
  const own = kinds.filter((kind) => kind === first || !isDefault(kind));
  return own.map((kind) => {
    const all = kind === first ? [first, ...others] : [kind];
    const says = all.slice(0, MOST_JOINED).map(({ values }) => shownValues(values));
    return {
      kind,
      rows: all.reduce((sum, { rows }) => sum + rows, 0),
      lines: all.flatMap(({ lines }) => lines).slice(0, MOST_LINES),
      says: `${says.join('; ')}${all.length > MOST_JOINED ? `; and ${all.length - MOST_JOINED} more kinds` : ''}`,
    };
  });
}

export function becomes(kind: Kind): string {
  const { outcome, reason, confirmed } = kind;
  if (outcome === null) return `rejected until you decide: ${reason === null ? '' : saidInWords(reason)}`;
  if (confirmed) return outcomeText(kind);
  const { proposed, suggested } = kind;
  if (proposed === undefined || reason === null) return `${outcomeText(kind)} (suggested)`;
  const ours = differs(kind) ? `; we suggest ${suggested.outcome === null ? 'nothing' : outcomeText(suggested)}` : '';
  return `${outcome === 'leave_out' ? 'left out' : outcomeText(kind)} (${saidInWords(reason)}${ours})`;
}

export function outcomeText({
  outcome,
  date,
  percent,
  reason,
}: Pick<Kind, 'outcome' | 'date' | 'percent' | 'reason'>): string {
  const day = date === IMPORT_DAY ? 'the day of the import' : date;
  if (outcome === 'completed') return `completed on ${day}`;
  if (outcome === 'certified') return `passed on ${day}`;
  if (outcome === 'failed') return `failed on ${day}`;
  if (outcome === 'in_progress')
    return `in progress, ${percent === null ? '0 %' : `percent from ${percent}`}${date === null ? '' : `, active on ${date}`}`;
  return `left out, because ${reason === null ? 'you say so' : saidInWords(reason)}`;
}

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_OTHERS).join(', ');
  return names.length > MOST_OTHERS ? `${shown} and ${names.length - MOST_OTHERS} more` : shown;
}

/** What `init-mapping --json` promises, and the rest of the findings. */
export function findingsJson(findings: Findings, file: string) {
  const { dates, sheets, kinds, others, encoding, rows, shape } = findings;
  const [learner, course] = [findings.learner, findings.course].map(
    ({ isUndecided: _, others: __, isSample: ___, ...column }) => column,
  );
  return {
    file,
    system: findings.system === null ? null : findings.system.id,
    encoding,
    rows,
    shape: shape.length === 0 ? null : shapeInWords(shape),
    learner,
    course,
    dates: dates.map(({ column, format, first, last, odd }) => ({ column, format, first, last, odd })),
    sheets: sheetsInWords(sheets),
    kinds: kinds.map(({ samples: _, words: __, suggested: ___, proposed: ____, reason, ...kind }) => ({
      ...kind,
      reason: reason === null ? '' : saidInWords(reason),
    })),
    others: others.map(({ column }) => column),
    questions: questionsIn(findings),
  };
}

/** Which rule decided about each column and each kind: by name, and in words. */
export const explanationOf = ({ why, kinds }: Findings) => ({
  columns: Object.entries(why).map(([column, said]) => ({ column, rule: said.code, because: saidInWords(said) })),
  kinds: kinds.map(({ values, reason, words }) => ({
    values,
    rule: reason === null ? null : reason.code,
    because: reason === null ? null : saidInWords(reason),
    words,
  })),
});

export function explanationLines({ columns, kinds }: ReturnType<typeof explanationOf>): string[] {
  return [
    '',
    'Rules that decided about the columns:',
    ...columns.map(({ column, rule, because }) => `  ${column}: ${rule} (${because})`),
    'Rules that decided about the kinds:',
    ...kinds.flatMap(({ values, rule, because, words }) => [
      `  ${shownValues(values)}: ${rule ?? 'no rule'}${because === null ? '' : ` (${because})`}`,
      ...Object.entries(words).map(([column, word]) => `    ${column} = ${ownValue(values, column) ?? ''}: ${word}`),
    ]),
  ];
}
