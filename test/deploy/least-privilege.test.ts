/**
 * Holds what each function may do against what it does, both ways. The whole service runs on this machine with a recorder
 * between the functions and the servers, and is brought to make every call that it can. Costs about ten seconds.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFunctions } from '../../bin/build.ts';
import { startLocalStack } from '../../bin/local/stack.ts';
import { synthesizeLocalStack } from '../../bin/local/synthesize.ts';
import { CallRecorder } from './support/call-recorder.ts';
import type { RecordedCall } from './support/table-calls.ts';
import { makeEveryCall } from './support/every-call.ts';
import { type Granted, grantedBy } from './support/granted.ts';

const recorder = new CallRecorder();
let granted: readonly Granted[] = [];

beforeAll(async () => {
  const bundles = await buildFunctions();
  granted = grantedBy(synthesizeLocalStack(bundles));
  const stack = await startLocalStack({ port: 0, bundles, between: recorder.between });
  try {
    await makeEveryCall(stack, recorder);
  } finally {
    await stack.stop();
  }
}, 120_000);
afterAll(() => recorder.stop());

/** As IAM reads a pattern: a star matches any text. */
function isLike(pattern: string, key: string): boolean {
  const quoted = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${quoted.join('.*')}$`, 's').test(key);
}

const allows = (grant: Granted, call: RecordedCall): boolean =>
  grant.caller === call.caller &&
  grant.action === call.action &&
  grant.on === call.on &&
  (grant.keys === undefined || isLike(grant.keys, call.leadingKey ?? ''));

describe('every function', () => {
  it('was seen at work', () => {
    const idle = new Set(granted.map(({ caller }) => caller));
    for (const { caller } of recorder.calls) idle.delete(caller);
    expect([...idle]).toEqual([]);
    expect(recorder.calls.length).toBeGreaterThan(100);
  });

  it('may do all that it does', () => {
    const refused = recorder.calls.filter((call) => !granted.some((grant) => allows(grant, call)));
    expect(refused).toEqual([]);
  });

  it('does all that it may', () => {
    const unused = granted.filter((grant) => !recorder.calls.some((call) => allows(grant, call)));
    expect(unused).toEqual([]);
  });
});
