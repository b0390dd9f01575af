/** Where messages with rejected facts go. Costs milliseconds; `test/simulation/intake.test.ts` has the hours. */
import type { SendMessageCommandInput } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { originOf, rejectedMessages } from '../../functions/platform/rejected-messages.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { sqsEvent } from '../kit/sqs-event.ts';

const URLS = { queueUrl: () => 'queue', deadLettersUrl: () => 'letters' };
const BODY = '{"facts":[]}';
const [FIRST] = sqsEvent([{ messageId: 'm-1', body: BODY, sentMs: 1_000 }]).Records;

it('a rejected message comes again twice, after three minutes, with its first id, sender and time, and is then a dead letter', async () => {
  const sent: SendMessageCommandInput[] = [];
  const client = { send: async ({ input }: { input: SendMessageCommandInput }) => void sent.push(input) };
  const { passOn } = rejectedMessages({ client, ...URLS });
  let record = FIRST;
  for (const outcome of ['sent again', 'sent again', 'dead letter']) {
    if (record === undefined) throw new Error('There is no message.');
    const origin = originOf(record);
    expect(origin).toEqual({ messageId: 'm-1', sent_by: 'sender', sentMs: 1_000, rejections: sent.length });
    expect(await passOn(record.body, origin)).toBe(outcome);
    const { MessageBody: body = '', MessageAttributes: attributes = {} } = sent.at(-1) ?? {};
    [record] = sqsEvent([{ messageId: `m-${sent.length + 1}`, body, attributes, sentMs: 9_000 }]).Records;
  }
  expect(sent.map(({ QueueUrl, DelaySeconds }) => [QueueUrl, DelaySeconds])).toEqual([
    ['queue', 180],
    ['queue', 180],
    ['letters', undefined],
  ]);
  // Moved back, it is a message like any other.
  expect(sent[2]?.MessageAttributes).toBeUndefined();
  expect(sent.map(({ MessageBody }) => MessageBody)).toEqual([BODY, BODY, BODY]);
});

it('a throttle of the queue is a fault that passes', async () => {
  const client = { send: () => Promise.reject(Object.assign(new Error('slow'), { name: 'RequestThrottled' })) };
  const { passOn } = rejectedMessages({ client, ...URLS });
  const origin = { messageId: 'm', sent_by: 'sender', sentMs: 0, rejections: 0 };
  await expect(passOn(BODY, origin)).rejects.toBeInstanceOf(TemporarilyUnavailable);
});
