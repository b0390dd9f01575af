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
const given = <Value>(value: Value): Value => value;

/** Nothing is found out about the files, and nothing decided: of other files, and of the same ones read in another way. */
export const NO_FINDINGS = {
  opened: none<Opened>(),
  mapping: none<Mapping>(),
  mappingName: none<string>(),
  findings: none<Findings>(),
  courses: given<readonly MatchedCourse[]>([]),
  choices: given<CourseChoices>({}),
  oneCourse: none<number>(),
  people: none<People>(),
  addresses: given<Readonly<Record<string, string>>>({}),
  checked: none<Report>(),
  /** Corrections since the last check, by the position of their cause. */
  corrected: given<Readonly<Record<string, string>>>({}),
  imported: none<Report>(),
  stopped: none<Stopped>(),
};

let state = {
  ...NO_FINDINGS,
  account: none<Account>(),
  /** The session has ended; what is under way waits. */
  isSignedOut: false,
  begun: given<readonly BegunImport[]>([]),
  files: given<readonly File[]>([]),
  reading: given<ReadingOptions>({}),
  catalog: given<readonly CatalogCourse[]>([]),
  reverted: given<Readonly<Record<string, number>>>({}),
  evidence: none<EvidenceReport>(),
  /** The file is read again with other choices. */
  isReading: false,
  isImporting: false,
  meters: given<Readonly<Partial<Record<Meter['step'], number>>>>({}),
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
