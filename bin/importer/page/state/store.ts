/** The state of the page, in one place. It lives as long as the tab. */
import { useEffect, useState } from 'preact/hooks';
import type { Mapping } from '../../engine/mapping/schema.ts';
import type { Account } from '../worker/account.ts';
import type { CatalogCourse } from '../../engine/match/match.ts';
import type { MatchedCourse } from '../worker/catalog.ts';
import type { EvidenceReport } from '../worker/evidence.ts';
import type { Opened, ReadingOptions } from '../worker/files.ts';
import type { People } from '../worker/people.ts';
import type { Meter } from '../worker/protocol.ts';
import type { Findings } from '../../engine/kinds/types.ts';
import type { Report, Stopped } from '../worker/run.ts';
import type { BegunImport } from '../worker/saved.ts';

export interface State {
  readonly account: Account | undefined;
  /** The session has ended; what is under way waits. */
  readonly isSignedOut: boolean;
  /** Imports that were begun in this browser and have not ended. */
  readonly begun: readonly BegunImport[];
  readonly files: readonly File[];
  readonly reading: ReadingOptions;
  readonly opened: Opened | undefined;
  readonly mapping: Mapping | undefined;
  readonly mappingName: string | undefined;
  readonly findings: Findings | undefined;
  readonly courses: readonly MatchedCourse[];
  readonly catalog: readonly CatalogCourse[];
  /** The platform's course by the id in the file; `null` leaves the course out. */
  readonly choices: Readonly<Record<string, number | null>>;
  /** The course of all rows, where no column names courses. */
  readonly oneCourse: number | undefined;
  readonly people: People | undefined;
  /** The address that was chosen in place of the one in the file. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly checked: Report | undefined;
  /** Corrections since the last check, by the position of their cause. */
  readonly corrected: Readonly<Record<number, string>>;
  readonly imported: Report | undefined;
  /** The import was cancelled. */
  readonly stopped: Stopped | undefined;
  /** Records that were taken back, by run. */
  readonly reverted: Readonly<Record<string, number>>;
  /** Evidence that is shown. */
  readonly evidence: EvidenceReport | undefined;
  readonly isImporting: boolean;
  readonly isPaused: boolean;
  readonly meters: Readonly<Partial<Record<Meter['step'], number>>>;
  /** The service is waited for. */
  readonly waiting: { readonly isAway: boolean; readonly seconds: number } | undefined;
  /** Text for screen readers. */
  readonly announcement: string;
}

/** What was found out about other files, or about the same ones read in another way, does not hold. */
export const NO_FINDINGS = {
  opened: undefined,
  mapping: undefined,
  mappingName: undefined,
  findings: undefined,
  courses: [],
  choices: {},
  oneCourse: undefined,
  people: undefined,
  addresses: {},
  checked: undefined,
  corrected: {},
  imported: undefined,
  stopped: undefined,
} satisfies Partial<State>;

let state: State = {
  ...NO_FINDINGS,
  account: undefined,
  isSignedOut: false,
  begun: [],
  files: [],
  reading: {},
  catalog: [],
  reverted: {},
  evidence: undefined,
  isImporting: false,
  isPaused: false,
  meters: {},
  waiting: undefined,
  announcement: '',
};

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
