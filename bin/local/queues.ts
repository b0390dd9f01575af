import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { clientSettings } from './endpoints.ts';
import { StartupFault } from './lifecycle.ts';
import {
  type PhysicalResources,
  type Properties,
  type Template,
  resolveIntrinsics,
  resourcesOfType,
} from './template.ts';

/** Starts an SQS server in this process, on loopback. Its messages are in memory. */
export async function startQueueServer(): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const server = buildApp({ logger: false });
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 });
  return { endpoint, stop: () => server.close() };
}

/** Properties of `AWS::SQS::Queue` with a queue attribute of the same meaning, by its name. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  DelaySeconds: 'DelaySeconds',
  MaximumMessageSize: 'MaximumMessageSize',
  MessageRetentionPeriod: 'MessageRetentionPeriod',
  ReceiveMessageWaitTimeSeconds: 'ReceiveMessageWaitTimeSeconds',
  VisibilityTimeout: 'VisibilityTimeout',
  RedrivePolicy: 'RedrivePolicy',
};

/**
 * Creates the template's queues, then sets their attributes, which may refer to other queues.
 *
 * @throws StartupFault if the server does not respond
 */
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
      `the queue server at ${endpoint} cannot be used (${error instanceof Error ? error.name : 'no response'}): check SQS_ENDPOINT`,
    );
  } finally {
    client.destroy();
  }
}

/** The queue's URL at the endpoint: a queue server may name itself by a host that does not resolve. */
const reachable = (queueUrl: string, endpoint: string): string => new URL(new URL(queueUrl).pathname, endpoint).href;

function queueAttributes(properties: Properties): Record<string, string> {
  const given = Object.entries(ATTRIBUTES).filter(([property]) => properties[property] !== undefined);
  return Object.fromEntries(given.map(([property, attribute]) => [attribute, attributeText(properties[property])]));
}

const attributeText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
