/** The protocol of custom resources, with a stub for CloudFormation's address. Costs milliseconds. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { respondToCustomResource } from '../../functions/platform/custom-resource.ts';

const identity = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Data' };
const event = { RequestType: 'Create', ResponseURL: 'https://answers.example/1', ...identity } as const;
const result = { PhysicalResourceId: 'sandbox-data', Data: { users: 3 } };

afterEach(() => vi.unstubAllGlobals());

async function respondTo(work: () => Promise<typeof result>) {
  const put = vi.fn<(url: string, request: { body: string }) => Promise<Response>>(async () => new Response());
  vi.stubGlobal('fetch', put);
  await respondToCustomResource(event, work);
  expect(put).toHaveBeenCalledExactlyOnceWith(event.ResponseURL, expect.objectContaining({ method: 'PUT' }));
  return put.mock.calls[0]?.[1].body ?? '';
}

describe('a custom resource', () => {
  it('a success is reported to CloudFormation', async () => {
    expect(JSON.parse(await respondTo(async () => result))).toEqual({ Status: 'SUCCESS', ...result, ...identity });
  });

  it('a failure is reported to CloudFormation with its reason', async () => {
    const response = JSON.parse(await respondTo(() => Promise.reject(new Error('refused\nusers.0.email: …'))));
    expect(response).toMatchObject({ Status: 'FAILED', Reason: 'refused\nusers.0.email: …', ...identity });
  });

  it('the response is at most 4,096 bytes', async () => {
    const response = await respondTo(() => Promise.reject(new Error('😀'.repeat(5_000))));
    expect(Buffer.byteLength(response)).toBeLessThan(4096);
  });

  it('an invocation without a response address returns and throws', async () => {
    const direct = { RequestType: 'Create' } as const;
    expect(await respondToCustomResource(direct, async () => result)).toBe(result);
    await expect(respondToCustomResource(direct, () => Promise.reject(new Error('refused')))).rejects.toThrow(
      'refused',
    );
  });
});
