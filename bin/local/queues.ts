import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import type { ClientSettings } from './endpoints.ts';
import type { LocalEngine } from './engines.ts';
import { type PhysicalResources, type Properties, type Template, resourcesOfType, declared } from './template.ts';

/** The host in the URLs of the server's queues, if its callers give no port. */
const SERVER_URL = 'http://sqs.us-east-1.localhost';

/** The SQS server. It finds a queue by the whole URL that it gave it; here each caller may have an address of its own. */
export function queueServer(): ReturnType<typeof buildApp> {
  const server = buildApp({ logger: false });
  server.addHook('preHandler', async ({ headers, body }) => {
    headers.host = 'localhost';
    const call = body as { QueueUrl?: string };
    if (call.QueueUrl !== undefined) call.QueueUrl = SERVER_URL + new URL(call.QueueUrl).pathname;
  });
  return server;
}

/** An SQS engine in this process, which listens on no address. Its messages are in memory. */
export async function startQueueEngine(): Promise<LocalEngine & { stop(): Promise<void> }> {
  const server = queueServer();
  await server.ready();
  return {
    async respond({ target, path, body, onAbandoned }) {
      const abandoned = new AbortController();
      onAbandoned(() => abandoned.abort());
      const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target };
      const { statusCode, rawPayload } = await server.inject({
        method: 'POST',
        url: path,
        headers,
        payload: body,
        signal: abandoned.signal,
      });
      return { status: statusCode, body: rawPayload };
    },
    stop: () => server.close(),
  };
}

const ATTRIBUTES: Readonly<Record<string, string>> = {
  DelaySeconds: 'DelaySeconds',
  MaximumMessageSize: 'MaximumMessageSize',
  MessageRetentionPeriod: 'MessageRetentionPeriod',
  ReceiveMessageWaitTimeSeconds: 'ReceiveMessageWaitTimeSeconds',
  VisibilityTimeout: 'VisibilityTimeout',
  RedrivePolicy: 'RedrivePolicy',
};

/** Attributes come after all queues, because they may refer to others. */
export async function createQueues(
  template: Template,
  resources: PhysicalResources,
  settings: ClientSettings,
): Promise<void> {
  const { endpoint } = settings;
  const client = new SQSClient({ ...settings, maxAttempts: 3 });
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
    for (const [id, properties] of declared(template, 'AWS::SQS::Queue', resources)) {
      const Attributes = queueAttributes(properties);
      await client.send(new SetQueueAttributesCommand({ QueueUrl: resources.ref(id), Attributes }));
    }
  } finally {
    client.destroy();
  }
}

export function queueArns(template: Template, resources: PhysicalResources): ReadonlyMap<string, string> {
  return new Map(
    resourcesOfType(template, 'AWS::SQS::Queue').map(([id]) => [
      new URL(resources.ref(id)).pathname,
      resources.attribute(id, 'Arn'),
    ]),
  );
}

/** The queue's URL at the endpoint: a queue server may name itself by a host that does not resolve. */
const reachable = (queueUrl: string, endpoint: string): string => new URL(new URL(queueUrl).pathname, endpoint).href;

function queueAttributes(properties: Properties): Record<string, string> {
  const given = Object.entries(ATTRIBUTES).filter(([property]) => properties[property] !== undefined);
  return Object.fromEntries(given.map(([property, attribute]) => [attribute, attributeText(properties[property])]));
}

const attributeText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
