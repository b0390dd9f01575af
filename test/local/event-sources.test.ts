import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventRules, startEventSource } from '../../bin/local/event-sources.ts';
import type { LocalFunction } from '../../bin/local/functions.ts';
import { type AuthorisingProxy, startAuthorisingProxy } from '../../bin/local/iam/proxy.ts';
import { startQueueEngine } from '../../bin/local/queues.ts';
import { PhysicalResources } from '../../bin/local/template.ts';

interface SqsEvent {
  readonly Records: readonly {
    readonly messageId: string;
    readonly receiptHandle: string;
    readonly body: string;
    readonly attributes: { readonly ApproximateReceiveCount: string };
  }[];
}

let engine: Awaited<ReturnType<typeof startQueueEngine>>;
let proxy: AuthorisingProxy;
let client: SQSClient;
let queueUrl: string;
let deadLettersUrl: string;
let stop: (() => Promise<void>) | undefined;

beforeEach(async () => {
  engine = await startQueueEngine();
  proxy = await startAuthorisingProxy({
    sqs: engine,
    dynamodb: engine,
    kms: engine,
    events: engine,
    ssm: engine,
    ses: engine,
  });
  client = new SQSClient(proxy.operator);
  deadLettersUrl = await createQueue('dead', {});
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLettersUrl, AttributeNames: ['QueueArn'] }),
  );
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 2 });
  queueUrl = await createQueue('chunks', { RedrivePolicy });
});

afterEach(async () => {
  await stop?.();
  client.destroy();
  await proxy.stop();
  await engine.stop();
});

async function createQueue(QueueName: string, Attributes: Record<string, string>): Promise<string> {
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  return new URL(new URL(QueueUrl).pathname, proxy.endpoint).href;
}

async function send(...bodies: string[]): Promise<void> {
  const Entries = bodies.map((MessageBody, at) => ({ Id: String(at), MessageBody }));
  await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
}

async function messagesIn(QueueUrl: string): Promise<number> {
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  const { ApproximateNumberOfMessages: ready, ApproximateNumberOfMessagesNotVisible: hidden } = Attributes ?? {};
  return Number(ready) + Number(hidden);
}

function start(invoke: (event: SqsEvent) => Promise<unknown>, options: { maximumConcurrency?: number } = {}): void {
  const spec = {
    client: proxy.operator,
    queueUrl,
    queueArn: 'arn:chunks',
    batchSize: 4,
    maximumConcurrency: 2,
    ...options,
  };
  stop = startEventSource(spec, { invoke: (event) => invoke(event as SqsEvent) });
}

describe('messages from a queue', () => {
  it('messages that succeed are deleted; those that fail are retried, and go to the dead-letter queue in the end', async () => {
    const seen: string[] = [];
    start(async ({ Records }) => {
      seen.push(...Records.map(({ body, attributes }) => `${body}${attributes.ApproximateReceiveCount}`));
      const failed = Records.filter(({ body }) => body === 'bad');
      // It need not stay hidden; what succeeds does, so that a slow machine does not receive it twice.
      for (const { receiptHandle: ReceiptHandle } of failed)
        await client.send(
          new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
        );
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await send('good', 'bad');
    await expect.poll(() => messagesIn(deadLettersUrl)).toBe(1);
    await expect.poll(() => messagesIn(queueUrl)).toBe(0);
    expect(seen.toSorted()).toEqual(['bad1', 'bad2', 'good1']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['throws', () => Promise.reject(new Error('fault'))],
    ['reports a message that the batch does not have', async () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] })],
    ['misnames the id', async () => ({ batchItemFailures: [{ id: 'x' }] })],
  ])('all messages are retried if the function %s', async (_, invoke) => {
    // Nothing here depends on how long a message stays hidden.
    await client.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: { VisibilityTimeout: '0' } }));
    start(invoke);
    await send('a', 'b');
    await expect.poll(() => messagesIn(deadLettersUrl)).toBe(2);
  });

  it.each([[null], [{}], [{ batchItemFailures: [] }]])(
    'all messages succeed if the function returns %j',
    async (result) => {
      start(async () => result);
      await send('a', 'b');
      await expect.poll(() => messagesIn(queueUrl)).toBe(0);
      expect(await messagesIn(deadLettersUrl)).toBe(0);
    },
  );

  it('several batches are processed at once, and no more than allowed', async () => {
    let running = 0;
    let most = 0;
    const release: (() => void)[] = [];
    start(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => release.push(resolve));
      running -= 1;
    });
    await send(...Array.from({ length: 10 }, (_, at) => String(at)));
    await expect.poll(() => running).toBe(2);
    await expect.poll(async () => (release.splice(0).forEach((go) => go()), messagesIn(queueUrl))).toBe(0);
    expect(most).toBe(2);
  });
});

it('an event of the bus invokes the functions of the rules that match it, and no others', () => {
  const rule = (EventPattern: object, Arn: string) => ({
    Type: 'AWS::Events::Rule',
    Properties: { EventPattern, Targets: [{ Arn }] },
  });
  const ofSandbox = { source: ['ours'], 'detail-type': ['A', 'B'], detail: { stage: ['sandbox'] } };
  const scheduled = {
    Type: 'AWS::Events::Rule',
    Properties: { ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: 'f' }] },
  };
  const Resources = {
    One: rule(ofSandbox, 'f'),
    Other: rule({ source: ['others'] }, 'f'),
    Gone: rule(ofSandbox, 'g'),
    scheduled,
  };
  const invoked: unknown[] = [];
  const invoke = async (event: unknown) => invoked.push(event);
  const deliver = eventRules(
    new PhysicalResources({ Resources }),
    new Map([['f', { invoke } as never as LocalFunction]]),
  );
  const event = { source: 'ours', 'detail-type': 'B', detail: { stage: 'sandbox', more: 1 } };
  deliver(event);
  deliver({ ...event, 'detail-type': 'C' });
  deliver({ ...event, detail: { stage: 'production' } });
  deliver({ ...event, detail: {} });
  expect(invoked).toEqual([expect.objectContaining(event)]);
});
