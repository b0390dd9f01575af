/** What a file says, as a table for the terminal. */
import { shownValues } from '../../engine/kinds/apply.ts';
import { openQuestions } from '../../engine/kinds/confirm.ts';
import type { Findings, FoundColumn, FoundDates, Kind } from '../../engine/kinds/types.ts';
import { grouped } from '../../engine/text.ts';
import { table } from '../terminal.ts';

const MOST_KINDS = 60;
const MOST_OTHERS = 30;

export function findingLines(findings: Findings): string[] {
  const { file, rows, encoding, learner, course, dates, sheets, kinds, others, shape } = findings;
  const left = sheets.filter(({ isImported }) => !isImported);
  return [
    `${file}: ${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}${encoding === null ? '' : `, read as ${encoding}`}`,
    ...(shape === null ? [] : [`  ${shape}`]),
    columnLine('Learner', learner),
    columnLine('Course', course),
    ...dates.filter(({ role }) => role !== null).map(dateLine),
    ...left.map(({ name, reason }) => `  Sheet "${name}" is not imported: ${reason}`),
    '',
    ...kindTable(kinds),
    '',
    ...(others.length === 0 ? [] : [`Not imported: ${listed(others.map(({ column }) => column))}`]),
    ...openQuestions(findings).flatMap(({ about, text }) => (about === 'kind' ? [] : [`To decide: ${text}`])),
  ];
}

function columnLine(what: string, { column, found, of, unknown }: FoundColumn): string {
  if (column === null) return `  ${what}: no column was found`;
  const known = found === null ? `${of} different` : `${found} of ${of} known to the platform`;
  return `  ${what}: ${column} · ${known}${unknown.length === 0 ? '' : ` · not known: ${listed(unknown.slice(0, 5))}`}`;
}

function dateLine({ column, format, formats, samples, first, last, odd, role }: FoundDates): string {
  const shown = samples.map(({ text, date }) => `"${text}" is ${dayInWords(date)}`).join(', ');
  const range = first === null ? '' : ` · ${first} to ${last}`;
  const wrong = odd.length === 0 ? '' : ` · no dates: ${listed(odd.map((text) => `"${text}"`))}`;
  const name = role === 'state' ? column : `${column} (${role})`;
  return `  ${name}: ${format ?? formats.join(' or ')} · ${shown}${range}${wrong}`;
}

/** `4 May 2019`. */
export const dayInWords = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date.slice(0, 10)}T00:00:00Z`),
  );

/** Kinds without a suggestion first. */
function kindTable(kinds: readonly Kind[]): string[] {
  const order = kinds.toSorted((a, b) => Number(a.outcome !== null) - Number(b.outcome !== null) || b.rows - a.rows);
  const shown = order.slice(0, MOST_KINDS);
  return [
    ...table(
      ['rows', 'lines', 'what the rows say', 'what they become'],
      shown.map((kind) => [kind.rows, kind.lines.join(', '), shownValues(kind.values), becomes(kind)]),
    ),
    ...(order.length > shown.length ? [`… and ${order.length - shown.length} more kinds (--json lists all)`] : []),
  ];
}

/** What the rows of a kind become, and whether a person said so. */
export function becomes(kind: Kind): string {
  const { outcome, reason, confirmed } = kind;
  if (outcome === null) return `rejected until you decide: ${reason}`;
  return `${outcomeText(kind)}${confirmed ? '' : ' (suggested)'}`;
}

export function outcomeText({
  outcome,
  date,
  percent,
  reason,
}: Pick<Kind, 'outcome' | 'date' | 'percent' | 'reason'>): string {
  if (outcome === 'completed') return `completed on ${date}`;
  if (outcome === 'certified') return `passed on ${date}`;
  if (outcome === 'failed') return `failed on ${date}`;
  if (outcome === 'in_progress')
    return `in progress, ${percent === null ? '0 %' : `percent from ${percent}`}${date === null ? '' : `, active on ${date}`}`;
  return `left out, because ${reason === '' ? 'you say so' : reason}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_OTHERS).join(', ');
  return names.length > MOST_OTHERS ? `${shown} and ${names.length - MOST_OTHERS} more` : shown;
}
