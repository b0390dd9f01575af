/** Asks at the terminal: what is about the whole file first, then a question a kind that needs one, then all others at once. */
import { shownValues } from '../../engine/kinds/apply.ts';
import { confirmSuggestions, withOutcome } from '../../engine/kinds/confirm.ts';
import { type Choices, type Findings, IMPORT_DAY, type Kind, type Outcome } from '../../engine/kinds/types.ts';
import { isTimeZone } from '../../engine/mapping/time-zone.ts';
import { askChoice, askText, askToConfirm, type Output } from '../terminal.ts';
import { becomes, findingLines, outcomeText } from './lines.ts';

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
  for (const kind of suggested) output.note(`  ${kind.rows} rows: ${shownValues(kind.values)} → ${outcomeText(kind)}`);
  const isRight = await askToConfirm(`Confirm these ${suggested.length} suggestions?`);
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
  const { learner, course, choices } = findings;
  return {
    ...choices,
    ...(learner.isUndecided && hasChoice(learner) ? { learner: await askColumn('learner', learner) } : {}),
    ...(course.isUndecided && hasChoice(course) ? { course: await askColumn('course', course) } : {}),
    ...(await askDates(findings)),
    ...(await askShape(findings)),
    ...(await askFreeText(findings)),
    ...(findings.localTimes > 0 ? { timeZone: await askZone() } : {}),
  };
}

const hasChoice = ({ column, others }: Findings['learner']): boolean => others.length + (column === null ? 0 : 1) > 0;

async function askDates({ dates, choices }: Findings): Promise<Pick<Choices, 'dates'>> {
  const chosen: Record<string, string> = { ...choices.dates };
  for (const { column, format, formats, samples } of dates)
    if (format === null)
      chosen[column] = await askOne(`How is "${samples[0]?.text ?? column}" in "${column}" read?`, formats);
  return Object.keys(chosen).length === 0 ? {} : { dates: chosen };
}

async function askShape({ isShapeOpen, shape, parts }: Findings): Promise<Pick<Choices, 'shape' | 'wholeCourse'>> {
  const isWhole = `"${parts[0]}" may name parts of a course. Is each row the whole course?`;
  return {
    ...(isShapeOpen ? { shape: await askToConfirm(`${shape} Is that so?`) } : {}),
    ...(parts.length > 0 ? { wholeCourse: await askToConfirm(isWhole) } : {}),
  };
}

async function askFreeText({ freeText, choices }: Findings): Promise<Pick<Choices, 'state'>> {
  const state: Record<string, boolean> = { ...choices.state };
  for (const column of freeText)
    state[column] = await askToConfirm(`"${column}" has many different texts. Does it say what becomes of a row?`);
  return Object.keys(state).length === 0 ? {} : { state };
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
async function askKind(kind: Kind, { dates, columns }: Findings): Promise<Outcome | undefined> {
  const filled = dates.filter(({ column }) => columns[column] === undefined || kind.values[column] === 'a date');
  const percents = Object.keys(columns).filter(
    (name) =>
      ['percent', 'share'].includes(columns[name]?.read ?? '') &&
      ['0', 'between', 'none'].includes(kind.values[name] ?? ''),
  );
  const options: Outcome[] = [
    ...(kind.outcome === null ? [] : [{ ...kind, outcome: kind.outcome }]),
    ...filled.map(({ column }): Outcome => ({ outcome: 'completed', date: column })),
    ...filled.map(({ column }): Outcome => ({ outcome: 'certified', date: column })),
    ...filled.map(({ column }): Outcome => ({ outcome: 'failed', date: column })),
    ...percents.map((percent): Outcome => ({ outcome: 'in_progress', percent })),
    { outcome: 'in_progress' },
    { outcome: 'leave_out', reason: 'not started' },
    { outcome: 'leave_out', reason: 'it does not count' },
    { outcome: 'completed', date: IMPORT_DAY },
    { outcome: 'certified', date: IMPORT_DAY },
  ];
  const asChosen = options.map((outcome, index) => ({ value: String(index), label: labelOf(outcome) }));
  const chosen = await askChoice(questionOf(kind), [
    ...asChosen,
    { value: '', label: 'decide later: these rows are rejected' },
  ]);
  const wanted = chosen === '' ? undefined : options[Number(chosen)];
  if (wanted === undefined) return undefined;
  const { outcome, date = null, percent = null, reason = null } = wanted;
  return { outcome, date, percent, reason };
}

const labelOf = ({ outcome, date = null, percent = null, reason }: Outcome): string =>
  outcomeText({ outcome, date, percent, reason: reason ?? '' });

function questionOf(kind: Kind): string {
  const rows = kind.samples.map(({ line, learner, course }) => `line ${line}: ${learner}, ${course}`).join('; ');
  const count = `${kind.rows} ${kind.rows === 1 ? 'row' : 'rows'}`;
  return `${count} with ${shownValues(kind.values)} (${becomes(kind)}; ${rows}). What do they become?`;
}
