/** Notes each call that the authorising proxy of the local stack decides: which function, which action, on what, allowed or not. */
import type { RequestedAction } from '../../../bin/local/iam/policy.ts';
import type { CallObserver } from '../../../bin/local/iam/proxy.ts';

/** One action of a call. */
export interface RecordedCall extends RequestedAction {
  /** Logical id of the calling function. */
  readonly caller: string;
  /** Of the whole call. */
  readonly allowed: boolean;
}

export class CallRecorder {
  readonly calls: RecordedCall[] = [];
  /** Bodies of the messages that were sent. */
  readonly messages: string[] = [];
  /** While set, every call meets a broken connection. */
  isDown = false;

  readonly observe: CallObserver = ({ caller, requested, allowed, body }) => {
    this.calls.push(...requested.map((action) => ({ ...action, caller, allowed })));
    if (requested.some(({ action }) => action === 'sqs:SendMessage')) this.messages.push(body);
    return !this.isDown;
  };
}
