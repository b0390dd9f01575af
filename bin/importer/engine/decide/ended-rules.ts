/** What a kind becomes whose enrolment ended before its course did (withdrawn, removed, cancelled), or that was taken back. */
import type { KindFacts } from './kind-facts.ts';
import { type Rule, rowsOf } from './rule.ts';
import { leftOut, nothing, type Suggested } from './suggested.ts';

const row = rowsOf<KindFacts, Suggested>(nothing);

const HARMLESS: ReadonlySet<string> = new Set(['taken back', 'not_started', 'incomplete']);

/** Neither 100 %, nor a word that says so. */
export const saysNoMore = ({ percent = 'none', meant }: KindFacts): boolean =>
  ['0', 'none', 'between'].includes(percent) && [...meant].every((each) => HARMLESS.has(each));

/** Its word of leaving; beside people and courses it is one where another column says that nothing was completed. */
const endIn = ({ ended, stoppedBeside, meant }: KindFacts) =>
  ended ?? (meant.has('incomplete') ? stoppedBeside : undefined);

/** They decide before what the other words say. */
export const ENDED_RULES: readonly Rule<KindFacts, Suggested>[] = [
  row(
    {
      name: 'ended_without_completion',
      example: 'Status: Withdrawn / Status: Completed',
      needs: (facts) => endIn(facts) !== undefined && !facts.hasDate && saysNoMore(facts),
      says: leftOut,
    },
    (facts) => ({ column: endIn(facts)?.name ?? '', text: endIn(facts)?.is ?? '' }),
  ),
  row(
    {
      name: 'ended_beside_more',
      example: 'Status: Withdrawn; Completion date: 2024-01-02 / Status: Completed; Completion date: 2024-01-02',
      needs: ({ ended, stoppedBeside }) => (ended ?? stoppedBeside) !== undefined,
    },
    ({ ended, stoppedBeside }) => ({
      column: (ended ?? stoppedBeside)?.name ?? '',
      text: (ended ?? stoppedBeside)?.is ?? '',
    }),
  ),
  row(
    {
      name: 'row_taken_back',
      example: 'Status: Revoked; Completion date: 2024-01-02 / Status: Completed; Completion date: 2024-01-03',
      needs: ({ takenBack }) => takenBack !== undefined,
    },
    ({ takenBack }) => ({ column: takenBack?.name ?? '', text: takenBack?.is ?? '' }),
  ),
];
