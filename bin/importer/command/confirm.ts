/** What a file says, as a table for the terminal, and the questions that it leaves: about the whole file first, then a kind each. */
import { sheetsInWords } from './advice.ts';
import { shownValues } from '../engine/apply/kinds.ts';
import {
  confirmSuggestions,
  datesText,
  fractionsText,
  openQuestions,
  outcomesFor,
  sharedText,
  withOutcome,
} from '../engine/decide/confirm.ts';
import {
  type Findings,
  type FoundColumn,
  type FoundDates,
  LEAVE_OUT,
  type Kind,
  type Choices,
  type Outcome,
} from '../engine/language/findings.ts';
import { rowsText } from '../engine/ground/text.ts';
import { askChoice, askSome, askText, askToConfirm, type Choice, type Output, table } from './terminal.ts';
import { isTimeZone } from '../engine/dates/time-zone.ts';

const MOST_KINDS = 60;
const MOST_OTHERS = 30;

export function findingLines(findings: Findings): string[] {
  const { file, rows, encoding, learner, course, dates, sheets, kinds, others, shape, unclear } = findings;
  const left = sheetsInWords(sheets).filter(({ isImported }) => !isImported);
  return [
    `${file}: ${rowsText(rows)}${encoding === null ? '' : `, read as ${encoding}`}`,
    ...(shape === null ? [] : [`  ${shape}`]),
    columnLine('Learner', learner),
    columnLine('Course', course),
    ...dates.filter(({ role }) => role !== null).map(dateLine),
    ...findings.fractions.map(
      ({ column, samples }) =>
        `  ${column}: ${samples.map(({ text, percent }) => `"${text}" is ${percent} %`).join(', ')}`,
    ),
    ...left.map(({ name, reason }) => `  "${name}" is not imported: ${reason}`),
    '',
    ...kindTable(kinds),
    '',
    ...(others.length === 0 ? [] : [`Not imported: ${listed(others.map(({ column }) => column))}`]),
    ...(unclear.length === 0
      ? []
      : [
          `What these columns say is not known: ${listed(unclear)}. init-mapping at a terminal sets aside those that do not matter; so do the next runs of it once "choices" of the mapping says {"state":{${JSON.stringify(unclear[0])}:false}}.`,
        ]),
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
const dayInWords = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date.slice(0, 10)}T00:00:00Z`),
  );

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

function becomes(kind: Kind): string {
  const { outcome, reason, confirmed } = kind;
  if (outcome === null) return `rejected until you decide: ${reason}`;
  return `${outcomeText(kind)}${confirmed ? '' : ' (suggested)'}`;
}

function outcomeText({
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

type Find = (choices: Choices) => Promise<Findings>;

export async function askAll(first: Findings, find: Find, output: Output): Promise<Findings> {
  for (const line of findingLines(first)) output.note(line);
  const choices = await askColumns(first);
  const isSame = JSON.stringify(choices) === JSON.stringify(first.choices);
  let findings = isSame ? first : carried(first, await find(choices));
  if (!isSame) for (const line of findingLines(findings)) output.note(line);
  findings = await askEach(findings, openKinds(findings, false));
  const suggested = openKinds(findings, true);
  if (suggested.length === 0) return findings;
  for (const kind of suggested)
    output.note(`  ${rowsText(kind.rows)}: ${shownValues(kind.values)} → ${outcomeText(kind)}`);
  const isRight = await askToConfirm(
    suggested.length === 1 ? 'Confirm this suggestion?' : `Confirm these ${suggested.length} suggestions?`,
  );
  return isRight ? confirmSuggestions(findings) : askEach(findings, suggested);
}

const openKinds = ({ kinds }: Findings, isSuggested: boolean): Kind[] =>
  kinds.filter(({ outcome, confirmed }) => (outcome !== null) === isSuggested && !confirmed);

async function askEach(first: Findings, kinds: readonly Kind[]): Promise<Findings> {
  let findings = first;
  for (const kind of kinds) {
    const outcome = await askKind(kind, findings);
    if (outcome !== undefined) findings = withOutcome(findings, kind.values, outcome);
  }
  return findings;
}

/** What was confirmed before a choice of a column stays. */
const carried = (before: Findings, after: Findings): Findings =>
  before.kinds.some(({ confirmed }) => confirmed) ? confirmSuggestions(after) : after;

/** What concerns the whole file: a choice that changes nothing else of what was found. */
async function askColumns(findings: Findings): Promise<Choices> {
  const { learner, course, choices, isShapeOpen, shape } = findings;
  return {
    ...choices,
    ...(learner.isUndecided && hasChoice(learner) ? { learner: await askColumn('learner', learner) } : {}),
    ...(course.isUndecided && hasChoice(course) ? { course: await askColumn('course', course) } : {}),
    dates: await answers(
      choices.dates,
      findings.dates.filter(({ format }) => format === null),
      columnOf,
      askFormat,
    ),
    ...(isShapeOpen ? { shape: await askToConfirm(`${shape} Is that so?`) } : {}),
    fractions: await answers(
      choices.fractions,
      findings.fractions.filter(({ isOpen }) => isOpen),
      columnOf,
      (each) => askToConfirm(fractionsText(each)),
    ),
    shared: await answers(
      choices.shared,
      findings.shared,
      ({ text }) => text,
      async (each) => ((await askToConfirm(sharedText(each))) ? 'import' : 'leave_out'),
    ),
    ...(await askState(findings)),
    ...(findings.localTimes > 0 ? { timeZone: await askZone() } : {}),
  };
}

const hasChoice = ({ column, others }: Findings['learner']): boolean => others.length + (column === null ? 0 : 1) > 0;

/** The earlier answers, with those of a person to what is open. */
async function answers<Item, Answer>(
  earlier: Readonly<Record<string, Answer>> | undefined,
  open: readonly Item[],
  nameOf: (item: Item) => string,
  ask: (item: Item) => Promise<Answer>,
): Promise<Record<string, Answer> | undefined> {
  const all = new Map(Object.entries(earlier ?? {}));
  for (const item of open) all.set(nameOf(item), await ask(item));
  return all.size === 0 ? undefined : Object.fromEntries(all);
}

const columnOf = ({ column }: { readonly column: string }): string => column;

const askFormat = (dates: FoundDates): Promise<string> =>
  dates.orders === null
    ? askOne(`How is "${dates.samples[0]?.text ?? dates.column}" in "${dates.column}" read?`, dates.formats)
    : askChoice(datesText(dates), [
        ...dates.formats.map((value) => ({ value, label: value })),
        { value: LEAVE_OUT, label: 'leave the column out' },
      ]);

/** Which columns decide what becomes of a row. */
async function askState(findings: Findings): Promise<Pick<Choices, 'state' | 'whole_course'>> {
  const { freeText, parts, unclear, kinds, choices } = findings;
  const state: Record<string, boolean> = { ...choices.state };
  for (const column of freeText)
    state[column] = await askToConfirm(`"${column}" has many different texts. Does it say what becomes of a row?`);
  const part = parts.length === 0 ? '' : await askParts(parts);
  if (part !== '' && part !== WHOLE) state[part] = true;
  const asked = unclear.filter((column) => state[column] === undefined);
  if (asked.length > 0)
    for (const column of await askSome(
      UNCLEAR,
      asked.map((column) => unclearChoice(column, kinds)),
    ))
      state[column] = false;
  return {
    ...(part === WHOLE ? { whole_course: true } : {}),
    ...(Object.keys(state).length === 0 ? {} : { state }),
  };
}

const WHOLE = ':whole course';

/** Empty: it stays open. */
const askParts = (parts: readonly string[]): Promise<string> =>
  askChoice(`${parts.map((part) => `"${part}"`).join(', ')} may name parts of a course. What does a row say?`, [
    { value: '', label: 'decide later: nothing is imported' },
    { value: WHOLE, label: 'each row is the whole course' },
    ...parts.map((part) => ({ value: part, label: `"${part}" decides what becomes of a row` })),
  ]);

const UNCLEAR = 'What these columns say is not known. Mark those that do not matter to what becomes of a row.';

function unclearChoice(column: string, kinds: readonly Kind[]): Choice {
  const texts = new Set(kinds.map(({ values }) => values[column] ?? ''));
  return { value: column, label: `${column}: ${listed([...texts])}` };
}

async function askZone(): Promise<string> {
  for (;;) {
    const zone = await askText('Some times have no zone. In which zone are they, like Europe/Madrid?', 'UTC');
    if (isTimeZone(zone)) return zone;
  }
}

const askColumn = (what: string, { column, others }: Findings['learner']): Promise<string> =>
  askOne(`Which column names the ${what}?`, [
    ...(column === null ? [] : [column]),
    ...others.map((each) => each.column),
  ]);

const askOne = (message: string, values: readonly string[]): Promise<string> =>
  askChoice(
    message,
    values.map((value) => ({ value, label: value })),
  );

/** `undefined`: the rows stay out. */
async function askKind(kind: Kind, findings: Findings): Promise<Outcome | undefined> {
  const options: Outcome[] = [
    ...(kind.outcome === null ? [] : [{ ...kind, outcome: kind.outcome }]),
    ...outcomesFor(kind, findings),
  ];
  const asChosen = options.map((outcome, index) => ({ value: String(index), label: labelOf(outcome) }));
  const later = { value: '', label: 'decide later: these rows are rejected' };
  // Enter alone decides nothing that was not suggested.
  const choices = kind.outcome === null ? [later, ...asChosen] : [...asChosen, later];
  const chosen = await askChoice(questionOf(kind), choices);
  const wanted = chosen === '' ? undefined : options[Number(chosen)];
  if (wanted === undefined) return undefined;
  const { outcome, date = null, percent = null, reason = null } = wanted;
  return { outcome, date, percent, reason };
}

const labelOf = ({ outcome, date = null, percent = null, reason }: Outcome): string =>
  outcomeText({ outcome, date, percent, reason: reason ?? '' });

function questionOf(kind: Kind): string {
  const rows = kind.samples.map(({ line, learner, course }) => `line ${line}: ${learner}, ${course}`).join('; ');
  return `${rowsText(kind.rows)} with ${shownValues(kind.values)} (${becomes(kind)}; ${rows}). What do they become?`;
}
