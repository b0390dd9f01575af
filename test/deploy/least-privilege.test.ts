/**
 * Holds what each function may do against what it does, both ways. The whole service runs on this machine, where a proxy decides
 * each call by the role of its function, and is brought to make every call that it can. Costs about ten seconds.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { startLocalStack } from '../../bin/local/stack.ts';
import { CallRecorder } from './support/call-recorder.ts';
import { makeEveryCall } from './support/every-call.ts';
import { type Granted, grantedBy, isUse } from './support/granted.ts';

const recorder = new CallRecorder();
let granted: readonly Granted[] = [];

beforeAll(async () => {
  const stack = await startLocalStack({ port: 0, observe: recorder.observe });
  granted = grantedBy(stack.roles.values());
  try {
    await makeEveryCall(stack, recorder);
  } finally {
    await stack.stop();
  }
}, 540_000);

describe('every function', () => {
  it('was seen at work', () => {
    const idle = new Set(granted.map(({ caller }) => caller));
    for (const { caller } of recorder.calls) idle.delete(caller);
    expect([...idle]).toEqual([]);
    expect(recorder.calls.length).toBeGreaterThan(100);
  });

  it('may do all that it does', () => {
    expect(recorder.calls.filter(({ allowed }) => !allowed)).toEqual([]);
  });

  it('does all that it may', () => {
    const unused = granted.filter((grant) => !recorder.calls.some((call) => isUse(call, grant)));
    expect(unused).toEqual([]);
  });
});
