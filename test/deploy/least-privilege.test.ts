/**
 * Compares the permissions of each role with the calls of its functions, both ways. The whole service runs on this
 * machine, makes every call that it can, and a proxy decides each by the role of its function. Runs at length: about
 * three minutes, because it waits for the fences of reverts and erasures.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { startLocalStack } from '../../bin/local/stack.ts';
import { ITEMS } from '../../lib/functions/item-kinds.ts';
import { CallRecorder } from './support/call-recorder.ts';
import { makeEveryCall } from './support/every-call.ts';
import { PUBLIC_CLIENT_ID, startIdentityProvider } from '../kit/identity-provider.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { type Granted, grantedBy, isUse } from './support/granted.ts';

const recorder = new CallRecorder();
let granted: readonly Granted[] = [];

beforeAll(async () => {
  const provider = await startIdentityProvider({ clients: [PUBLIC_CLIENT_ID] });
  const signIn = { issuer: provider.issuer, client_id: PUBLIC_CLIENT_ID };
  const stack = await startLocalStack({ port: 0, observe: recorder.observe, signIn });
  granted = grantedBy(stack.roles.values());
  try {
    await makeEveryCall(stack, recorder, provider);
  } finally {
    provider.stop();
    await stack.stop();
  }
}, 1_800_000);

describe.runIf(AT_LENGTH)('every role', () => {
  it('a role that may write, sign or send is shared by functions of one task at most', () => {
    // Large reads count towards the download quota; those of a run store their sum.
    const ofReaders = new Set<string | undefined>([ITEMS.quota, ITEMS.runCounts]);
    const writes = granted.filter(({ action, keys }) => !/Get|Query|Receive/.test(action) && !ofReaders.has(keys));
    const shared = writes.filter(({ callers }) => callers.length > 1);
    const groups = new Set(
      shared.map(({ callers }) =>
        callers
          .map((id) => id.slice(4, -8))
          .toSorted()
          .join(' '),
      ),
    );
    expect([...groups].toSorted()).toEqual([
      // What changes a run, its plan and its imports.
      'ApplyPlan ApprovePlan CancelImport CancelRun DeletePlan DeleteRun MakePlan PutRun RevertImport RevertRun',
      'DeleteCourseMapping DeleteUserMapping RegisterCourseMappings RegisterUserMappings',
    ]);
  });
});

describe.runIf(AT_LENGTH)('every function', () => {
  it('every function was seen at work, apart from four that call nothing of AWS', () => {
    const idle = new Set(granted.flatMap(({ callers }) => callers));
    for (const { caller } of recorder.calls) idle.delete(caller);
    expect([...idle].map((id) => id.slice(4, -8))).toEqual([
      'GetSignIn',
      'GetAuthorizationServer',
      'GetOpenapi',
      'RouteNotFound',
    ]);
    expect(recorder.calls.length).toBeGreaterThan(100);
  });

  it('every function may do all that it does', () => {
    expect(recorder.calls.filter(({ allowed }) => !allowed)).toEqual([]);
  });

  it('every function does all that it may, with those that share its role', () => {
    // A quota is read once it is used up.
    const isRead = ({ action, keys }: Granted): boolean => action === 'dynamodb:GetItem' && keys === ITEMS.quota;
    const seldom = granted.filter((grant) => !recorder.calls.some((call) => isUse(call, grant)));
    const unused = seldom.filter((grant) => !isRead(grant));
    expect(
      unused
        .map(({ action, callers, keys }) => `${callers.map((id) => id.slice(0, -8)).join(' ')} ${action} ${keys}`)
        .toSorted(),
    ).toEqual(RARE.toSorted());
  });
});

/**
 * A login after the twentieth, or five minutes after the last one; a token of a client that late; ids that only abandoned records had
 * claimed; a mail by the identity of its domain, or with a configuration set; a data file with the client of another company;
 * the sum of a run of a hundred imports that nobody has read, for its notice or where the run is changed.
 */
const RARE = [
  'HttpLogin dynamodb:GetItem signing-keys',
  'HttpLogin dynamodb:BatchGetItem session#*',
  'HttpLogin dynamodb:BatchWriteItem session#*',
  'HttpSignIn dynamodb:GetItem signing-keys',
  'HttpSignIn dynamodb:BatchGetItem session#*',
  'HttpSignIn dynamodb:BatchWriteItem session#*',
  'HttpGetToken dynamodb:GetItem signing-keys',
  'ProcessingProcessChunk dynamodb:UpdateItem *#record#*',
  'ProcessingWatchdog dynamodb:UpdateItem *#record#*',
  'ProcessingWatchdog dynamodb:DeleteItem *#record#*',
  'ProcessingWatchdog dynamodb:UpdateItem *#run-counts#*',
  'HttpCancelImport HttpRevertImport HttpPutRun HttpDeleteRun HttpMakePlan HttpDeletePlan HttpApprovePlan HttpApplyPlan HttpCancelRun HttpRevertRun dynamodb:UpdateItem *#run-counts#*',
  'NoticesSend ses:SendEmail undefined',
  'NoticesSend ses:SendEmail undefined',
  'SandboxDataLoader dynamodb:BatchGetItem login#client#*',
];
