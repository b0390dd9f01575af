/** The state of the page, in one place. It lives as long as the tab. */
import { useEffect, useState } from 'preact/hooks';
import type { Mapping } from '../../engine/mapping/schema.ts';
import type { Account } from '../worker/account.ts';
import type { CatalogCourse } from '../../engine/match/match.ts';
import type { CourseChoices, MatchedCourse } from '../worker/catalog.ts';
import type { EvidenceReport } from '../worker/evidence.ts';
import type { Opened, ReadingOptions } from '../worker/files.ts';
import type { People } from '../worker/people.ts';
import type { Meter } from '../worker/protocol.ts';
import type { Findings } from '../../engine/kinds/types.ts';
import type { Report, Stopped } from '../worker/run.ts';
import type { BegunImport } from '../worker/saved.ts';

const none = <Value>(value?: Value): Value | undefined => value;

const COURSES: readonly MatchedCourse[] = [];
const CHOICES: CourseChoices = {};
const TEXTS: Readonly<Record<string, string>> = {};
const COUNTS: Readonly<Record<string, number>> = {};
const BEGUN: readonly BegunImport[] = [];
const FILES: readonly File[] = [];
const CATALOG: readonly CatalogCourse[] = [];
const READING: ReadingOptions = {};
const METERS: Readonly<Partial<Record<Meter['step'], number>>> = {};

/** Nothing is found out about the files, and nothing decided: of other files, and of the same ones read in another way. */
export const NO_FINDINGS = {
  opened: none<Opened>(),
  mapping: none<Mapping>(),
  mappingName: none<string>(),
  findings: none<Findings>(),
  courses: COURSES,
  choices: CHOICES,
  oneCourse: none<number>(),
  people: none<People>(),
  addresses: TEXTS,
  checked: none<Report>(),
  /** Corrections since the last check, by the position of their cause. */
  corrected: TEXTS,
  imported: none<Report>(),
  stopped: none<Stopped>(),
};

let state = {
  ...NO_FINDINGS,
  account: none<Account>(),
  /** The session has ended; what is under way waits. */
  isSignedOut: false,
  begun: BEGUN,
  files: FILES,
  reading: READING,
  catalog: CATALOG,
  reverted: COUNTS,
  evidence: none<EvidenceReport>(),
  /** The file is read again with other choices. */
  isReading: false,
  isImporting: false,
  meters: METERS,
  /** The service is waited for. */
  waiting: none<{ readonly isAway: boolean; readonly seconds: number }>(),
  announcement: '',
};

export type State = Readonly<typeof state>;

const listeners = new Set<() => void>();

export const current = (): State => state;

export function update(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

export function useStore(): State {
  const [, show] = useState(state);
  useEffect(() => {
    const listener = (): void => show(state);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return state;
}
