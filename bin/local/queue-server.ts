import { buildApp } from 'fauxqs';

/** An SQS server in this process, on loopback; its messages are in memory. */
export async function startQueueServer(): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const server = buildApp({ logger: false });
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 });
  return { endpoint, stop: () => server.close() };
}
