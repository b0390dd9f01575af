/** SQS deliveries as Lambda's event source makes them. */
import type { SQSEvent } from 'aws-lambda';

export interface Delivered {
  readonly messageId: string;
  readonly body: string;
  /** How often the queue has handed the message out, this time included. */
  readonly receives?: number;
}

export function sqsEvent(messages: readonly Delivered[]): SQSEvent {
  return {
    Records: messages.map(({ messageId, body, receives = 1 }) => ({
      messageId,
      receiptHandle: messageId,
      body,
      attributes: {
        ApproximateReceiveCount: String(receives),
        SentTimestamp: '0',
        SenderId: 'sender',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-west-1:0:queue',
      awsRegion: 'eu-west-1',
    })),
  };
}

/** One batch of these messages, each as JSON. */
export function delivery(messages: readonly unknown[], receives = 1): SQSEvent {
  return sqsEvent(messages.map((message, at) => ({ messageId: String(at), body: JSON.stringify(message), receives })));
}
