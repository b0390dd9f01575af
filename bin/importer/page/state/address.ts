/** The address names the screen: `#/review`, `#/run?id=…`. Back and forward work, and a screen can be linked to. */
import { useEffect, useState } from 'preact/hooks';
import { TEXT } from '../texts/index.ts';

export const STEPS = ['file', 'review', 'import', 'result'] as const;

export type Step = (typeof STEPS)[number];
export type Screen = keyof typeof TEXT.screens;

export const isStep = (screen: Screen): screen is Step => STEPS.some((step) => step === screen);

const isScreen = (name: string): name is Screen => Object.hasOwn(TEXT.screens, name);

export function placeOf(hash: string) {
  const [name = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const screen: Screen = isScreen(name) ? name : 'sign-in';
  return { screen, query: new URLSearchParams(search) };
}

/** The run of the migration whose steps are shown: it opens from any machine. */
let run = placeOf(location.hash).query.get('run') ?? undefined;

export const hrefOf = (screen: Screen): string =>
  isStep(screen) && run !== undefined ? draftHref(run, screen) : `#/${screen}`;
/** Where a draft is gone on with. */
export const draftHref = (run_id: string, step: Step = 'file'): string => `#/${step}?run=${encodeURIComponent(run_id)}`;
export const runHref = (run_id: string): string => `#/run?id=${encodeURIComponent(run_id)}`;
/** What the archive keeps of a run. */
export const archiveHref = (run_id: string): string => `#/archive?id=${encodeURIComponent(run_id)}`;

export function go(screen: Screen): void {
  location.hash = hrefOf(screen);
}

/** The address of the steps names it from now on, without a step back. */
export function nameRun(run_id: string | undefined): void {
  run = run_id;
  const { screen } = placeOf(location.hash);
  if (isStep(screen)) history.replaceState(null, '', hrefOf(screen));
}

export function usePlace() {
  const [, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  // The event comes after what is drawn meanwhile, and does not come when only the run is named.
  return placeOf(location.hash);
}
