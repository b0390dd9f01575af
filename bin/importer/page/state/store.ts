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

const none = <Value>(): Value | undefined => undefined;
const list = <Value>(): readonly Value[] => [];
const table = <Value>(): Readonly<Record<string, Value>> => ({});

/** Nothing is found out about the files, and nothing decided: of other files, and of the same ones read in another way. */
export const NO_FINDINGS = {
  opened: none<Opened>(),
  mapping: none<Mapping>(),
  mappingName: none<string>(),
  findings: none<Findings>(),
  courses: list<MatchedCourse>(),
  choices: table<CourseChoices[string]>(),
  /** The course of all rows, where no column names courses. */
  oneCourse: none<number>(),
  people: none<People>(),
  /** The address that was chosen in place of the one in the file. */
  addresses: table<string>(),
  checked: none<Report>(),
  /** Corrections since the last check, by the position of their cause. */
  corrected: table<string>(),
  imported: none<Report>(),
  stopped: none<Stopped>(),
};

const READING: ReadingOptions = {};
const METERS: Readonly<Partial<Record<Meter['step'], number>>> = {};

let state = {
  ...NO_FINDINGS,
  account: none<Account>(),
  /** The session has ended; what is under way waits. */
  isSignedOut: false,
  begun: list<BegunImport>(),
  files: list<File>(),
  reading: READING,
  catalog: list<CatalogCourse>(),
  /** Records that were taken back, by run. */
  reverted: table<number>(),
  evidence: none<EvidenceReport>(),
  isImporting: false,
  isPaused: false,
  meters: METERS,
  /** The service is waited for. */
  waiting: none<{ readonly isAway: boolean; readonly seconds: number }>(),
  /** Text for screen readers. */
  announcement: '',
};

export type State = Readonly<typeof state>;

const listeners = new Set<() => void>();

export const current = (): State => state;

export function update(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** The state, shown again whenever it changes. */
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
