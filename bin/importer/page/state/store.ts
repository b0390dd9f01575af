/** The state of the page, in one place, and the calls of the worker, which has the engine, the tokens and the files. */
import { useEffect, useState } from 'preact/hooks';
import type { Mapping } from '../../engine/language/schema.ts';
import type { Account } from '../worker/account.ts';
import type { CatalogCourse } from '../../engine/match/match.ts';
import type { MatchedCourse } from '../worker/matches.ts';
import type { EvidenceReport } from '../worker/evidence.ts';
import type { CourseChoices, Opened, PeopleChoices, ReadingOptions } from '../worker/files.ts';
import type { Api } from '../worker/main.ts';
import { loadSentences } from '../texts/index.ts';
import { type Answer, ASK, type Call, type Change, type Failure, type Meters } from '../worker/protocol.ts';
import { endIfSilent } from './silence.ts';
import type { openChoices } from '../../engine/decide/proposed.ts';
import type { Findings } from '../../engine/language/findings.ts';
import type { offersFor, ShownDraft } from '../worker/draft.ts';
import type { Report, Stopped } from '../worker/run.ts';

const none = <Value>(value?: Value): Value | undefined => value;
const given = <Value>(value: Value): Value => value;

/** Nothing is known of what the platform would make of the files. */
export const UNCHECKED = {
  checked: none<Report>(),
  /** Something was decided since the check. */
  isStale: false,
  /** Corrections since the check, by the position of their cause. */
  corrected: given<Readonly<Record<string, string>>>({}),
  /** The run whose plan waits for the approval of a second administrator. */
  asked: none<string>(),
  stopped: none<Stopped>(),
};

/** Nothing is found out about the files, and nothing decided: of other files, and of the same ones read in another way. */
export const NO_FINDINGS = {
  opened: none<Opened>(),
  /** What can be gone on with. */
  offers: none<Awaited<ReturnType<typeof offersFor>>>(),
  mapping: none<Mapping>(),
  mappingName: none<string>(),
  findings: none<Findings>(),
  /** What somebody proposes about the whole file. */
  proposed: none<{ readonly by: string; readonly asked: ReturnType<typeof openChoices> }>(),
  courses: given<readonly MatchedCourse[]>([]),
  choices: given<CourseChoices>({}),
  oneCourse: none<number>(),
  /** Of people whom the platform does not know, or who are not active: other addresses, and who is left out. */
  addresses: given<PeopleChoices>({}),
  /** The archive keeps what nobody or no course answers to. */
  keepsArchive: false,
  /** Likely addresses of people, by the text in the file in lower case. */
  suggested: given<Readonly<Record<string, readonly string[]>>>({}),
  imported: none<Report>(),
  ...UNCHECKED,
};

/** It lives as long as the tab. */
let state = {
  ...NO_FINDINGS,
  account: none<Account>(),
  isSignedOut: false,
  draft: none<Change['draft']>(),
  /** The draft whose files were asked for. */
  wanted: none<ShownDraft>(),
  files: given<readonly File[]>([]),
  reading: given<ReadingOptions>({}),
  catalog: given<readonly CatalogCourse[]>([]),
  reverted: given<Readonly<Record<string, number>>>({}),
  evidence: none<EvidenceReport>(),
  /** The file is read again with other choices. */
  isReading: false,
  isImporting: false,
  meters: given<Meters>({}),
  waiting: none<Change['waiting']>(),
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

/** Trusted Types, which no library of types has. Absent in browsers that do not know them. */
declare const trustedTypes:
  | { createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): URL } }
  | undefined;

export class WorkerError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.codes.join());
    this.failure = failure;
  }
}

interface Pending {
  readonly lists: Record<string, unknown[]>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: WorkerError) => void;
}

const pending = new Map<number, Pending>();
let calls = 0;

/** The build names the file of the worker in the page, and the service its settings. */
const { worker: WORKER = '', approval, mail } = document.querySelector<HTMLElement>('#page')?.dataset ?? {};

/** Nothing is imported without the approval of a second person. */
export const NEEDS_SECOND = approval === 'second';
/** Who is named gets the notices of a migration by mail. */
export const MAILS = mail === 'on';

/** The one policy of the page makes the address of its worker and nothing else, whatever it is asked for. */
const rules = { createScriptURL: (): string => new URL(WORKER, import.meta.url).href };
const address =
  typeof trustedTypes === 'undefined'
    ? rules.createScriptURL()
    : trustedTypes.createPolicy('page', rules).createScriptURL(WORKER);

const worker = new Worker(address, { type: 'module' });

let isEnded = false;
const SILENT: Failure = { said: undefined, codes: ['worker_silent'], value: '' };

const heard = endIfSilent({
  isBusy: () => pending.size > 0,
  ask: () => worker.postMessage(ASK),
  end() {
    isEnded = true;
    worker.terminate();
    for (const { reject } of pending.values()) reject(new WorkerError(SILENT));
    pending.clear();
  },
});

worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
  heard();
  if ('isAlive' in data) return;
  if ('change' in data) return update({ ...data.change, meters: { ...current().meters, ...data.change.meters } });
  const call = pending.get(data.id);
  if (call === undefined) return;
  if ('part' in data) {
    (call.lists[data.member] ??= []).push(...data.part);
    return;
  }
  pending.delete(data.id);
  if ('failure' in data) call.reject(new WorkerError(data.failure));
  else call.resolve(withLists(data.result, call.lists) as never);
});

const withLists = (result: unknown, lists: Pending['lists']): unknown =>
  Object.keys(lists).length === 0 ? result : { ...(result as object), ...lists };

type Step = { readonly [Name in keyof Api]: Api[Name] extends (...args: never) => unknown ? Name : never }[keyof Api];

/** @throws WorkerError */
export async function call<Name extends Step>(
  name: Name,
  ...args: Parameters<Api[Name]>
): Promise<Awaited<ReturnType<Api[Name]>>> {
  if (isEnded) throw new WorkerError(SILENT);
  calls += 1;
  const request: Call = { id: calls, name, args };
  const result = new Promise<Awaited<ReturnType<Api[Name]>>>((resolve, reject) => {
    pending.set(request.id, { lists: {}, resolve, reject });
    worker.postMessage(request);
  });
  if (name !== 'signIn' && name !== 'signInWays') await Promise.allSettled([result, loadSentences()]);
  return result;
}
