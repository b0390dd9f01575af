import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import type { ClientSettings } from './endpoints.ts';
import type { LocalEngine } from './engines.ts';
import { ACCOUNT, type PhysicalResources, queueArn, resourcesOfType } from './template.ts';

/** The host in the URLs of the server's queues, if its callers give no port. */
const SERVER_URL = 'http://sqs.us-east-1.localhost';

/** An SQS engine in this process, which listens on no address. Its messages are in memory. */
export async function startQueueEngine(): Promise<LocalEngine & { stop(): Promise<void> }> {
  const server = buildApp({ logger: false });
  // It finds a queue by the whole URL that it gave it; here each caller may have an address of its own.
  server.addHook('preHandler', async ({ headers, body }) => {
    headers.host = 'localhost';
    const call = body as { QueueUrl?: string };
    if (call.QueueUrl !== undefined) call.QueueUrl = SERVER_URL + new URL(call.QueueUrl).pathname;
  });
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

const ATTRIBUTES = ['MessageRetentionPeriod', 'RedrivePolicy', 'VisibilityTimeout'];

/** The template has the dead letters of a queue before it. */
export async function createQueues(resources: PhysicalResources, settings: ClientSettings): Promise<void> {
  const client = new SQSClient({ ...settings, maxAttempts: 3 });
  // The server names itself by a host that does not resolve.
  for (const [id] of resourcesOfType(resources.template, 'AWS::SQS::Queue'))
    resources.set(id, {
      ref: `${settings.endpoint}/${ACCOUNT}/${id}`,
      attributes: { Arn: queueArn(id), QueueName: id },
    });
  try {
    for (const [id, properties] of resources.declared('AWS::SQS::Queue')) {
      const given = ATTRIBUTES.map((name) => [name, properties[name]] as const).filter(
        ([, value]) => value !== undefined,
      );
      const Attributes = Object.fromEntries(given.map(([name, value]) => [name, JSON.stringify(value)]));
      await client.send(new CreateQueueCommand({ QueueName: id, Attributes }));
    }
  } finally {
    client.destroy();
  }
}
