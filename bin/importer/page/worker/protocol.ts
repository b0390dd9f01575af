/** What the page and its worker say to each other. The worker reads files, keeps the tokens, and speaks to the service. */
import type { Said } from '../../engine/ground/codes.ts';
import type { Texts } from '../texts/en-page.ts';
import type { OnProgress } from '../../engine/run/send.ts';

/** What the worker refuses itself, which the texts of the page say. */
export type ProblemCode = keyof Texts['problems'];

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly value: string;

  constructor(code: ProblemCode, value = '') {
    super(code);
    this.code = code;
    this.value = value;
  }
}

/** An error as it crosses to the page, as a code: of the engine, of the service, or of the page. */
export interface Failure {
  /** What the engine says. */
  readonly said: Said | undefined;
  /** The reason of the service first, if there are several. */
  readonly codes: readonly string[];
  readonly value: string;
}

/** Records that were read, sent, checked or applied, or taken back so far; `total`: those of the import. */
export type Meters = Readonly<Partial<Record<'read' | 'total' | 'upload' | 'process' | 'revert', number>>>;

/** What was decided of a migration, and whether the service has it. */
export interface DraftState {
  readonly run_id: string;
  /** `conflict`: somebody else has decided meanwhile. `failed`: the service refuses it. */
  readonly state: 'kept' | 'unsaved' | 'conflict' | 'failed';
  /** The person gets its notices by mail. */
  readonly isMailed: boolean;
  /** Who has decided meanwhile, and when. */
  readonly by?: string | undefined;
  readonly at?: string;
  /** Of the service, if it refuses. */
  readonly code?: string;
}

/** What the worker reports by itself is a change of the state of the page. */
export interface Change {
  readonly draft?: DraftState | undefined;
  /** Those that have moved. */
  readonly meters?: Meters;
  /** The session has ended. What was under way waits until `signIn` succeeds. */
  readonly isSignedOut?: boolean;
  /** The service does not respond, or asks to wait: the call is repeated after so many seconds. */
  readonly waiting?: { readonly isAway: boolean; readonly seconds: number } | undefined;
}

export interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly id: number; readonly result: unknown }
  /** A part of a member of the result that is a long list: receiving it at once would stop the page. */
  | { readonly id: number; readonly member: string; readonly part: readonly unknown[] }
  | { readonly id: number; readonly failure: Failure }
  | { readonly change: Change }
  /** A sign of life. */
  | { readonly isAlive: true };

/** Asks for one. */
export const ASK = 'ask';

export const send = (answer: Answer): void => self.postMessage(answer);
export const report = (change: Change): void => send({ change });

/** Often enough to look steady. */
const EVERY_MS = 200;

/** Runs a step, and sends the page how many records each part of it has done. */
export async function metered<Result>(
  steps: readonly (keyof Meters)[],
  step: (onProgress: OnProgress) => Promise<Result>,
): Promise<Result> {
  const done: Partial<Record<keyof Meters, number>> = Object.fromEntries(steps.map((each) => [each, 0]));
  let sentMs = 0;
  const sendAll = (): void => {
    sentMs = performance.now();
    report({ meters: done });
  };
  sendAll();
  const result = await step(({ step: each, records }) => {
    const known = done[each];
    if (known === undefined) return;
    done[each] = known + records;
    if (performance.now() - sentMs > EVERY_MS) sendAll();
  });
  sendAll();
  return result;
}
