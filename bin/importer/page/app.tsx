import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Notice } from './parts/notice.tsx';
import { StepList } from './parts/step-list.tsx';
import { CheckScreen } from './screens/check.tsx';
import { ColumnsScreen } from './screens/columns.tsx';
import { CoursesScreen } from './screens/courses.tsx';
import { FileScreen } from './screens/file.tsx';
import { ImportScreen } from './screens/import.tsx';
import { LearnerScreen } from './screens/learner.tsx';
import { PeopleScreen } from './screens/people.tsx';
import { ResultScreen } from './screens/result.tsx';
import { RunsScreen } from './screens/runs.tsx';
import { SignInForm } from './screens/sign-in.tsx';
import { go, type Place, type Screen, usePlace } from './state/address.ts';
import { followWorker } from './state/follow-worker.ts';
import { type State, useStore } from './state/store.ts';
import { call } from './state/worker.ts';
import { TEXT } from './texts.ts';

const SCREENS: Readonly<Record<Exclude<Screen, 'sign-in'>, ComponentType<{ readonly query: URLSearchParams }>>> = {
  file: FileScreen,
  columns: ColumnsScreen,
  courses: CoursesScreen,
  people: PeopleScreen,
  check: CheckScreen,
  import: ImportScreen,
  result: ResultScreen,
  runs: RunsScreen,
  learner: LearnerScreen,
};

/** The screen that can be shown: a step needs what the steps before it have found. */
function reachable({ screen }: Place, state: State): Screen {
  if (state.account === undefined) return 'sign-in';
  if (screen === 'sign-in') return 'file';
  const hasFile = state.opened !== undefined;
  if (['columns', 'courses', 'people', 'check', 'import'].includes(screen) && !hasFile) return 'file';
  if (screen === 'import' && !mayImport(state)) return 'check';
  if (screen === 'result' && state.imported === undefined) return hasFile ? 'check' : 'file';
  return screen;
}

/** After a check of a mapping without guesses, or to resume. */
const mayImport = ({ checked, mapping, opened, isImporting }: State): boolean =>
  isImporting || opened?.canResume === true || (checked !== undefined && mapping?.undecided === undefined);

export function App() {
  const state = useStore();
  const place = usePlace();
  const screen = reachable(place, state);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(followWorker, []);
  useEffect(() => {
    document.title = `${TEXT.screens[screen]} – ${TEXT.product}`;
    if (state.account !== undefined && place.screen !== screen) go(screen);
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [screen]);
  const Shown = screen === 'sign-in' ? undefined : SCREENS[screen];
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        {TEXT.skipToContent}
      </a>
      <header class="top">
        <p class="product">{TEXT.product}</p>
        {state.account !== undefined && (
          <p class="account">
            {TEXT.signedInAs(state.account.name, state.account.company_id)}{' '}
            <button type="button" class="plain" onClick={signOut}>
              {TEXT.signOut}
            </button>
          </p>
        )}
      </header>
      <div class="frame">
        {state.account !== undefined && <StepList screen={screen} state={state} />}
        <main id="content" tabIndex={-1}>
          <h1 tabIndex={-1} ref={heading}>
            {TEXT.screens[screen]}
          </h1>
          {state.isSignedOut && <SignInForm isAgain />}
          {state.waiting !== undefined && (
            <Notice kind="warning">{TEXT.waiting(state.waiting.reason, state.waiting.seconds)}</Notice>
          )}
          {Shown === undefined ? <SignInForm /> : <Shown query={place.query} />}
        </main>
      </div>
      <p class="unseen" aria-live="polite">
        {state.announcement}
      </p>
    </>
  );
}

/** Ends the session on the service, if it can be reached, and forgets everything. */
function signOut(): void {
  void call('signOut')
    .catch(() => {})
    .finally(() => location.reload());
}

/** The address names the screen, so the link must not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}
