import { TEXT } from '../texts/index.ts';

export type ShownState = keyof typeof TEXT.review.states;

interface Props {
  readonly label: string;
  readonly counts: Readonly<Partial<Record<ShownState, number>>>;
}

const STATES: readonly ShownState[] = ['completed', 'certified', 'in_progress', 'failed', 'leave_out', 'undecided'];

/** How many rows become what: one bar, and its counts in words. */
export function StateBar({ label, counts }: Props) {
  const parts = STATES.flatMap((state) => {
    const count = counts[state] ?? 0;
    return count === 0 ? [] : [[state, count] as const];
  });
  return (
    <>
      <div class="bar" aria-hidden="true">
        {parts.map(([state, count]) => (
          <span class={state} style={{ flex: `${count} 0 3px` }} />
        ))}
      </div>
      <ul class="legend" aria-label={label}>
        {parts.map(([state, count]) => (
          <li>
            <span class={`mark ${state}`} />
            {TEXT.review.states[state]} <strong>{TEXT.n(count)}</strong>
          </li>
        ))}
      </ul>
    </>
  );
}
