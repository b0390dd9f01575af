import { hrefOf, type Screen, STEPS } from '../state/address.ts';
import type { State } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';

interface Props {
  readonly screen: Screen;
  readonly state: State;
}

/** The steps of the migration, of which those can be opened that have what they need; and the screens beside them. */
export function StepList({ screen, state }: Props) {
  const steps = STEPS.filter((step) => !(state.opened?.isKnown === true && (step === 'review' || step === 'people')));
  const at = steps.findIndex((step) => step === screen);
  return (
    <>
      <nav class="steps" aria-label={TEXT.steps}>
        {at >= 0 && <p class="place">{`${TEXT.place(at + 1, steps.length)} · ${TEXT.screens[screen]}`}</p>}
        <ol>
          {steps.map((step, index) => (
            <li>
              <Entry screen={step} isCurrent={screen === step} isOpen={isOpen(step, state)} isDone={index < at} />
            </li>
          ))}
        </ol>
      </nav>
      <nav aria-label={TEXT.more}>
        <ul>
          {(['runs', 'learner', 'evidence'] as const).map((each) => (
            <li>
              <Entry screen={each} isCurrent={screen === each || (each === 'runs' && screen === 'run')} isOpen />
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

function isOpen(step: Screen, { checked, opened, imported, mapping }: State): boolean {
  if (step === 'file') return true;
  if (step === 'import') return checked !== undefined || opened?.canResume === true;
  if (step === 'result') return imported !== undefined;
  return opened !== undefined && (step === 'review' || mapping !== undefined || opened.isPlain);
}

interface EntryProps {
  readonly screen: Screen;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly isDone?: boolean;
}

function Entry({ screen, isCurrent, isOpen, isDone = false }: EntryProps) {
  const text = TEXT.screens[screen];
  if (!isOpen) return <span class="step">{text}</span>;
  return (
    <a class="step" href={hrefOf(screen)} aria-current={isCurrent ? 'step' : undefined}>
      {isDone && <span aria-hidden="true">✓ </span>}
      {text}
    </a>
  );
}
