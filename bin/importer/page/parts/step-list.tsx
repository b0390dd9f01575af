import { hrefOf, type Screen, STEPS } from '../state/address.ts';
import type { State } from '../state/store.ts';
import { TEXT } from '../texts.ts';

interface Props {
  readonly screen: Screen;
  readonly state: State;
}

/** The steps of the migration, of which those can be opened that have what they need; and the screens beside them. */
export function StepList({ screen, state }: Props) {
  const isOpen = (step: Screen): boolean => {
    if (step === 'file') return true;
    if (step === 'import') return state.checked !== undefined || state.opened?.canResume === true;
    if (step === 'result') return state.imported !== undefined;
    return state.opened !== undefined;
  };
  return (
    <div class="side">
      <nav aria-label={TEXT.steps}>
        <ol>
          {STEPS.map((step) => (
            <li>
              <Entry screen={step} isCurrent={screen === step} isOpen={isOpen(step)} />
            </li>
          ))}
        </ol>
      </nav>
      <nav aria-label={TEXT.more}>
        <ul>
          {(['runs', 'learner'] as const).map((each) => (
            <li>
              <Entry screen={each} isCurrent={screen === each} isOpen />
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function Entry(props: { readonly screen: Screen; readonly isCurrent: boolean; readonly isOpen: boolean }) {
  const text = TEXT.screens[props.screen];
  if (!props.isOpen) return <span class="step">{text}</span>;
  return (
    <a class="step" href={hrefOf(props.screen)} aria-current={props.isCurrent ? 'step' : undefined}>
      {text}
    </a>
  );
}
