/** The chain around an operation: its request and its services. Over the store in memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { publicOperation, staticOperation } from '../../functions/http/chain.ts';
import type { ApiRequest, PublicOperation } from '../../functions/http/types.ts';
import { invoke } from '../kit/api-event.ts';
import { useAuthServices } from '../kit/auth-services.ts';

const setting = useAuthServices();

const handlerOf = (operation: PublicOperation) => publicOperation(() => setting().services, operation);

describe('the request', () => {
  it('a request is read without prototypes, whatever its names are', async () => {
    const seen: ApiRequest[] = [];
    const handler = handlerOf(async (request) => (seen.push(request), { statusCode: 200, body: {} }));
    const query = JSON.parse('{"__proto__":"x","constructor":"y"}');
    await invoke(handler, { query, headers: { 'X-Odd': '1' }, sourceIp: '203.0.113.9' });
    expect(seen[0]?.query['toString']).toBeUndefined();
    expect(seen[0]?.query['constructor']).toBe('y');
    expect(seen[0]?.headers).toMatchObject({ 'x-odd': '1' });
    expect(seen[0]).toMatchObject({ requestId: 'request-1', sourceIp: '203.0.113.9' });
  });

  it('a request has an attempt id of its own in every invocation', async () => {
    const attempts = new Set<string>();
    const handler = handlerOf(async ({ attemptId }) => (attempts.add(attemptId), { statusCode: 200, body: {} }));
    for (let invocation = 0; invocation < 5; invocation += 1) await invoke(handler);
    expect(attempts.size).toBe(5);
  });
});

describe('the services', () => {
  it('the services are built by the first invocation, once', async () => {
    let asked = 0;
    const handler = publicOperation(
      () => ((asked += 1), setting().services),
      async () => ({ statusCode: 200, body: {} }),
    );
    expect(asked).toBe(0);
    await invoke(handler);
    await invoke(handler);
    expect(asked).toBe(1);
  });

  it('a static operation runs without services', async () => {
    const handler = staticOperation(async () => ({ statusCode: 200, body: { fixed: true } }));
    expect(await invoke(handler.on(setting().services))).toMatchObject({ status: 200, body: { fixed: true } });
  });
});
