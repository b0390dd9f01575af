import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Notice } from './parts/controls.tsx';
import { SignInForm } from './screens/sign-in.tsx';
import { go, hrefOf, isStep, nameRun, type Screen, type Step, STEPS, usePlace } from './state/address.ts';
import { call, type State, useStore } from './state/store.ts';
import { TEXT } from './texts/index.ts';

/** What is behind the sign-in comes after it: the first screen stays small. */
const loadScreens = () => import('./screens/all.ts');

/** The screen that can be shown: a step needs what the steps before it have found. */
function reachable(screen: Screen, state: State): Screen {
  if (screen === 'evidence') return screen;
  if (state.account === undefined) return 'sign-in';
  // Who has no migration yet begins with one.
  if (screen === 'sign-in') return state.account.isNew ? 'file' : 'migrations';
  return isStep(screen) ? reachableStep(screen, state) : screen;
}

function reachableStep(step: Step, { opened, mapping, findings, imported }: State): Screen {
  if (imported !== undefined && (step === 'result' || step === 'import')) return 'result';
  if (opened === undefined || step === 'file') return 'file';
  const isDecided = mapping !== undefined || opened.isPlain;
  if (step === 'review' || !isDecided) return findings === undefined ? 'file' : 'review';
  return 'import';
}

export function App() {
  const state = useStore();
  const place = usePlace();
  const screen = reachable(place.screen, state);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${TEXT.screens[screen]} – ${TEXT.product}`;
    if (state.account !== undefined && place.screen !== screen) go(screen);
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [screen]);
  useEffect(() => {
    if (state.draft !== undefined) nameRun(state.draft.run_id);
  }, [state.draft?.run_id, screen]);
  useEffect(keepPlace);
  const [behind, setBehind] = useState<Awaited<ReturnType<typeof loadScreens>>>();
  const isFront = screen === 'sign-in';
  useEffect(() => {
    if (behind === undefined) void loadScreens().then(setBehind, () => {});
  }, [isFront]);
  const Shown = isFront ? undefined : behind?.SCREENS[screen];
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => skip(event, '#content')}>
        {TEXT.skipToContent}
      </a>
      <header class="top">
        <p class="product">{TEXT.product}</p>
        {state.account !== undefined && <Places screen={screen} />}
        {state.account !== undefined && (
          <p class="account">
            <span>{TEXT.companyOf(state.account.name, state.account.company_id)}</span>{' '}
            <Button text={TEXT.signOut} kind="plain" onClick={signOut} />
          </p>
        )}
      </header>
      <main id="content" tabIndex={-1} class={isFront ? 'alone' : undefined}>
        {isStep(screen) && <StepList screen={screen} state={state} />}
        <h1 tabIndex={-1} ref={heading}>
          {TEXT.screens[screen]}
        </h1>
        {/* A step ends with one action; the keyboard goes there at once, however long the tables before it are. */}
        {isStep(screen) && (
          <a class="skip" href="#action" onClick={(event) => skip(event, '#action')}>
            {TEXT.skipToAction}
          </a>
        )}
        {isStep(screen) && behind !== undefined && <behind.DraftNote />}
        {state.isSignedOut && <SignInForm isAgain />}
        {state.waiting !== undefined && (
          <Notice kind="warning">{TEXT.waiting(state.waiting.isAway, state.waiting.seconds)}</Notice>
        )}
        {isFront && <SignInForm />}
        {Shown !== undefined && <Shown query={place.query} />}
      </main>
      <p class="unseen" aria-live="polite">
        {state.announcement}
      </p>
    </>
  );
}

/** The element that last had the focus, and what it was in. */
let place: readonly Element[] = [];
let isHeld = false;
addEventListener('focusin', ({ target }) => {
  isHeld = false;
  place = [];
  for (let each = target as Element | null; each !== null; each = each.parentElement) place = [...place, each];
});

/** Nothing else takes the focus. */
const hasBox = (each: Element): boolean => each.getClientRects().length > 0;

/** An action that removes or disables what had the focus leaves the person there, not at the start of the page. */
function keepPlace(): void {
  const [last] = place;
  if (document.activeElement !== document.body || last === undefined) return;
  if (last.matches(':disabled')) isHeld = true;
  const stays = place.find((each) => hasBox(each) && (each === last ? isHeld : each.matches('.kinds, .card, main')));
  if (!(stays instanceof HTMLElement) || (last.isConnected && stays !== last) || stays.matches(':disabled')) return;
  if (stays !== last) stays.tabIndex = -1;
  stays.focus({ preventScroll: true });
}

const PLACES = ['migrations', 'learner', 'archive', 'evidence'] as const;

/** The home, and what is beside it. A migration is at home there. */
const Places = ({ screen }: { readonly screen: Screen }) => (
  <nav aria-label={TEXT.more}>
    <ul>
      {PLACES.map((each) => (
        <li>
          <a
            class="step"
            href={hrefOf(each)}
            aria-current={each === screen ? 'page' : each === 'migrations' && isWithin(screen) ? 'true' : undefined}
          >
            {TEXT.screens[each]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const isWithin = (screen: Screen): boolean => screen === 'run' || isStep(screen);

/** The steps of the migration, of which those can be opened that have what they need. */
function StepList({ screen, state }: { readonly screen: Step; readonly state: State }) {
  const steps = STEPS.filter((step) => step !== 'review' || state.opened?.isKnown !== true);
  const at = steps.indexOf(screen);
  return (
    <nav class="steps" aria-label={TEXT.steps}>
      <ol>
        {steps.map((step, index) => {
          const name = (
            <>
              <span class="ordinal" aria-hidden="true">
                {index < at ? '✓' : index + 1}
              </span>
              {TEXT.screens[step]}
            </>
          );
          return (
            <li>
              {reachable(step, state) === step ? (
                <a class="step" href={hrefOf(step)} aria-current={step === screen ? 'step' : undefined}>
                  {name}
                </a>
              ) : (
                <span class="step">{name}</span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** Ends the session on the service, if it can be reached, and forgets everything. */
function signOut(): void {
  void call('signOut')
    .catch(() => {})
    .finally(() => location.reload());
}

/** The address names the screen, so the link must not change it. */
function skip(event: Event, place: string): void {
  event.preventDefault();
  document.querySelector<HTMLElement>(place)?.focus();
}
