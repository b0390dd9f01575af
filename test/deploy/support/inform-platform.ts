/** What the platform tells a stack, by facts and by a file. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ListQueuesCommand, SendMessageCommand, SQSClient, type SendMessageCommandInput } from '@aws-sdk/client-sqs';
import type { FunctionSpec } from '../../../bin/local/function-environment.ts';
import { LocalFunction } from '../../../bin/local/functions.ts';
import type { LocalStack } from '../../../bin/local/stack.ts';
import type { CallRecorder } from './call-recorder.ts';
import { functionOf } from './clone-import.ts';

interface Informed {
  readonly stack: LocalStack;
  readonly recorder: CallRecorder;
}

const COMPANY = { company_id: 'platform', name: 'By the platform', migrations_enabled: false };
const LEARNER = {
  company_id: COMPANY.company_id,
  id: 1,
  email: 'learner@platform.test',
  name: '',
  role: 'customer',
  avatar: '',
  license: 'active',
};

/** Each kind of fact, applied, changed and deleted; an address that moves to another user. */
export async function informIntake({ stack, recorder }: Informed): Promise<void> {
  const of = { company_id: COMPANY.company_id, platform_course_id: 7 };
  const course = { kind: 'course', ...of, title: 'Course', has_exam: false, classes: [] };
  const progress = { kind: 'progress', version: 1, ...of, email: LEARNER.email, completion_pct: 1 };
  const facts = [
    { kind: 'company', version: 1, ...COMPANY },
    { kind: 'user', version: 1, ...LEARNER, email: 'former@platform.test' },
    { kind: 'user', version: 2, ...LEARNER },
    { ...course, version: 1 },
    { kind: 'course', version: 2, ...of, deleted: true },
    { ...course, version: 3 },
    progress,
  ];
  const invoked = (await functionOf(stack, 'Intake').attempt({ facts })) as { results: { status: string }[] };
  if (invoked.results.some(({ status }) => status !== 'applied')) throw new Error(JSON.stringify(invoked));
  await sendThroughQueue({ stack, recorder }, [{ ...progress, version: 2, deleted: true }]);
  const wrong = [{ ...progress, version: 'two' }];
  await sendThroughQueue({ stack, recorder }, wrong);
  await sendThroughQueue({ stack, recorder }, wrong, { Rejections: { DataType: 'Number', StringValue: '2' } });
}

/** Returns once the queue's poller has deleted the message. */
async function sendThroughQueue(
  { stack, recorder }: Informed,
  facts: readonly object[],
  MessageAttributes: SendMessageCommandInput['MessageAttributes'] = {},
) {
  const deletedBefore = recorder.calls.length;
  const MessageBody = JSON.stringify({ facts });
  const client = new SQSClient(stack.operator);
  const { QueueUrls = [] } = await client.send(new ListQueuesCommand({ QueueNamePrefix: 'IntakeQueue' }));
  await client.send(new SendMessageCommand({ QueueUrl: QueueUrls[0], MessageBody, MessageAttributes }));
  client.destroy();
  const isDeleted = () =>
    recorder.calls
      .slice(deletedBefore)
      .some(({ action, caller }) => action === 'sqs:DeleteMessage' && caller.startsWith('Intake'));
  while (!isDeleted()) await pause(20);
}

/** A second data file, which relies on facts of the platform and drops everything in the first one except a user. */
export async function loadMore({ stack }: Pick<Informed, 'stack'>): Promise<void> {
  const spec = [...stack.functions.values()].map((each) => each.spec).find(({ name }) => name.includes('Loader'));
  const folder = mkdtempSync(join(tmpdir(), 'every-call-'));
  const dataFile = join(folder, 'more.json');
  const { company_id } = COMPANY;
  const course = { company_id, platform_course_id: 7, title: '', has_exam: false };
  const progress = { company_id, email: LEARNER.email, platform_course_id: 7, completion_pct: 5 };
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const jwks = { keys: [{ ...key, kid: 'k' }] };
  const clients = [{ company_id, client_id: 'loaded', name: '', jwks, scopes: ['read'] }];
  const more = { companies: [COMPANY], users: [LEARNER], courses: [course], clients, progress: [progress] };
  writeFileSync(dataFile, JSON.stringify(more));
  const loader = new LocalFunction(spec as FunctionSpec, 1, () => undefined);
  try {
    await loader.attempt({ RequestType: 'Update', dataFile });
  } finally {
    await loader.stop();
    rmSync(folder, { recursive: true });
  }
}
