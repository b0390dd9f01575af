/** Notices that a run owes (§4.11): each is stored with what it tells of, and stays open work until the watchdog has sent it. */
import type { RunEventType } from '../shared/codes.ts';
import type { Instant, RunIds } from '../shared/model.ts';
import type { Stepped } from './steps.ts';

/** Sends a notice of a run as it is now. `of`: what happened; a notice that is sent again has the same. */
export interface Notices {
  readonly send: (type: RunEventType, run: RunIds, of: string) => Promise<void>;
}

/** The change by which work owes one more notice, from now on. */
export const owing = ({ owes = [] }: Pick<Stepped, 'owes'>, type: RunEventType, due_at: Instant) => ({
  owes: [...owes, type],
  due_at,
});

/** Sends what is owed. It stays owed if that fails, or if the work changed meanwhile: then it is sent again. */
export async function sendOwed<State extends Stepped>(
  state: State,
  { run, of }: { readonly run: RunIds; readonly of: string },
  { notices, settle }: { readonly notices: Notices; readonly settle: (state: State) => Promise<boolean> },
): Promise<void> {
  const { owes = [] } = state;
  for (const type of owes) await notices.send(type, run, of);
  if (owes.length > 0) await settle(state);
}
