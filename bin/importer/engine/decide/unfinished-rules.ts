/** What a kind becomes whose words say that its rows are not done. */
import type { KindFacts } from './kind-facts.ts';
import { type Rule, rowsOf } from './rule.ts';
import { inProgress, leftOut, nothing, type Suggested } from './suggested.ts';

const row = rowsOf<KindFacts, Suggested>(nothing);

/** Of several percentages, none is that of the course. */
export const SEVERAL_PERCENTAGES = row({
  name: 'several_percentages',
  example: 'Final status: Ongoing; Alpha %: 40; Beta %: 50 / Final status: Completed; Alpha %: 100; Beta %: 100',
  needs: ({ percent, percentColumn }) => percent === 'between' && percentColumn === undefined,
});

/** A day of start, and none of completion. */
export const BEGUN = row({
  name: 'begun_and_not_done',
  example: 'Start date: 2024-01-02; Completion date: / Start date: ; Completion date: 2024-01-03',
  needs: ({ isBegun, meant }) => isBegun && !meant.has('not_started') && !meant.has('not passed'),
  says: inProgress,
});

/** They decide where the words say that a course is not done. */
export const UNFINISHED: readonly Rule<KindFacts, Suggested>[] = [
  row({
    name: 'not_done_with_a_day',
    example: 'Status: Not started; Completion date: 2024-01-02',
    needs: ({ isDatedItself }) => isDatedItself,
  }),
  row({
    name: 'not_done_with_the_whole',
    example: 'Status: In progress; Progress: 100 %',
    needs: ({ percent }) => percent === '100',
  }),
  SEVERAL_PERCENTAGES,
  row({
    name: 'words_say_in_progress',
    example: 'Status: In progress / Status: Completed',
    needs: ({ percent, meant }) => percent === 'between' || meant.has('in_progress'),
    says: inProgress,
  }),
  BEGUN,
  row({
    name: 'not_done_maybe_begun',
    example: 'Status: Incomplete; Last access: 2024-01-02; Completion date: ',
    needs: ({ percent, meant, maySayBegun }) => percent !== '0' && maySayBegun && !meant.has('not_started'),
  }),
  row({
    name: 'not_passed_on_no_day',
    example: 'Passed: No / Passed: Yes',
    needs: ({ meant }) => meant.has('not passed'),
    says: leftOut,
  }),
  row({
    name: 'words_say_not_started',
    example: 'Status: Not started / Status: Completed',
    needs: () => true,
    says: leftOut,
  }),
];
