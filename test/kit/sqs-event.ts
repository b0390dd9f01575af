/** SQS deliveries as Lambda's event source makes them. */
import type { SendMessageCommandInput } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { bodyOf, type Message } from '../../functions/jobs/work.ts';
import { isObject } from '../../functions/records/json.ts';

export interface Delivered {
  readonly messageId: string;
  readonly body: string;
  /** How often the queue has handed the message out, this time included. */
  readonly receives?: number;
  readonly attributes?: SendMessageCommandInput['MessageAttributes'];
  readonly sentMs?: number;
}

export function sqsEvent(messages: readonly Delivered[]): SQSEvent {
  return {
    Records: messages.map(({ messageId, body, receives = 1, attributes = {}, sentMs = 0 }) => ({
      messageId,
      receiptHandle: messageId,
      body,
      attributes: {
        ApproximateReceiveCount: String(receives),
        SentTimestamp: String(sentMs),
        SenderId: 'sender',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, { DataType = '', StringValue = '' }]) => [
          name,
          { dataType: DataType, stringValue: StringValue },
        ]),
      ),
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-west-1:0:queue',
      awsRegion: 'eu-west-1',
    })),
  };
}

/** One batch of these messages: of this build, of another release, or of another sender. */
export function delivery(messages: readonly unknown[], receives = 1): SQSEvent {
  return sqsEvent(messages.map((message, at) => ({ messageId: String(at), body: bodyIn(message), receives })));
}

/** The body that a message is sent with. Releases have other members for it inside, so theirs is sent as it is. */
export const bodyIn = (message: unknown): string =>
  isObject(message) && 'kind' in message ? bodyOf(message as unknown as Message) : JSON.stringify(message);
