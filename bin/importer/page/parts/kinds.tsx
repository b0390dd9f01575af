/** Kinds of rows: what the file says, how many rows say it, and what they become. */
import { ownValue } from '../../engine/ground/own-value.ts';
import { shown } from '../../engine/ground/text.ts';
import { differs, outcomesFor } from '../../engine/decide/outcomes.ts';
import {
  type ChosenOutcome,
  type Findings,
  IMPORT_DAY,
  type Kind,
  type KindValues,
} from '../../engine/language/findings.ts';
import { call, current, UNCHECKED, update } from '../state/store.ts';
import { columnName, sentenceOf, TEXT } from '../texts/index.ts';
import { Button, Chips, Legend } from './controls.tsx';
import { type Option, Select } from './select.tsx';
import { Table } from './table.tsx';

const text = TEXT.review;

const wordOf = (value: string): string => ownValue(text.classes, value) ?? shown(value);

const nameOf = ({ values }: Kind): string =>
  Object.entries(values)
    .map(([column, value]) => `${columnName(column)} ${wordOf(value)}`)
    .join(', ');

/** A cell that is no date or no number is no kind: the rows are listed together. */
export const hasOddCell = ({ values }: Kind): boolean =>
  Object.values(values).some((value) => value === 'impossible' || value === 'no number');

const keyOf = ({ outcome, date = null, percent = null }: ChosenOutcome): string =>
  JSON.stringify([outcome, date, percent]);

const dateName = (date: string): string => (date === IMPORT_DAY ? text.importDay : columnName(date));

function outcomeText({ outcome, date, percent }: ChosenOutcome): string {
  if (outcome === 'leave_out') return text.leaveOut;
  if (outcome === 'in_progress') return percent ? text.percentFrom(columnName(percent)) : text.inProgress;
  return text.on(text.states[outcome], date ? dateName(date) : '');
}

type ShownState = keyof typeof text.states;

const STATES: readonly ShownState[] = ['completed', 'certified', 'in_progress', 'failed', 'leave_out', 'undecided'];

const colourOf = (state: ShownState) => ({ color: `var(--${state})` });

const Mark = ({ state }: { readonly state: ShownState }) => <span class="mark" style={colourOf(state)} />;

export const rowsOf = (kinds: readonly Kind[]): number => kinds.reduce((sum, { rows }) => sum + rows, 0);

/** How many rows become what, confirmed or suggested: one bar, and its counts in words. */
export function StateBar({ kinds }: { readonly kinds: readonly Kind[] }) {
  const byState = Object.groupBy(kinds, ({ outcome }) => outcome ?? 'undecided');
  const counts = STATES.map((state) => [state, rowsOf(byState[state] ?? [])] as const);
  return (
    <>
      <div class="bar" aria-hidden="true">
        {counts
          .filter(([, count]) => count > 0)
          .map(([state, count]) => (
            <span style={{ ...colourOf(state), flex: `${count} 0 3px` }} />
          ))}
      </div>
      <Legend
        label={text.becomes}
        counts={counts.map(([state, count]) => [text.states[state], count, <Mark state={state} />])}
      />
    </>
  );
}

export type GroupName = 'undecided' | 'proposed' | 'suggested' | 'confirmed';

/** The kind that a person has just decided, and the group that it is shown in until the focus leaves its row. */
export interface Held {
  readonly id: string;
  readonly group: GroupName;
}

const idOf = ({ values }: Kind): string => JSON.stringify(values);

function groupOf({ outcome, confirmed, proposed }: Kind): GroupName {
  if (confirmed) return 'confirmed';
  if (proposed !== undefined) return 'proposed';
  return outcome === null ? 'undecided' : 'suggested';
}

/** @returns the kinds of each group, and those that are shown in it */
export function grouped(kinds: readonly Kind[], held: Held | undefined) {
  const shownIn = (kind: Kind): GroupName => (held?.id === idOf(kind) ? held.group : groupOf(kind));
  const [own, listed] = [Object.groupBy(kinds, groupOf), Object.groupBy(kinds, shownIn)];
  const of = (name: GroupName) => ({ kinds: own[name] ?? [], listed: listed[name] ?? [] });
  return {
    undecided: of('undecided'),
    proposed: of('proposed'),
    suggested: of('suggested'),
    confirmed: of('confirmed'),
  };
}

interface Props {
  readonly findings: Findings;
  readonly kinds: readonly Kind[];
  readonly group: GroupName;
  readonly onHold: (held: Held) => void;
  readonly onRelease: (id: string) => void;
  readonly isOpen?: boolean;
}

function leaves({ currentTarget, relatedTarget }: FocusEvent & { readonly currentTarget: HTMLElement }): boolean {
  const isInside = (place: EventTarget | null): boolean => place instanceof Node && currentTarget.contains(place);
  // A window that goes to the back keeps its focus.
  return !isInside(relatedTarget) && !isInside(document.activeElement);
}

let isPointing = false;
addEventListener('pointerdown', () => (isPointing = true), { capture: true });
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isPointing = false), { capture: true });

/** Once a press that is under way has reached what it was meant for: a row that moves before would take its place. */
function afterPress(step: () => void): void {
  if (!isPointing) return step();
  addEventListener('pointerup', () => setTimeout(step), { once: true });
}

export const KindList = ({ findings, kinds, group, onHold, onRelease, isOpen = false }: Props) => (
  <ul class="kinds card">
    {kinds.map((kind) => (
      <li
        class="kind"
        key={idOf(kind)}
        onFocusOut={(event) => leaves(event) && afterPress(() => onRelease(idOf(kind)))}
      >
        <div class="says">
          <Mark state={kind.outcome === null || !kind.confirmed ? 'undecided' : kind.outcome} />
          <Chips
            chips={Object.entries(kind.values).map(([column, value]) => (
              <>
                <span class="hint">{columnName(column)}</span>
                {wordOf(value)}
              </>
            ))}
          />
        </div>
        <strong class="number">{TEXT.n(kind.rows)}</strong>
        <span class="choice">
          <Choice kind={kind} outcomes={outcomesFor(kind, findings)} onStay={() => onHold({ id: idOf(kind), group })} />
          <Decide kind={kind} onStay={() => onHold({ id: idOf(kind), group })} />
        </span>
        <details class="more" open={isOpen}>
          <summary class="hint">{whyOf(kind)}</summary>
          {differs(kind) && <p>{oursOf(kind.suggested)}</p>}
          <Table
            caption={text.rowsOf(nameOf(kind))}
            head={[text.line, text.person, TEXT.check.course, ...Object.keys(kind.values).map(columnName)]}
            rows={kind.samples}
            cells={({ line, learner, course, cells }) => [
              String(line),
              learner,
              course,
              ...Object.keys(kind.values).map((column) => ownValue(cells, column) ?? ''),
            ]}
          />
        </details>
      </li>
    ))}
  </ul>
);

/** Why it is suggested, or why nothing is; else what the rows are. */
const whyOf = (kind: Kind): string =>
  kind.reason === null ? text.rowsOf(nameOf(kind)) : shown(sentenceOf(kind.reason));

/** What we would suggest where something else is proposed, and why. */
function oursOf({ outcome, date, percent, reason }: Kind['suggested']): string {
  const why = reason === null ? '' : shown(sentenceOf(reason));
  return text.ours(outcome === null ? undefined : outcomeText({ outcome, date, percent }), why);
}

interface ChoiceProps {
  readonly kind: Kind;
  readonly outcomes: readonly ChosenOutcome[];
  /** Before what was chosen by keyboard, or by a button of the row, is decided: the row stays where it is. */
  readonly onStay: () => void;
}

const decide = (values: KindValues, outcome: ChosenOutcome | null): void =>
  void call('choose', values, outcome).then(decided);

type Heading = keyof typeof text.headings;

const headingOf = ({ outcome }: ChosenOutcome): Heading => (outcome === 'certified' ? 'completed' : outcome);

function Choice({ kind, outcomes, onStay }: ChoiceProps) {
  const { outcome, date, percent, values, rows, confirmed } = kind;
  const value = outcome === null ? '' : keyOf({ outcome, date, percent });
  const known = new Map(outcomes.map((each) => [keyOf(each), each]));
  if (outcome !== null && !known.has(value)) known.set(value, { outcome, date, percent });
  const byHeading = Object.groupBy(known, ([, each]) => headingOf(each));
  return (
    <Select
      aria-label={text.outcomeOf(rows, nameOf(kind))}
      open={outcome === null ? text.choose : undefined}
      value={value}
      options={[]}
      groups={HEADINGS.map((heading) => [
        text.headings[heading],
        (byHeading[heading] ?? []).map(([key, each]): Option => [key, outcomeText(each)]),
      ])}
      isSuggestion={outcome !== null && !confirmed}
      onDecide={(key, isByKeyboard) => {
        if (isByKeyboard) onStay();
        decide(values, known.get(key) ?? null);
      }}
    />
  );
}

const HEADINGS: readonly Heading[] = ['completed', 'in_progress', 'failed', 'leave_out'];

/** Confirms what is suggested for one kind, or opens it again. */
function Decide({ kind, onStay }: Pick<ChoiceProps, 'kind' | 'onStay'>) {
  const { outcome, date, percent, reason, values, confirmed } = kind;
  if (outcome === null) return null;
  const [label, to] = confirmed ? [text.undo, null] : [text.confirmOne, { outcome, date, percent, reason }];
  return (
    <Button
      text={label}
      label={`${nameOf(kind)}: ${label}`}
      kind="plain"
      onClick={() => {
        onStay();
        decide(values, to);
      }}
    />
  );
}

/** What depends on the kinds has to be found out again. */
export const decided = (findings: Findings): void =>
  update({ findings, ...UNCHECKED, mapping: undefined, announcement: progressOf(findings) });

export function progressOf({ kinds, rows }: Findings): string {
  const confirmed = rowsOf(kinds.filter((kind) => kind.confirmed));
  const open = rowsOf(kinds.filter(({ outcome }) => outcome === null));
  const waiting = rows - confirmed - open;
  return [
    text.open(confirmed, rows),
    ...(waiting > 0 ? [text.toConfirm(waiting)] : []),
    ...(open > 0 ? [text.withoutSuggestion(open)] : []),
  ].join(' · ');
}

/** Makes of each kind that is completed one that is passed: certified where the course has an exam. */
export function completedMeansPassed(): void {
  const kinds = current().findings?.kinds.filter(({ outcome }) => outcome === 'completed') ?? [];
  for (const { values, date } of kinds) void call('choose', values, { outcome: 'certified', date }).then(decided);
}
