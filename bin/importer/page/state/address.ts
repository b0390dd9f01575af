/** The address names the screen: `#/review`, `#/run?id=…`. Back and forward work, and a screen can be linked to. */
import { useEffect, useState } from 'preact/hooks';
import { TEXT } from '../texts/index.ts';

export const STEPS = ['file', 'review', 'people', 'check', 'import', 'result'] as const;

export type Step = (typeof STEPS)[number];
export type Screen = keyof typeof TEXT.screens;

export const isStep = (screen: Screen): screen is Step => STEPS.some((step) => step === screen);

const isScreen = (name: string): name is Screen => Object.hasOwn(TEXT.screens, name);

export function placeOf(hash: string) {
  const [name = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const screen: Screen = isScreen(name) ? name : 'file';
  return { screen, query: new URLSearchParams(search) };
}

export const hrefOf = (screen: Screen): string => `#/${screen}`;
export const runHref = (run_id: string): string => `#/run?id=${encodeURIComponent(run_id)}`;

export function go(screen: Screen): void {
  location.hash = hrefOf(screen);
}

export function usePlace() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return placeOf(hash);
}
