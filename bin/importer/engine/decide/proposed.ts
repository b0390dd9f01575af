/** Suggestions that come from outside: of a program, or of an assistant. They name what a kind may become, and confirm nothing. */
import * as v from 'valibot';
import { Digest } from '../ground/digest.ts';
import { type EngineError, refusal } from '../ground/errors.ts';
import { ownValue } from '../ground/own-value.ts';
import { say } from '../ground/codes.ts';
import { OUTCOMES } from '../language/schema.ts';
import type { Choices, ChosenOutcome, Findings, Kind, Suggestion } from '../language/findings.ts';
import { canonicalJson } from '../../wire/values.ts';
import { keyOf, outcomesFor } from './outcomes.ts';

const MOST_PROPOSALS = 10_000;
const MOST_CHARACTERS = 500;

/** What one kind of rows may become; `date` and `percent` are columns, `because` says why in the words of who suggests. */
export const proposal = v.strictObject({
  kind: v.string(),
  outcome: v.picklist(OUTCOMES),
  date: v.nullish(v.string()),
  percent: v.nullish(v.string()),
  because: v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_CHARACTERS)),
});

const proposals = v.strictObject({ kinds: v.pipe(v.array(proposal), v.maxLength(MOST_PROPOSALS)) });

export type Proposal = v.InferOutput<typeof proposal>;

/** A kind as it is handed out: `outcomes` are all that it can become. */
export interface ProposableKind extends Pick<
  Kind,
  'values' | 'rows' | 'lines' | 'outcome' | 'date' | 'percent' | 'reason'
> {
  readonly kind: string;
  readonly outcomes: readonly ChosenOutcome[];
}

/** Twelve digits that follow from the values alone, so that a kind has the same name in every reading of the file. */
export const nameOfKind = ({ values }: Pick<Kind, 'values'>): string =>
  new Digest().update(canonicalJson(values)).hex().slice(0, 12);

/** The kinds that no person has confirmed, most rows first. */
export const proposableKinds = (findings: Findings): ProposableKind[] =>
  findings.kinds
    .filter(({ confirmed }) => !confirmed)
    .map((kind) => ({
      kind: nameOfKind(kind),
      values: kind.values,
      rows: kind.rows,
      lines: kind.lines,
      outcome: kind.outcome,
      date: kind.date,
      percent: kind.percent,
      reason: kind.reason,
      outcomes: outcomesFor(kind, findings),
    }));

/** What is suggested about the whole file. A person takes it, or leaves it. */
export const proposedChoices = v.strictObject({
  learner: v.optional(v.string()),
  course: v.optional(v.string()),
  dates: v.optional(v.record(v.string(), v.string())),
  state: v.optional(v.record(v.string(), v.boolean())),
  timeZone: v.optional(v.string()),
});

export type ProposedChoices = v.InferOutput<typeof proposedChoices>;

const kept = v.object({
  by: v.string(),
  choices: v.optional(proposedChoices, {}),
  kinds: v.array(
    v.pipe(
      v.object({ kind: v.string(), proposed: v.omit(proposal, ['kind', 'because']), because: v.string() }),
      v.transform(({ kind, proposed, because }): Proposal => ({ kind, because, ...proposed })),
    ),
  ),
});

/** What somebody proposes about a file. */
export interface Proposed {
  readonly by: string;
  readonly choices: ProposedChoices;
  readonly kinds: readonly Proposal[];
}

/** What an assistant has proposed in the draft of a run; `undefined` where it has not. */
export function proposalIn(document: unknown): Proposed | undefined {
  const { success, output } = v.safeParse(v.object({ proposal_of_mapping: kept }), document);
  return success ? output.proposal_of_mapping : undefined;
}

/** What is proposed about the whole file and is not chosen, each with its column, if it is about one. */
export function openChoices(
  { choices: { learner, course, timeZone, dates, state } }: Proposed,
  chosen: Choices,
): readonly { readonly about: keyof ProposedChoices; readonly column?: string; readonly to: string | boolean }[] {
  const all = [
    { about: 'learner', to: learner, is: chosen.learner },
    { about: 'course', to: course, is: chosen.course },
    { about: 'timeZone', to: timeZone, is: chosen.timeZone },
    ...Object.entries(dates ?? {}).map(([column, to]) => ({
      about: 'dates' as const,
      column,
      to,
      is: ownValue(chosen.dates, column),
    })),
    ...Object.entries(state ?? {}).map(([column, to]) => ({
      about: 'state' as const,
      column,
      to,
      is: ownValue(chosen.state, column),
    })),
  ] as const;
  return all.flatMap(({ is, to, ...each }) => (to === undefined || to === is ? [] : [{ ...each, to }]));
}

/** @throws EngineError for JSON of another form */
export function checkedProposals(json: unknown, by: string): readonly Proposal[] {
  const { success, output, issues } = v.safeParse(proposals, json);
  if (success) return output.kinds;
  const [first] = issues;
  throw refusal('proposals_unreadable', { by, at: v.getDotPath(first) ?? '', problem: first.message });
}

/**
 * The findings with these suggestions in place of ours; none of them is confirmed.
 *
 * @param isKept they were made before, so those that do not fit this file any more are left aside
 * @throws EngineError for a kind that is not there or that a person has confirmed, and for what a kind cannot become
 */
export function withProposals(
  findings: Findings,
  { by, kinds: given }: Pick<Proposed, 'by' | 'kinds'>,
  isKept = false,
): Findings {
  const open = new Map(
    findings.kinds.filter(({ confirmed }) => isKept || !confirmed).map((kind) => [nameOfKind(kind), kind]),
  );
  const proposed = new Map<Kind, Suggestion>();
  for (const each of given) {
    const kind = open.get(each.kind);
    if (kind !== undefined && isPossible(each, kind, findings)) proposed.set(kind, suggestionOf(each, by));
    else if (!isKept) throw refusalOf(each, kind, by);
  }
  const kinds = findings.kinds.map((kind): Kind => {
    const found = proposed.get(kind);
    return found === undefined ? kind : { ...kind, proposed: found, ...(!kind.confirmed && found) };
  });
  return { ...findings, kinds };
}

const suggestionOf = ({ outcome, date = null, percent = null, because }: Proposal, by: string): Suggestion => {
  return { outcome, date, percent, reason: say('proposed_by', { by, text: because }) };
};

/** The choices of a person who takes what is proposed about the whole file. */
export const withChoices = (chosen: Choices, { choices }: Proposed): Choices => ({
  ...chosen,
  ...choices,
  dates: { ...chosen.dates, ...choices.dates },
  state: { ...chosen.state, ...choices.state },
});

const isPossible = (given: Proposal, kind: Kind, findings: Findings): boolean =>
  outcomesFor(kind, findings).some((each) => keyOf(each) === keyOf(given));

function refusalOf({ kind, outcome, date, percent }: Proposal, known: Kind | undefined, by: string): EngineError {
  return known === undefined
    ? refusal('proposal_of_no_kind', { by, kind })
    : refusal('proposal_impossible', { by, values: known.values, outcome, column: date ?? percent ?? null });
}
