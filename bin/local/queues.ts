import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { clientSettings } from './endpoints.ts';
import { resolveIntrinsics } from './intrinsics.ts';
import type { PhysicalResources } from './physical-resources.ts';
import { StartupFault } from './startup-fault.ts';
import { type Properties, type Template, resourcesOfType } from './template.ts';

/** Properties of `AWS::SQS::Queue` that are queue attributes of the same meaning; the value is the attribute's name. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  DelaySeconds: 'DelaySeconds',
  MaximumMessageSize: 'MaximumMessageSize',
  MessageRetentionPeriod: 'MessageRetentionPeriod',
  ReceiveMessageWaitTimeSeconds: 'ReceiveMessageWaitTimeSeconds',
  VisibilityTimeout: 'VisibilityTimeout',
  RedrivePolicy: 'RedrivePolicy',
};

/** Creates the template's queues, then sets what they say of themselves and of each other. */
export async function createQueues(template: Template, resources: PhysicalResources, endpoint: string): Promise<void> {
  const client = new SQSClient({ ...clientSettings(endpoint), maxAttempts: 3 });
  const queues = resourcesOfType(template, 'AWS::SQS::Queue');
  try {
    for (const [id] of queues) {
      const created = await client.send(new CreateQueueCommand({ QueueName: id }));
      const QueueUrl = reachable(created.QueueUrl ?? '', endpoint);
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
      );
      resources.set(id, { ref: QueueUrl, attributes: { Arn: Attributes?.QueueArn ?? '', QueueName: id } });
    }
    for (const [id, properties] of queues) {
      const Attributes = queueAttributes(resolveIntrinsics(properties, resources) as Properties);
      await client.send(new SetQueueAttributesCommand({ QueueUrl: resources.ref(id), Attributes }));
    }
  } catch (error) {
    throw new StartupFault(
      `the queues at ${endpoint} cannot be used (${error instanceof Error ? error.name : 'no answer'})`,
    );
  } finally {
    client.destroy();
  }
}

/** A queue server may name itself by a host that nobody resolves; its queues are told apart by the path. */
const reachable = (queueUrl: string, endpoint: string): string => new URL(new URL(queueUrl).pathname, endpoint).href;

function queueAttributes(properties: Properties): Record<string, string> {
  const given = Object.entries(ATTRIBUTES).filter(([property]) => properties[property] !== undefined);
  return Object.fromEntries(given.map(([property, attribute]) => [attribute, attributeText(properties[property])]));
}

const attributeText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
