/** The state of the page, in one place. It lives as long as the tab. */
import { useEffect, useState } from 'preact/hooks';
import type { Account } from '../worker/account.ts';
import type { MatchedCourse } from '../worker/catalog.ts';
import type { CatalogCourse } from '../../engine/match/match.ts';
import type { Mapping } from '../../engine/mapping/schema.ts';
import type { ColumnValues } from '../worker/columns.ts';
import type { Opened, ReadingOptions } from '../worker/files.ts';
import type { People } from '../worker/people.ts';
import type { Meter } from '../worker/protocol.ts';
import type { Report } from '../worker/run.ts';

export interface State {
  readonly account: Account | undefined;
  /** The session has ended; what is under way waits. */
  readonly isSignedOut: boolean;
  readonly files: readonly File[];
  readonly reading: ReadingOptions;
  readonly opened: Opened | undefined;
  readonly mapping: Mapping | undefined;
  readonly mappingName: string | undefined;
  readonly doubts: readonly string[];
  /** Guesses of the mapping that the person has confirmed. */
  readonly confirmed: readonly string[];
  readonly columns: readonly ColumnValues[] | undefined;
  readonly courses: readonly MatchedCourse[] | undefined;
  readonly catalog: readonly CatalogCourse[];
  /** The platform's course by the id in the file; `null` leaves the course out. */
  readonly choices: Readonly<Record<string, number | null>>;
  readonly people: People | undefined;
  /** The address that was chosen in place of the one in the file. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly checked: Report | undefined;
  /** Rows that were corrected since the last check, by file and line. */
  readonly corrected: Readonly<Record<string, readonly string[]>>;
  readonly imported: Report | undefined;
  readonly isImporting: boolean;
  readonly isPaused: boolean;
  readonly meters: Readonly<Partial<Record<Meter['step'], number>>>;
  /** Why the service is waited for. */
  readonly waiting: { readonly reason: string; readonly seconds: number } | undefined;
  /** Text for screen readers. */
  readonly announcement: string;
}

/** What was found out about other files, or about the same ones read in another way, does not hold. */
export const NO_FINDINGS = {
  opened: undefined,
  mapping: undefined,
  mappingName: undefined,
  doubts: [],
  confirmed: [],
  columns: undefined,
  courses: undefined,
  choices: {},
  people: undefined,
  addresses: {},
  checked: undefined,
  corrected: {},
  imported: undefined,
} satisfies Partial<State>;

let state: State = {
  ...NO_FINDINGS,
  account: undefined,
  isSignedOut: false,
  files: [],
  reading: {},
  catalog: [],
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
