/** The questions that a file leaves, at a terminal: about the whole file first, then a kind each. */
import { ownValue } from '../engine/ground/own-value.ts';
import { shownValues } from '../texts/en-kinds.ts';
import {
  confirmSuggestions,
  isSuggested,
  whetherFractions,
  whichOrder,
  whoseAddress,
  withOutcome,
} from '../engine/decide/confirm.ts';
import {
  type ChosenOutcome,
  type Findings,
  type FoundDates,
  LEAVE_OUT,
  type Kind,
  type Choices,
} from '../engine/language/findings.ts';
import { differs, outcomesFor } from '../engine/decide/outcomes.ts';
import { openChoices, type Proposed, withChoices } from '../engine/decide/proposed.ts';
import { rowsText } from '../engine/ground/text.ts';
import { saidInWords } from './advice.ts';
import { becomes, findingLines, inLines, listed, outcomeText, systemInWords } from './findings.ts';
import { askChoice, askSome, askText, askToConfirm, type Choice, type Output } from './terminal.ts';
import { say } from '../engine/ground/codes.ts';
import { isTimeZone } from '../engine/dates/time-zone.ts';

type Find = (choices: Choices) => Promise<Findings>;

export async function askAll(found: Findings, find: Find, output: Output): Promise<Findings> {
  const first = await askSystem(found, find);
  for (const line of findingLines(first)) output.note(line);
  const choices = await askColumns(first);
  const isSame = JSON.stringify(choices) === JSON.stringify(first.choices);
  let findings = isSame ? first : carried(first, await find(choices));
  if (!isSame) for (const line of findingLines(findings)) output.note(line);
  findings = await askEach(findings, openKinds(findings, false));
  const suggested = openKinds(findings, true);
  if (suggested.length === 0) return findings;
  for (const { kind, rows, says } of inLines(suggested))
    output.note(`  ${rowsText(rows)}: ${says} → ${outcomeText(kind)}`);
  const isRight = await askToConfirm(
    suggested.length === 1 ? 'Confirm this suggestion?' : `Confirm these ${suggested.length} suggestions?`,
  );
  return isRight ? confirmSuggestions(findings) : askEach(findings, suggested);
}

/** What is proposed about the whole file is taken or left, before any kind is looked at. */
export async function askProposed(choices: Choices, proposal: Proposed): Promise<Choices> {
  const open = openChoices(proposal, choices);
  if (open.length === 0) return choices;
  const listed = open.map(({ about, column, to }) =>
    about === 'state'
      ? `${to === true ? 'decided' : 'not decided'} by "${column}"`
      : `${ABOUT[about]}${column === undefined ? '' : ` "${column}"`}: ${to}`,
  );
  const isTaken = await askToConfirm(`${proposal.by} proposes about the whole file ${listed.join(', ')}. Take it?`);
  return isTaken ? withChoices(choices, proposal) : choices;
}

const ABOUT = {
  learner: 'column of learners',
  course: 'column of courses',
  dates: 'dates in',
  timeZone: 'time zone',
} as const;

/** Yes confirms all that the descriptor of the system says; no reads the file as any other. */
async function askSystem(found: Findings, find: Find): Promise<Findings> {
  const { system, choices } = found;
  if (system === null || system.confirmed) return found;
  const isRight = await askToConfirm(`This is ${systemInWords(system)}: right?`);
  return isRight ? confirmSuggestions(found) : find({ ...choices, system: false });
}

/** Kinds to confirm together, or to ask about one by one: first those whose proposal differs from our suggestion. */
const openKinds = ({ kinds }: Findings, areSuggested: boolean): Kind[] =>
  kinds
    .filter((kind) => !kind.confirmed && isSuggested(kind) === areSuggested)
    .toSorted((a, b) => Number(differs(b)) - Number(differs(a)));

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
    ...(isShapeOpen ? { shape: await askToConfirm(saidInWords(say('shape_is_open', { shape }))) } : {}),
    fractions: await answers(
      choices.fractions,
      findings.fractions.filter(({ isOpen }) => isOpen),
      columnOf,
      (each) => askToConfirm(saidInWords(whetherFractions(each))),
    ),
    shared: await answers(
      choices.shared,
      findings.shared,
      ({ text }) => text,
      async (each) => ((await askToConfirm(saidInWords(whoseAddress(each)))) ? 'import' : 'leave_out'),
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
    : askChoice(saidInWords(whichOrder(dates)), [
        ...dates.formats.map((value) => ({ value, label: value })),
        { value: LEAVE_OUT, label: 'leave the column out' },
      ]);

/** Which columns decide what becomes of a row. */
async function askState(findings: Findings): Promise<Pick<Choices, 'state' | 'whole_course'>> {
  const { freeText, parts, unclear, kinds, choices } = findings;
  const state = new Map(Object.entries(choices.state ?? {}));
  for (const column of freeText)
    state.set(column, await askToConfirm(`"${column}" has many different texts. Does it say what becomes of a row?`));
  const part = parts.length === 0 ? '' : await askParts(parts);
  if (part !== '' && part !== WHOLE) state.set(part, true);
  const asked = unclear.filter((column) => !state.has(column));
  if (asked.length > 0)
    for (const column of await askSome(
      UNCLEAR,
      asked.map((column) => unclearChoice(column, kinds)),
    ))
      state.set(column, false);
  return {
    ...(part === WHOLE ? { whole_course: true } : {}),
    ...(state.size === 0 ? {} : { state: Object.fromEntries(state) }),
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
  const texts = new Set(kinds.map(({ values }) => ownValue(values, column) ?? ''));
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
async function askKind(kind: Kind, findings: Findings): Promise<ChosenOutcome | undefined> {
  const suggested: ChosenOutcome[] = kind.outcome === null ? [] : [{ ...kind, outcome: kind.outcome }];
  const others = outcomesFor(kind, findings).filter((each) => !suggested.some((one) => labelOf(one) === labelOf(each)));
  const options = [...suggested, ...others];
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

const labelOf = ({ outcome, date = null, percent = null, reason = null }: ChosenOutcome): string =>
  outcomeText({ outcome, date, percent, reason });

function questionOf(kind: Kind): string {
  const rows = kind.samples.map(({ line, learner, course }) => `line ${line}: ${learner}, ${course}`).join('; ');
  return `${rowsText(kind.rows)} with ${shownValues(kind.values)} (${becomes(kind)}; ${rows}). What do they become?`;
}
