/** Suggestions that come from outside: of a program, or of an assistant. They name what a kind may become, and confirm nothing. */
import * as v from 'valibot';
import { Digest } from '../ground/digest.ts';
import { refusal } from '../ground/errors.ts';
import { say } from '../ground/codes.ts';
import { OUTCOMES } from '../language/schema.ts';
import type { ChosenOutcome, Findings, Kind } from '../language/findings.ts';
import { canonicalJson } from '../../wire/values.ts';
import { outcomesFor } from './confirm.ts';

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

const kept = v.object({
  by: v.string(),
  kinds: v.array(
    v.pipe(
      v.object({ kind: v.string(), proposed: v.omit(proposal, ['kind', 'because']), because: v.string() }),
      v.transform(({ kind, proposed, because }): Proposal => ({ kind, because, ...proposed })),
    ),
  ),
});

/** What an assistant has proposed in the draft of a run; `undefined` where it has not. */
export function proposalIn(
  document: unknown,
): { readonly by: string; readonly kinds: readonly Proposal[] } | undefined {
  const { success, output } = v.safeParse(v.object({ proposal_of_mapping: kept }), document);
  return success ? output.proposal_of_mapping : undefined;
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
 * @param by who suggests them
 * @throws EngineError for a kind that is not there or that a person has confirmed, and for what a kind cannot become
 */
export function withProposals(findings: Findings, given: readonly Proposal[], by: string): Findings {
  const byName = new Map(given.map((each) => [each.kind, each]));
  const open = new Map(proposableKinds(findings).map((each) => [each.kind, each]));
  for (const each of given) refuseImpossible(each, open.get(each.kind), by);
  const kinds = findings.kinds.map((kind): Kind => {
    const found = kind.confirmed ? undefined : byName.get(nameOfKind(kind));
    if (found === undefined) return kind;
    const { outcome, date = null, percent = null, because } = found;
    return { ...kind, outcome, date, percent, reason: say('proposed_by', { by, text: because }) };
  });
  return { ...findings, kinds };
}

function refuseImpossible(
  { kind, outcome, date = null, percent = null }: Proposal,
  open: ProposableKind | undefined,
  by: string,
): void {
  if (open === undefined) throw refusal('proposal_of_no_kind', { by, kind });
  const isPossible = open.outcomes.some(
    (each) => each.outcome === outcome && (each.date ?? null) === date && (each.percent ?? null) === percent,
  );
  if (!isPossible) throw refusal('proposal_impossible', { by, values: open.values, outcome, column: date ?? percent });
}

/** The findings with those kept suggestions whose kinds are in this file and open. @throws EngineError for an impossible one */
export function withKept(
  findings: Findings,
  { by, kinds }: { readonly by: string; readonly kinds: readonly Proposal[] },
): Findings {
  const open = new Set(proposableKinds(findings).map(({ kind }) => kind));
  return withProposals(
    findings,
    kinds.filter(({ kind }) => open.has(kind)),
    by,
  );
}
