/** What the page and its worker say to each other. The worker reads files, keeps the tokens, and speaks to the service. */
import type { OnProgress } from '../../engine/run/send.ts';

/** An error as it crosses to the page. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** The HTTP status, if the service responded. */
  readonly status: number | undefined;
  readonly codes: readonly string[];
}

/** Records that were read, sent, processed or taken back so far; `total`: those of the import. */
export interface Meter {
  readonly step: 'read' | 'total' | 'upload' | 'process' | 'revert';
  readonly done: number;
}

export type PageEvent =
  | { readonly kind: 'meter'; readonly meter: Meter }
  /** The session has ended. What was under way waits until `signIn` succeeds. */
  | { readonly kind: 'signed out' }
  /** The service does not respond, or asks to wait. The call is repeated after so many milliseconds. */
  | { readonly kind: 'waiting'; readonly isAway: boolean; readonly delayMs: number };

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
  | { readonly event: PageEvent };

export const send = (answer: Answer): void => self.postMessage(answer);
export const emit = (event: PageEvent): void => send({ event });

/** Often enough to look steady. */
const EVERY_MS = 200;

/** Runs a step, and sends the page how many records each part of it has done. */
export async function metered<Result>(
  steps: readonly Meter['step'][],
  step: (onProgress: OnProgress) => Promise<Result>,
): Promise<Result> {
  const done = new Map(steps.map((each) => [each, 0]));
  let sentMs = 0;
  const sendAll = (): void => {
    sentMs = performance.now();
    for (const [each, count] of done) emit({ kind: 'meter', meter: { step: each, done: count } });
  };
  sendAll();
  const result = await step(({ step: each, records }) => {
    const known = done.get(each);
    if (known === undefined) return;
    done.set(each, known + records);
    if (performance.now() - sentMs > EVERY_MS) sendAll();
  });
  sendAll();
  return result;
}
