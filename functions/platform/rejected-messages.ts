/**
 * Messages of the platform with rejected facts. The queue counts every delivery, also those that met a throttle: so it gives up
 * none of them, and this counts the rejections.
 */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { dependencyFault, PATIENT_CLIENT } from '../runtime/faults.ts';
import * as ENV from '../runtime/variables.ts';

/** A message that was rejected so often is a dead letter. */
export const MAX_REJECTIONS = 3;
/** Meanwhile the facts that it depends on may arrive. */
const AGAIN_AFTER_SECONDS = 180;

/** Where a message comes from: of a message that was sent again, the first of its kind. */
export interface MessageOrigin {
  readonly messageId: string;
  readonly sent_by: string;
  readonly sentMs: number;
  /** How often the message was rejected before. */
  readonly rejections: number;
}

export function originOf({ messageId, attributes, messageAttributes }: SQSRecord): MessageOrigin {
  const text = (name: string) => messageAttributes[name]?.stringValue;
  return {
    messageId: text('FirstMessageId') ?? messageId,
    sent_by: text('SentBy') ?? attributes.SenderId,
    sentMs: Number(text('SentMs') ?? attributes.SentTimestamp),
    rejections: Number(text('Rejections') ?? 0),
  };
}

export type RejectedMessages = ReturnType<typeof rejectedMessages>;

/** @throws Error when a message is rejected, if the stack has no queue for the platform */
export function sqsRejectedMessages(environment: ENV.Environment): RejectedMessages {
  return rejectedMessages({
    client: new SQSClient({ ...PATIENT_CLIENT, useQueueUrlAsEndpoint: false }),
    queueUrl: () => ENV.variable(environment, ENV.intakeQueueUrl),
    deadLettersUrl: () => ENV.variable(environment, ENV.intakeDeadLettersUrl),
  });
}

interface Queues {
  readonly client: Pick<SQSClient, 'send'>;
  readonly queueUrl: () => string;
  readonly deadLettersUrl: () => string;
}

export function rejectedMessages({ client, queueUrl, deadLettersUrl }: Queues) {
  return {
    /** Sends a message that was rejected again, or to the dead letters. Returns which; the delivered one can then be deleted. */
    passOn: async (body: string, origin: MessageOrigin): Promise<'sent again' | 'dead letter'> => {
      const isLast = origin.rejections + 1 >= MAX_REJECTIONS;
      const message = isLast ? { QueueUrl: deadLettersUrl() } : { QueueUrl: queueUrl(), ...sentAgain(origin) };
      await client.send(new SendMessageCommand({ ...message, MessageBody: body })).catch((error: unknown) => {
        throw dependencyFault(error, 'The queue of the intake');
      });
      return isLast ? 'dead letter' : 'sent again';
    },
  };
}

const sentAgain = ({ messageId, sent_by, sentMs, rejections }: MessageOrigin) => ({
  DelaySeconds: AGAIN_AFTER_SECONDS,
  MessageAttributes: {
    FirstMessageId: { DataType: 'String', StringValue: messageId },
    SentBy: { DataType: 'String', StringValue: sent_by },
    SentMs: { DataType: 'Number', StringValue: String(sentMs) },
    Rejections: { DataType: 'Number', StringValue: String(rejections + 1) },
  },
});
