/** What somebody outside proposes about a file, beside what we suggest. In memory. */
import { describe, expect, it } from 'vitest';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { confirmSuggestions, withOutcome } from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { differs } from '../../../../bin/importer/engine/decide/outcomes.ts';
import {
  nameOfKind,
  openChoices,
  type Proposal,
  proposalIn,
  withChoices,
  withProposals,
} from '../../../../bin/importer/engine/decide/proposed.ts';
import type { Findings, Kind } from '../../../../bin/importer/engine/language/findings.ts';
import { fileOf } from '../../command/support/files.ts';

const CSV = 'Email,Course,Status,Completed on\na@x.test,SEC,Completed,2024-01-02\nb@x.test,SEC,Klárað,2024-03-14\n';
const found = async (): Promise<Findings> => findKinds([await openSourceFile(fileOf(CSV))]);

const kindOf = ({ kinds }: Findings, status: string): Kind => {
  const kind = kinds.find(({ values }) => values['Status'] === status);
  if (kind === undefined) throw new Error(`no kind ${status}`);
  return kind;
};
const proposal = (kind: Kind, more: Partial<Proposal> = {}): Proposal => ({
  kind: nameOfKind(kind),
  outcome: 'leave_out',
  because: 'it says so',
  ...more,
});
const proposed = (...kinds: readonly Proposal[]) => ({ by: 'an assistant', kinds });

describe('a proposal', () => {
  it('stands beside our suggestion, and is confirmed by hand alone', async () => {
    const findings = await found();
    const completed = kindOf(findings, 'Completed');
    const both = withProposals(findings, proposed(proposal(completed)));
    const shown = kindOf(both, 'Completed');
    expect([shown.outcome, shown.suggested.outcome, shown.confirmed, differs(shown)]).toEqual([
      'leave_out',
      'completed',
      false,
      true,
    ]);
    expect(kindOf(confirmSuggestions(both), 'Completed').confirmed).toBe(false);
    const byHand = withOutcome(both, shown.values, { outcome: 'completed', date: 'Completed on' });
    expect(kindOf(byHand, 'Completed')).toMatchObject({ outcome: 'completed', confirmed: true });
  });

  it('is there again after a decision is undone; without one our suggestion is', async () => {
    const findings = await found();
    const { values } = kindOf(findings, 'Completed');
    const undone = (given: Findings) =>
      withOutcome(withOutcome(given, values, { outcome: 'failed' }), values, undefined);
    expect(kindOf(undone(findings), 'Completed')).toEqual(kindOf(findings, 'Completed'));
    const both = withProposals(findings, proposed(proposal(kindOf(findings, 'Completed'))));
    expect(kindOf(undone(both), 'Completed')).toEqual(kindOf(both, 'Completed'));
  });

  it('that was kept before is left aside where it does not fit the file any more, and is refused when it is made', async () => {
    const findings = await found();
    const wrong = [
      proposal(kindOf(findings, 'Completed'), { outcome: 'completed', date: 'Nowhere' }),
      { kind: 'nobody', outcome: 'leave_out', because: 'x' } as const,
    ];
    expect(withProposals(findings, proposed(...wrong), true)).toEqual(findings);
    for (const each of wrong) expect(() => withProposals(findings, proposed(each))).toThrow(/proposal_/);
  });

  it('about the whole file is open until a person takes it', () => {
    const choices = { learner: 'Netfang', dates: { Dagur: 'DD/MM/YYYY' }, state: { Staða: true } };
    const kept = proposalIn({ proposal_of_mapping: { by: 'an assistant', choices, kinds: [] } });
    if (kept === undefined) throw new Error('not read');
    expect(openChoices(kept, {})).toEqual([
      { about: 'learner', to: 'Netfang' },
      { about: 'dates', column: 'Dagur', to: 'DD/MM/YYYY' },
      { about: 'state', column: 'Staða', to: true },
    ]);
    const taken = withChoices({ course: 'Verkefni', state: { Annað: false } }, kept);
    expect(taken).toEqual({ ...choices, course: 'Verkefni', state: { Annað: false, Staða: true } });
    expect(openChoices(kept, taken)).toEqual([]);
  });
});
