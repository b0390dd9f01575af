/** What a kind becomes where columns say it of activities, and none of the course. */
import type { KindFacts } from './kind-facts.ts';
import { type Rule, rowsOf } from './rule.ts';
import { inProgress, leftOut, nothing, type Suggested } from './suggested.ts';

const row = rowsOf<KindFacts, Suggested>(nothing);

/** Beside the words and the days of the course, these decide. */
export const ACTIVITY_RULES: readonly Rule<KindFacts, Suggested>[] = [
  row({
    name: 'all_activities_done',
    example: 'Lesson completion date: 2024-01-02; Quiz completion date: 2024-01-03',
    needs: ({ activities, isWholeKnown }) => activities === 'all' && !isWholeKnown,
  }),
  row({
    name: 'some_activities_done',
    example:
      'Lesson completion date: 2024-01-02; Quiz completion date:  / Lesson completion date: 2024-01-02; Quiz completion date: 2024-01-03',
    needs: ({ activities }) => activities === 'some' || activities === 'all',
    says: inProgress,
  }),
  row({
    name: 'no_activity_done',
    example:
      'Lesson completion date: ; Quiz completion date:  / Lesson completion date: 2024-01-02; Quiz completion date: 2024-01-03',
    needs: ({ activities }) => activities === 'none',
    says: leftOut,
  }),
];
