/** Records each call that the authorising proxy of the local stack decides: function, action, resource, result. */
import type { RequestedAction } from '../../../bin/local/iam/policy.ts';
import type { CallObserver } from '../../../bin/local/iam/proxy.ts';

export interface RecordedCall extends RequestedAction {
  readonly caller: string;
  /** Whether the whole call is allowed. */
  readonly allowed: boolean;
}

export class CallRecorder {
  readonly calls: RecordedCall[] = [];
  readonly messages: string[] = [];
  /** While set, every call meets a broken connection. */
  isDown = false;

  readonly observe: CallObserver = ({ caller, requested, allowed, body }) => {
    this.calls.push(...requested.map((action) => ({ ...action, caller, allowed })));
    if (requested.some(({ action }) => action === 'sqs:SendMessage')) this.messages.push(body);
    return !this.isDown;
  };
}
